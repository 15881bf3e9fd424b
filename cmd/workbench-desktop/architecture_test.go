package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const module = "github.com/workbench-mcp/workbench-desktop"

// manage is the folder of the code with which the window and the commands change the computer.
const manage = "engine/manage/"

// wordsPackage is the package that every package of the engine may import, and the only one that imports assets.
const wordsPackage = "engine/words"

// patterns is another package that every package of the engine may import.
const patterns = "engine/lazyregexp"

// hidden is the package that protects people from invisible characters. Every package of the engine may
// import it.
const hidden = "engine/visible"

// goroutines is the package that starts goroutines. Every package may import it.
const goroutines = "engine/background"

// source is one Go file of the module.
type source struct {
	file string // relative to the module's root, with slashes
	ast  *ast.File
	fset *token.FileSet
}

func (s source) pkg() string  { return path.Dir(s.file) }
func (s source) isTest() bool { return strings.HasSuffix(s.file, "_test.go") }

func (s source) imports() []string {
	var paths []string
	for _, spec := range s.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			p = spec.Path.Value
		}
		paths = append(paths, p)
	}
	return paths
}

// sources parses all Go files of the module, whatever their build tags.
func sources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var found []source
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); base == "node_modules" || base == "testdata" || base == "build" ||
				(strings.HasPrefix(base, ".") && base != ".." && base != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		found = append(found, source{filepath.ToSlash(relative), file, fset})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 50 {
		t.Fatalf("only %d Go files found; the test looks in the wrong place", len(found))
	}
	return found
}

// TestImports checks the rules for imports in docs/architecture.md.
func TestImports(t *testing.T) {
	allowed := layers()
	var fyneApp []string
	for _, s := range sources(t) {
		for _, imported := range s.imports() {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			isFyne := strings.HasPrefix(imported, "fyne.io/")
			if imported == "fyne.io/fyne/v2/app" {
				fyneApp = append(fyneApp, s.file)
			}
			switch top, _, _ := strings.Cut(s.file, "/"); top {
			case "engine":
				if isFyne || (isOurs && !strings.HasPrefix(ours, "engine/") && !(ours == "assets" && s.pkg() == wordsPackage)) {
					t.Errorf("%s imports %s: the engine must not know the window", s.file, imported)
				}
				if isOurs && !s.isTest() {
					may, listed := allowed[s.pkg()]
					if !listed {
						t.Errorf("%s: package %s is not in layers()", s.file, s.pkg())
					} else if ours != wordsPackage && ours != patterns && ours != hidden && ours != goroutines &&
						!slices.Contains(may, ours) {
						t.Errorf("%s imports %s: against the direction of the layers", s.file, imported)
					}
					if strings.HasPrefix(ours, manage) && !strings.HasPrefix(s.file, manage) {
						t.Errorf("%s imports %s: the engine that clients start must not change the computer", s.file, imported)
					}
				}
			case "app":
				if strings.HasPrefix(imported, "github.com/mark3labs/mcp-go") {
					t.Errorf("%s imports %s: the app must use the engine, not the protocol", s.file, imported)
				}
				if s.pkg() == "app/model" && (isFyne || strings.HasPrefix(ours, "app/")) {
					t.Errorf("%s imports %s: the state of the window must consist of values and draw nothing", s.file, imported)
				}
			case "cmd", "assets", "bench", "e2e":
			default:
				if isFyne {
					t.Errorf("%s imports %s: only app may import it", s.file, imported)
				}
			}
		}
	}
	if want := []string{"cmd/workbench-desktop/gui_on.go"}; !slices.Equal(fyneApp, want) {
		t.Errorf("fyne.io/fyne/v2/app, which needs cgo, is imported by %v, want only %v", fyneApp, want)
	}
}

