package main

import (
	"go/ast"
	"go/build"
	compiled "go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestAppIsWiring checks that package app only connects its screens and services: it has few files, and no type with
// many fields.
func TestAppIsWiring(t *testing.T) {
	const mostFiles, mostFields = 12, 15
	files := 0
	for _, s := range sources(t) {
		if s.pkg() != "app" || s.isTest() {
			continue
		}
		if !strings.HasPrefix(filepath.Base(s.file), "of_") { // such a file implements what one screen asks for, and nothing else
			files++
		}
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

// TestAppIsWiringInOneDirection checks that the files of package app have an order in which each uses only what files
// before it declare. They can be read one after the other, and there are no cycles.
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
				t.Errorf("%s uses %v of %s, which uses %s, perhaps through others", file, slices.Sorted(slices.Values(names)),
					other, file)
			}
		}
	}
	if count < 10 {
		t.Errorf("only %d files use another; the test looks at the wrong thing", count)
	}
}

// typed is a package of ours with the types of its code, without its tests.
type typed struct {
	*types.Package
	fset  *token.FileSet
	files []*ast.File
	info  types.Info
}

// typedPackages returns packages with their types.
func typedPackages(t *testing.T, pkgs ...string) []typed {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}
	for _, pkg := range pkgs {
		args = append(args, module+"/"+pkg)
	}
	list := exec.Command("go", args...)
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
	fset := token.NewFileSet()
	importer := compiled.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	var found []typed
	system := build.Default
	system.CgoEnabled = false
	for _, pkg := range pkgs {
		of, err := system.ImportDir(filepath.Join("..", "..", filepath.FromSlash(pkg)), 0)
		if err != nil {
			t.Fatal(err)
		}
		p := typed{fset: fset, info: types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}}
		for _, name := range of.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(of.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.files = append(p.files, file)
		}
		checker := types.Config{Importer: importer}
		if p.Package, err = checker.Check(pkg, fset, p.files, &p.info); err != nil {
			t.Fatal(err)
		}
		found = append(found, p)
	}
	return found
}

// namesBetweenFiles returns, for each file of a package, the names that it uses of each other file: types,
// functions, methods, fields, variables and constants.
func namesBetweenFiles(t *testing.T, pkg string) map[string]map[string][]string {
	t.Helper()
	p := typedPackages(t, pkg)[0]
	uses := map[string]map[string][]string{}
	for _, file := range p.files {
		uses[filepath.Base(p.fset.Position(file.Pos()).Filename)] = map[string][]string{}
	}
	for ident, object := range p.info.Uses {
		if object.Pkg() != p.Package {
			continue
		}
		from, to := filepath.Base(p.fset.Position(ident.Pos()).Filename),
			filepath.Base(p.fset.Position(object.Pos()).Filename)
		if from != to && !slices.Contains(uses[from][to], object.Name()) {
			uses[from][to] = append(uses[from][to], object.Name())
		}
	}
	return uses
}

// TestAppCallsMethods checks that the parts of the window call methods of each other, which a reader can follow, and
// seldom functions in fields, which nobody can. A screen declares an interface of what it needs.
func TestAppCallsMethods(t *testing.T) {
	const most = 60
	var of []string
	named := map[string]bool{} // types of ours that are functions
	each := func(see func(s source, node ast.Node)) {
		for _, s := range sources(t) {
			if strings.HasPrefix(s.file, "app/") && !strings.HasPrefix(s.file, "app/kit/") && !s.isTest() {
				ast.Inspect(s.ast, func(node ast.Node) bool {
					see(s, node)
					return true
				})
			}
		}
	}
	each(func(_ source, node ast.Node) {
		if declared, ok := node.(*ast.TypeSpec); ok {
			if _, ok := declared.Type.(*ast.FuncType); ok {
				named[declared.Name.Name] = true
			}
		}
	})
	each(func(s source, node ast.Node) {
		fields, ok := node.(*ast.StructType)
		if !ok {
			return
		}
		for _, field := range fields.Fields.List {
			if holdsFunction(field.Type, named) {
				for range max(1, len(field.Names)) {
					of = append(of, s.fset.Position(field.Pos()).String())
				}
			}
		}
	})
	if len(of) > most || len(of) == 0 {
		t.Errorf("%d fields are functions, want %d at most:\n%s", len(of), most, strings.Join(of, "\n"))
	}
}

