package app

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// TestTextsAreTranslatable checks that the file of English texts has every text of the window and no other, so that translators can start from it.
// Texts with a count must have both forms.
func TestTextsAreTranslatable(t *testing.T) {
	data, err := assets.Translations.ReadFile("translations/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	used := usedTexts(t)
	for _, text := range append(fynesTexts(), "format.quoted") { // the marks of the window: see words.Quoted
		used[text] = false
	}
	if len(used) < 100 {
		t.Fatalf("found only %d texts in the source; the test looks in the wrong place", len(used))
	}
	for text, counts := range used {
		entry, ok := kept[text]
		if !ok {
			t.Errorf("assets/translations/en.json lacks %q", text)
			continue
		}
		forms, plural := entry.(map[string]any)
		if plural != counts {
			t.Errorf("%q: has forms for numbers is %v in en.json, and %v in the source", text, plural, counts)
		}
		if counts && (forms["one"] == nil || forms["other"] == nil) {
			t.Errorf("%q needs the forms \"one\" and \"other\"", text)
		}
	}
	for text := range kept {
		if _, ok := used[text]; !ok {
			t.Errorf("assets/translations/en.json has %q, which nothing shows", text)
		}
	}
}

// fynesTexts returns the texts of Fyne that the window shows: those of the menu of a text field, the file dialogs and the menu of macOS.
func fynesTexts() []string {
	return []string{
		"Cancel", "Copy", "Create Folder", "Cut", "Enter filename", "File", "Folder", "New Folder", "OK", "Open", "Paste", "Quit",
		"Redo", "Save", "Select all", "Show Hidden Files", "Undo", "file.name", "file.parent",
	}
}

// usedTexts returns the texts that are passed to lang.L and lang.N, and whether they have a count.
func usedTexts(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
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
			if pkg, ok := function.X.(*ast.Ident); !ok || pkg.Name != "lang" || (function.Sel.Name != "L" && function.Sel.Name != "N") {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: lang.%s is given something else than a text as it stands", path, function.Sel.Name)
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			used[text] = function.Sel.Name == "N"
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

// Keys have other names on a Mac, so texts have a placeholder for them, which [kit.Keys] fills.
func TestTextsDoNotNameKeys(t *testing.T) {
	for text := range usedTexts(t) {
		if strings.Contains(text, "Ctrl") && strings.Contains(strings.ReplaceAll(text, ", ", ""), " ") {
			t.Errorf("%q names keys; give it kit.Keys", text)
		}
	}
}
