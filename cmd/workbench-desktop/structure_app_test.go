package main

import (
	"go/ast"
	compiled "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAppIsWiring checks that package app only connects its screens and services: it has few files, and no type with many fields.
func TestAppIsWiring(t *testing.T) {
	const mostFiles, mostFields = 12, 15
	files := 0
	for _, s := range sources(t) {
		if s.pkg() != "app" || s.isTest() {
			continue
		}
		files++
		ast.Inspect(s.ast, func(node ast.Node) bool {
			if fields, ok := node.(*ast.StructType); ok {
				count := 0
				for _, field := range fields.Fields.List {
					count += max(1, len(field.Names))
				}
				if count > mostFields {
					t.Errorf("%s: a type with %d fields, want %d at most", s.fset.Position(fields.Pos()), count, mostFields)
				}
			}
			return true
		})
	}
	if files > mostFiles || files == 0 {
		t.Errorf("app has %d files, want %d at most", files, mostFiles)
	}
}

// TestAppIsWiringInOneDirection checks that the files of package app have an order in which each uses only what files before it declare. They can be read one
// after the other, and there are no cycles.
func TestAppIsWiringInOneDirection(t *testing.T) {
	uses := namesBetweenFiles(t, "app")
	var reaches func(from, to string, passed map[string]bool) bool
	reaches = func(from, to string, passed map[string]bool) bool {
		passed[from] = true
		for next := range uses[from] {
			if next == to || !passed[next] && reaches(next, to, passed) {
				return true
			}
		}
		return false
	}
	count := 0
	for file, of := range uses {
		for other, names := range of {
			count++
			if reaches(other, file, map[string]bool{}) {
				t.Errorf("%s uses %v of %s, which uses %s, perhaps through others", file, slices.Sorted(slices.Values(names)), other, file)
			}
		}
	}
	if count < 10 {
		t.Errorf("only %d files use another; the test looks at the wrong thing", count)
	}
}

// namesBetweenFiles returns, for each file of a package, the names that it uses of each other file: types, functions, methods, fields, variables and
// constants.
func namesBetweenFiles(t *testing.T, pkg string) map[string]map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}", module+"/"+pkg)
	list.Env = append(list.Environ(), "CGO_ENABLED=0")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		imported, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		exports[imported] = file
	}
	names, err := filepath.Glob(filepath.Join("..", "..", pkg, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	uses := map[string]map[string][]string{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, uses[filepath.Base(name)] = append(files, file), map[string][]string{}
	}
	checker := types.Config{Importer: compiled.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	checked, err := checker.Check(pkg, fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	for ident, object := range info.Uses {
		if object.Pkg() != checked {
			continue
		}
		from, to := filepath.Base(fset.Position(ident.Pos()).Filename), filepath.Base(fset.Position(object.Pos()).Filename)
		if from != to && !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
		}
	}
	return uses
}

// TestSpacesAreTokens checks that screens use the names of app/kit/space.go for spaces, so that a space can be changed in one place.
func TestSpacesAreTokens(t *testing.T) {
	arguments := map[string][]int{"Column": {0}, "Row": {0}, "NewPair": {0}, "Inset": {1, 2}, "InsetSides": {1, 2, 3, 4}}
	calls := 0
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.file, "app/") || s.isTest() {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := ""
			switch called := call.Fun.(type) {
			case *ast.SelectorExpr:
				if pkg, ok := called.X.(*ast.Ident); ok && pkg.Name == "kit" {
					name = called.Sel.Name
				}
			case *ast.Ident:
				if s.pkg() == "app/kit" {
					name = called.Name
				}
			}
			for _, i := range arguments[name] {
				calls++
				if number, ok := call.Args[i].(*ast.BasicLit); ok && number.Value != "0" {
					t.Errorf("%s: a space of %s, want a token of app/kit/space.go", s.fset.Position(number.Pos()), number.Value)
				}
			}
			return true
		})
	}
	if calls == 0 {
		t.Error("no call was found; the test looks at the wrong thing")
	}
}

// TestOnlyInKit checks that what app/kit does is not done elsewhere. Only one type is told about the focus. Fyne's text wraps only where the user can type or
// select, so any other text that wraps is a Lines. Only layouts and renderers lay out objects.
func TestOnlyInKit(t *testing.T) {
	only := map[string][]string{
		"method FocusGained": {"keyboard.go"},
		"method Layout":      {"drawing.go", "input.go", "layouts.go", "lines.go", "ringed.go", "row_column.go", "rows.go", "text.go"},
		"field Wrapping":     {"input.go", "selectable.go"},
	}
	found := map[string][]string{}
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.file, "app/") || s.isTest() {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			name := ""
			switch node := node.(type) {
			case *ast.FuncDecl:
				if node.Recv != nil {
					name = "method " + node.Name.Name
				}
			case *ast.SelectorExpr:
				name = "field " + node.Sel.Name
			case *ast.KeyValueExpr:
				name = "field " + exprName(node.Key)
			}
			if file := strings.TrimPrefix(s.file, "app/kit/"); only[name] != nil && !slices.Contains(found[name], file) {
				found[name] = append(found[name], file)
			}
			return true
		})
	}
	for name, files := range only {
		if slices.Sort(found[name]); !slices.Equal(found[name], files) {
			t.Errorf("%s is in %v, want it in %v of app/kit", name, found[name], files)
		}
	}
}