// holdsFunction reports whether a type is a function, or a list or map of functions.
func holdsFunction(of ast.Expr, named map[string]bool) bool {
	switch of := of.(type) {
	case *ast.FuncType:
		return true
	case *ast.Ident:
		return named[of.Name]
	case *ast.SelectorExpr:
		return named[of.Sel.Name]
	case *ast.ArrayType:
		return holdsFunction(of.Elt, named)
	case *ast.MapType:
		return holdsFunction(of.Value, named)
	case *ast.ChanType:
		return holdsFunction(of.Value, named)
	case *ast.StarExpr:
		return holdsFunction(of.X, named)
	}
	return false
}

// TestAppTypesOwnOneThing checks that the types of the window have few fields. What a type embeds counts as one.
func TestAppTypesOwnOneThing(t *testing.T) {
	count := 0
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.file, "app/") || s.isTest() {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			declared, ok := node.(*ast.TypeSpec)
			if !ok {
				return true
			}
			of, ok := declared.Type.(*ast.StructType)
			if !ok {
				return true
			}
			count++
			name, fields := s.pkg()+"."+declared.Name.Name, 0
			for _, field := range of.Fields.List {
				fields += max(1, len(field.Names))
			}
			if fields > mostFields {
				t.Errorf("%s has %d fields, want %d at most; give what it owns to types of its own", name, fields, mostFields)
			}
			return true
		})
	}
	if count < 200 {
		t.Errorf("only %d types were found; the test looks at the wrong thing", count)
	}
}

// TestDrawingOnlyDraws checks which actions screens call while they draw, in their methods Apply: none of them saves
// what is typed, shows another screen or asks an engine. See docs/adr/095. Functions that are passed on are left out,
// because they run later, and so are functions in fields.
func TestDrawingOnlyDraws(t *testing.T) {
	allowed := map[string][]string{
		"app/activity": {"engines.go: HasLogs"}, // only asks
		"app/editor": {
			"computer.go: HasSecret",  // asks the keychain in the background
			"computer.go: LookPath",   // looks for the program in the background
			"keychain.go: KeepSecret", // in the background, before setup.go sends what the user has applied
			"keychain.go: ReadSecret", // in the same function, for a value that goes back into the file
			"setup.go: Check",         // checks what is typed in the background
			"setup.go: Send",          // saves what the user has applied, when the check has ended
			"text_field.go: Env",
		},
		"app/file": {
			"history_tab.go: Now",
			"history_tab.go: With",    // reads the list of versions in the background
			"text_pane.go: Typed",     // records that something is typed, for the next start
			"text_tab.go: Background", // looks for secrets
		},
		"app/settings": {
			"checks.go: Get", // makes a button
			"runtimes.go: Get",
			"screen.go: Later", // makes the next section after other work had its turn
		},
		"app/toolboxes": {
			"header.go: CanImport", // only asks
			"instead.go: CanImport",
			"screen.go: Renamed",    // what is typed for a server stays with the server
			"screen.go: ShowServer", // draws the server that is selected now; its tools and its log are requested later
		},
	}
	var pkgs []string
	for _, s := range sources(t) {
		for _, decl := range s.ast.Decls {
			if method, ok := decl.(*ast.FuncDecl); ok && method.Recv != nil && method.Name.Name == "Apply" &&
				strings.HasPrefix(s.file, "app/") && s.pkg() != "app/model" && !s.isTest() && !slices.Contains(pkgs, s.pkg()) {
				pkgs = append(pkgs, s.pkg())
			}
		}
	}
	for _, p := range typedPackages(t, pkgs...) {
		if called, want := actionsIn(p, "Apply"), allowed[p.Path()]; !slices.Equal(called, want) {
			t.Errorf("%s calls these actions while it draws: %q, want %q. What has to be done then belongs into Enter, "+
				"Leave or a control", p.Path(), called, want)
		}
	}
}