// TestGoroutinesAreContained checks that only one package starts goroutines, since a panic in any other one ends all
// sessions of an engine.
func TestGoroutinesAreContained(t *testing.T) {
	for _, s := range sources(t) {
		top, _, _ := strings.Cut(s.file, "/")
		if s.isTest() || s.pkg() == goroutines || top != "engine" && top != "app" && top != "cmd" ||
			strings.HasPrefix(path.Base(s.pkg()), "fake") {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.GoStmt:
				t.Errorf("%s: a go statement; use %s", s.fset.Position(node.Pos()), goroutines)
			case *ast.SelectorExpr:
				switch name := exprName(node); name {
				case "sync.WaitGroup", "time.AfterFunc", "context.AfterFunc":
					t.Errorf("%s: %s; use %s", s.fset.Position(node.Pos()), name, goroutines)
				}
			}
			return true
		})
		for _, imported := range s.imports() {
			if imported == "golang.org/x/sync/errgroup" {
				t.Errorf("%s imports %s; use %s", s.file, imported, goroutines)
			}
		}
	}
}

// TestDiffsAreContained checks that only one package writes unified diffs, since it corrects the line numbers of the
// library.
func TestDiffsAreContained(t *testing.T) {
	for _, s := range sources(t) {
		ast.Inspect(s.ast, func(node ast.Node) bool {
			if node, ok := node.(*ast.SelectorExpr); ok && s.pkg() != "engine/unified" {
				if name := exprName(node); name == "udiff.Unified" || name == "udiff.ToUnified" {
					t.Errorf("%s: %s; use engine/unified", s.fset.Position(node.Pos()), name)
				}
			}
			return true
		})
	}
}

func exprName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.SelectorExpr:
		return exprName(expr.X) + "." + expr.Sel.Name
	case *ast.Ident:
		return expr.Name
	case *ast.IndexExpr:
		return exprName(expr.X)
	}
	return ""
}

// TestPlacesAreKnownOnce checks that only engine/paths determines the user's home and the base folders of
// programs.
func TestPlacesAreKnownOnce(t *testing.T) {
	allowed := map[string]bool{
		"engine/environ/complete.go": true, // lists the variables that it takes from the user's shell
		"engine/environ/inherit.go":  true, // lists the variables that servers inherit
		// Lists known variables in pasted entries.
		"engine/manage/entries/review/uses.go":      true,
		"engine/manage/entries/review/variables.go": true,
	}
	found := false
	for _, s := range sources(t) {
		if s.isTest() || !(strings.HasPrefix(s.file, "engine/") || strings.HasPrefix(s.file, "app/") ||
			strings.HasPrefix(s.file, "cmd/")) || allowed[s.file] {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			word := ""
			switch node := node.(type) {
			case *ast.SelectorExpr:
				word = exprName(node)
			case *ast.BasicLit:
				word = strings.Trim(node.Value, "\"`")
			}
			switch word {
			case "os.UserHomeDir", "os.UserConfigDir", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "APPDATA",
				"LOCALAPPDATA", "Application Support":
				if s.file == "engine/config/rules_typed.go" { // it knows the names of variables, not where they lead
					break
				}
				if s.pkg() == "engine/paths" {
					found = true
				} else {
					t.Errorf("%s: %s: only engine/paths may know this", s.fset.Position(node.Pos()), word)
				}
			}
			return true
		})
	}
	if !found {
		t.Error("nothing was found in engine/paths; the test looks at the wrong thing")
	}
}

// TestImportsOfProducts checks that only engine/config knows the pages from which users get programs.
func TestImportsOfProducts(t *testing.T) {
	found := false
	for _, s := range sources(t) {
		if s.isTest() {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			literal, ok := node.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			for _, product := range config.Products() {
				page, _ := strings.CutPrefix(product.Page, "https://")
				host, _, _ := strings.Cut(page, "/")
				switch {
				case !strings.Contains(literal.Value, host),
					strings.Contains(literal.Value, "https://nodejs.org/dist"): // the archive
				case s.file == "engine/config/products.go":
					found = true
				default:
					t.Errorf("%s: %s: only engine/config/products.go may know this", s.fset.Position(literal.Pos()), literal.Value)
				}
			}
			return true
		})
	}
	if !found {
		t.Error("nothing was found in engine/config/products.go; the test looks at the wrong thing")
	}
}

