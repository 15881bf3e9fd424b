package kit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// spaced has the functions that take spaces, and the range of these arguments; its end is not included.
var spaced = map[string][2]int{
	"Row": {0, 1}, "Column": {0, 1}, "NewFlow": {0, 1}, "NewPair": {0, 1}, "NewShared": {1, 2}, "NewCentred": {1, 2},
	"Inset": {1, 3}, "InsetSides": {1, 5},
}

// Screens use the names in space.go for spaces, not numbers.
func TestSpacesHaveNames(t *testing.T) {
	// These files still have numbers.
	left := []string{"../editor/", "../detail/", "../saving/", "../leaving.go", "../tools/detail.go", "../tryit/form.go", "../tryit/groups.go", "../tryit/controls.go"}
	files, calls := token.NewFileSet(), 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../e2e/") ||
			slices.ContainsFunc(left, func(still string) bool { return strings.HasPrefix(path, still) }) {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			function, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pack, ok := function.X.(*ast.Ident); !ok || pack.Name != "kit" {
				return true
			}
			arguments, ok := spaced[function.Sel.Name]
			if !ok {
				return true
			}
			calls++
			for _, argument := range call.Args[arguments[0]:min(arguments[1], len(call.Args))] {
				if sign, ok := argument.(*ast.UnaryExpr); ok {
					argument = sign.X
				}
				if number, ok := argument.(*ast.BasicLit); ok && number.Value != "0" {
					t.Errorf("%s: kit.%s has the number %s for a space; use a name of space.go", files.Position(number.Pos()), function.Sel.Name, number.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if calls < 100 {
		t.Errorf("found only %d calls; the test looks in the wrong place", calls)
	}
}