// actionsIn returns the members of Actions, or the methods of Program, that a package calls in its methods of a name
// and in everything that these call, with their files, sorted. The methods of model.Drafts that save are included.
func actionsIn(p typed, method string) []string {
	bodies, byName := map[types.Object]*ast.FuncDecl{}, map[string][]*ast.FuncDecl{}
	for _, file := range p.files {
		for _, decl := range file.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok {
				bodies[p.info.Defs[function.Name]] = function
				if function.Recv != nil {
					byName[function.Name.Name] = append(byName[function.Name.Name], function)
				}
			}
		}
	}
	actions := map[types.Object]bool{}
	if named := p.Scope().Lookup("Actions"); named != nil {
		if fields, ok := named.Type().Underlying().(*types.Struct); ok {
			for i := range fields.NumFields() {
				actions[fields.Field(i)] = true
			}
		}
	}
	if named := p.Scope().Lookup("Program"); named != nil {
		if methods, ok := named.Type().Underlying().(*types.Interface); ok {
			for i := range methods.NumMethods() {
				actions[methods.Method(i)] = true
			}
		}
	}
	var called []string
	passed := map[*ast.FuncDecl]bool{}
	for todo := slices.Clone(byName[method]); len(todo) > 0; {
		function := todo[0]
		todo = todo[1:]
		if passed[function] || function.Body == nil {
			continue
		}
		passed[function] = true
		ast.Inspect(function.Body, func(node ast.Node) bool {
			if _, later := node.(*ast.FuncLit); later {
				return false
			}
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			var name *ast.Ident
			switch of := call.Fun.(type) {
			case *ast.Ident:
				name = of
			case *ast.SelectorExpr:
				name = of.Sel
			default:
				return true
			}
			object := p.info.Uses[name]
			// a method of an interface
			if of, ok := object.(*types.Func); ok && object.Pkg() == p.Package && bodies[object] == nil {
				todo = append(todo, byName[of.Name()]...)
			}
			saves := false
			if of, ok := object.(*types.Func); ok && of.Signature().Recv() != nil &&
				strings.HasSuffix(of.Signature().Recv().Type().String(), "app/model.Drafts") {
				saves = of.Name() == "Send" || of.Name() == "Apply"
			}
			if body := bodies[object]; body != nil {
				todo = append(todo, body)
			}
			at := filepath.Base(p.fset.Position(name.Pos()).Filename) + ": " + name.Name
			if (actions[object] || saves) && !slices.Contains(called, at) {
				called = append(called, at)
			}
			return true
		})
	}
	slices.Sort(called)
	return called
}

// TestSpacesAreTokens checks that screens use the names of app/kit/space.go for spaces, so that a space can be changed
// in one place.
func TestSpacesAreTokens(t *testing.T) {
	arguments := map[string][]int{
		"Column": {0}, "Row": {0}, "NewFlow": {0}, "NewLong": {0}, "NewRows": {1}, "NewShared": {1}, "NewCentred": {1},
		"Inset": {1, 2}, "InsetSides": {1, 2, 3, 4}, "NewGap": {0, 1},
	}
	named := regexp.MustCompile(`(Gap|Pad|Inset)$`)
	calls := 0
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.file, "app/") || s.isTest() {
			continue
		}
		// check reports a number. Fewer than two pixels only hold a place, and more than fifty are the size of something.
		check := func(expr ast.Expr) {
			if sign, ok := expr.(*ast.UnaryExpr); ok {
				expr = sign.X
			}
			if number, ok := expr.(*ast.BasicLit); ok {
				if pixels, err := strconv.ParseFloat(number.Value, 64); err == nil && pixels >= 2 && pixels <= 50 {
					t.Errorf("%s: a space of %s, want a token of app/kit/space.go", s.fset.Position(number.Pos()), number.Value)
				}
			}
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				name := ""
				switch called := node.Fun.(type) {
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
					check(node.Args[i])
				}
			case *ast.ValueSpec: // app/kit itself also has constants for what is inside a control
				if !strings.HasPrefix(s.pkg(), "app/kit") && len(node.Values) == len(node.Names) && named.MatchString(node.Names[0].Name) {
					check(node.Values[0])
				}
			}
			return true
		})
	}
	if calls < 100 {
		t.Errorf("only %d spaces were found; the test looks at the wrong thing", calls)
	}
}

// TestOnlyInKit checks that what app/kit does is not done elsewhere. Only two types are told about the focus: a
// control, and an input, whose text is selected. Fyne's
// text wraps only where the user can type or select, so any other text that wraps is a Lines. Only layouts and
// renderers lay out objects. Nobody makes Fyne's own controls and texts, nor its rows, which leave its padding between
// objects and no token of app/kit/space.go.
func TestOnlyInKit(t *testing.T) {
	only := map[string][]string{
		"method FocusGained": {"input.go", "keyboard.go"},
		"method Layout":      {"drawing.go", "input.go", "layouts.go", "ringed.go", "row_column.go", "rows.go"},
		"field Wrapping":     {"input.go", "selectable.go"},
	}
	for _, made := range []string{"widget.NewButton", "widget.NewButtonWithIcon", "widget.NewCheck", "widget.NewEntry",
		"widget.NewHyperlink", "widget.NewLabel",
		"widget.NewLabelWithStyle", "widget.NewMultiLineEntry", "widget.NewPasswordEntry", "widget.NewRichText",
		"widget.NewSelect", "widget.NewSlider", "container.NewHBox"} {
		only["call "+made] = []string{}
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
			case *ast.CallExpr:
				name = "call " + exprName(node.Fun)
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