// TestImportsOfFileNotices checks that only engine/filewatch asks the system for file notifications.
func TestImportsOfFileNotices(t *testing.T) {
	users := map[string]bool{}
	for _, s := range sources(t) {
		if !s.isTest() && slices.Contains(s.imports(), "github.com/fsnotify/fsnotify") {
			users[s.pkg()] = true
		}
	}
	if len(users) != 1 || !users["engine/filewatch"] {
		t.Errorf("fsnotify is imported by %v", users)
	}
}

// TestImportsOfStdio checks that "stdio" does not depend on engine/manage: neither its package, nor the files
// of main that start it.
func TestImportsOfStdio(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", module+"/engine/assembly").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), module+"/engine/mcpserver\n") {
		t.Fatal("the engine is not among the dependencies; the test looks at the wrong thing")
	}
	for dep := range strings.Lines(string(out)) {
		if strings.HasPrefix(dep, module+"/"+manage) {
			t.Errorf("stdio depends on %s", dep)
		}
	}
	glue := map[string]bool{"main.go": true, "root.go": true, "signins.go": true, "stdio.go": true}
	for _, s := range sources(t) {
		if s.pkg() != "cmd/workbench-desktop" || !glue[path.Base(s.file)] {
			continue
		}
		delete(glue, path.Base(s.file))
		for _, imported := range s.imports() {
			if strings.HasPrefix(imported, module+"/"+manage) {
				t.Errorf("%s imports %s", s.file, imported)
			}
		}
	}
	if len(glue) > 0 {
		t.Errorf("the files %v do not exist", glue)
	}
}

// TestImportsOfHeadless checks that the headless build needs neither Fyne nor cgo, and that it stays small.
func TestImportsOfHeadless(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-tags", "headless", ".")
	list.Env = append(list.Environ(), "CGO_ENABLED=0")
	out, err := list.CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	if !strings.Contains(string(out), module+"/engine/mcpserver") {
		t.Fatal("the engine is not among the dependencies; the test looks at the wrong thing")
	}
	for dep := range strings.Lines(string(out)) {
		if strings.HasPrefix(dep, "fyne.io/") || strings.HasPrefix(dep, module+"/app") {
			t.Errorf("the headless build depends on %s", dep)
		}
		if strings.TrimSpace(dep) == "github.com/nicksnyder/go-i18n/v2/i18n" {
			t.Errorf("the headless build depends on %s: the linker then keeps every exported method (3.4 of 17.9 MB when "+
				"measured), "+
				"because text/template looks methods up by name. text/template/parse alone, which reads the same templates, "+
				"does not", strings.TrimSpace(dep))
		}
	}
}

// TestPicturesAreDecodedInOnePlace checks that only "Try it" decodes pictures of servers. image.Decode and Fyne use
// every decoder that any library of the program has registered, and some of them need gigabytes for a few bytes.
func TestPicturesAreDecodedInOnePlace(t *testing.T) {
	const place = "app/tryit/picture.go"
	const own = "cmd/workbench-desktop/message_windows.go" // the picture is ours
	found := false
	for _, s := range sources(t) {
		if s.isTest() || !(strings.HasPrefix(s.file, "engine/") || strings.HasPrefix(s.file, "app/") ||
			strings.HasPrefix(s.file, "cmd/")) || s.pkg() == "app/kit/drawn" {
			continue
		}
		ast.Inspect(s.ast, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch name := exprName(selector); name {
			case "png.Decode", "jpeg.Decode", "gif.Decode", "gif.DecodeAll", "webp.Decode":
				found = found || s.file == place
				if s.file != place && s.file != own {
					t.Errorf("%s: %s: only %s may decode pictures", s.fset.Position(node.Pos()), name, place)
				}
			case "image.Decode", "image.DecodeConfig", "image.RegisterFormat", "canvas.NewImageFromFile",
				"canvas.NewImageFromURI", "canvas.NewImageFromReader",
				"fyne.LoadResourceFromPath", "fyne.LoadResourceFromURLString", "widget.NewRichTextFromMarkdown":
				t.Errorf("%s: %s decodes every format that a library has registered", s.fset.Position(node.Pos()), name)
			}
			return true
		})
	}
	if !found {
		t.Errorf("nothing was found in %s; the test looks at the wrong thing", place)
	}
}
