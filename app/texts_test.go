package app

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// TestTextsAreTranslatable checks that the file of English texts has every text of the window and no other, so that
// translators can start from it. Texts with a count must have both forms.
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
	for _, text := range append(fynesTexts(), "format.quoted") { // the quotation marks of the window: see words.Quoted
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

// TestTextsAreFew keeps the window from saying more and more: who adds a text looks for one that nobody needs.
func TestTextsAreFew(t *testing.T) {
	const most, mostWords = 950, 4900
	data, err := assets.Translations.ReadFile("translations/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	said := 0
	for _, text := range kept {
		if forms, ok := text.(map[string]any); ok {
			text = forms["other"]
		}
		said += len(strings.Fields(text.(string)))
	}
	if len(kept) > most || said > mostWords {
		t.Errorf("the window has %d texts with %d words; it may have %d with %d", len(kept), said, most, mostWords)
	}
}

// fynesTexts returns the texts of Fyne that the window shows: those of the menu of a text field, the file dialogs and
// the menu of macOS.
func fynesTexts() []string {
	return []string{
		"Cancel", "Copy", "Create Folder", "Cut", "Enter filename", "File", "Folder", "New Folder", "OK", "Open", "Paste",
		"Quit",
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
			if pkg, ok := function.X.(*ast.Ident); !ok || pkg.Name != "lang" ||
				(function.Sel.Name != "L" && function.Sel.Name != "N") {
				return true
			}
			text, ok := written(call.Args[0])
			if !ok {
				t.Errorf("%s: lang.%s needs a string literal", path, function.Sel.Name)
				return true
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

// written returns the text of a string literal, or of several with "+" between them.
func written(node ast.Node) (string, bool) {
	switch node := node.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(node.Value)
		return text, node.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		first, ok := written(node.X)
		second, okToo := written(node.Y)
		return first + second, ok && okToo && node.Op == token.ADD
	}
	return "", false
}

// Keys have other names on a Mac, so texts have a placeholder for them, which [kit.Keys] fills.
func TestTextsDoNotNameKeys(t *testing.T) {
	for text := range usedTexts(t) {
		if strings.Contains(text, "Ctrl") && strings.Contains(strings.ReplaceAll(text, ", ", ""), " ") {
			t.Errorf("%q names keys; give it kit.Keys", text)
		}
	}
}

// unshown returns sentences in the source that no window shows, by their folder or file.
func unshown() map[string][]string {
	return map[string][]string{
		// the format is a constant, and writing to a buffer does not fail
		"activity/export.go":   {"exporting calls: there is no format %q", "exporting calls: %w"},
		"app.go":               {"Workbench runs already", "Workbench runs already, but does not show its window: %w"},
		"detail/signin.go":     {"not asked"},
		"dock/objc":            {"looking for objc_msgSend in %s: %w", "looking for %s in %s: %w", "there is no class %s"},
		"engines/questions.go": {"method '%s' is not supported by this client"},
		// the names of edits in histories of older versions
		"file":           {"edit the text of the file", "repair the file", "found in the file"},
		"macos/macos.go": {"AI apps use it", "Bring All to Front"}, // for macOS, and as GLFW calls its menu
		"model/draft.go": {"what is in the file was chosen"},
		"model/preferences.go": {"it is empty", "reading the preferences in %s: %w",
			"saving the preferences in %s: %w"},
		"notify/presenter_unix.go":    {"finding out who shows notifications: %w"},
		"notify/presenter_windows.go": {"the program has no icon in the tray"}, // goes into the log
		// the English names of what is shown in the language of the window beside them
		"of_finder.go": {"Add server", "New toolbox", "Check my computer", "Pause all", "AI apps",
			"The text of the configuration file", "How AI apps get your tools", "Your computer", "Start at login",
			"Theme: light, dark"},
		"saving/saver.go":   {"something else was done since"},
		"toolboxes/cost.go": {"No description provided"}, // as models read it
		"tray/host_unix.go": {"there is no D-Bus session bus", "connecting to the session bus: %w"},
		"tryit/picture.go":  {"too big", "one too many", "too slow", "of no kind that can be shown"},
		"tryit/request.go": {"the params are not what elicitation/create takes", "the mode %s is not known",
			"requestedSchema is not an object with properties",
			// servers get these
			"requestedSchema has the field %s, which is not text, a number, a boolean or a choice",
			"the url is longer than %d bytes", "the url is not a web address"},
	}
}

// TestSentencesAreTranslated finds sentences in the source that are not passed to the translations, and single words
// that are given to what shows them. The made-up language finds the words that the scenes of its tests show; this
// finds those of states that no scene has.
func TestSentencesAreTranslated(t *testing.T) {
	sentence := regexp.MustCompile(`[A-Za-z]{2,},? [a-z]{2,}`)
	// functions whose texts are translated or go to the log
	said := []string{"L", "N", "X", "XN", "LogError", "Debug", "Info", "Warn", "Error", "Log", "panic"}
	word := regexp.MustCompile(`[A-Za-z]{2,}`)
	shows := []string{
		"NewText", "NewParagraph", "NewSelectable", "NewLabel", "NewButton", "NewButtonWithIcon", "NewMenuButton",
		"NewMenuItem", "NewCheck", "NewSwitch", "NewHyperlink", "NewMarked",
		"NewQuestion", "NewWideQuestion", "NewScrollingQuestion", "SetText", "SetPlaceHolder", "SetTitle", "SetStyle", "Set",
		"Say", "Ask", "Undoable",
	}
	left := unshown()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"e2e", "kit/bykeys", "kit/drawn", "kit/kittest"}, path): // for tests
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Field:
				return node.Tag == nil
			case *ast.CallExpr:
				var name string
				switch function := node.Fun.(type) {
				case *ast.SelectorExpr:
					name = function.Sel.Name
				case *ast.Ident:
					name = function.Name
				}
				for _, argument := range node.Args {
					if text, ok := argument.(*ast.BasicLit); ok && slices.Contains(shows, name) && word.MatchString(text.Value) {
						t.Errorf("%v: %s shows %s, which is not translated; pass it to lang.L", set.Position(text.Pos()), name,
							text.Value)
					}
				}
				return !slices.Contains(said, name)
			case *ast.BasicLit, *ast.BinaryExpr:
				text, ok := written(node)
				if !ok || !sentence.MatchString(text) {
					return true
				}
				for _, place := range []string{path, filepath.ToSlash(filepath.Dir(path))} {
					if slices.Contains(unshown()[place], text) {
						left[place] = slices.DeleteFunc(left[place], func(other string) bool { return other == text })
						return false
					}
				}
				t.Errorf("%v: %q is not translated; pass it to lang.L, or add it to unshown if no window shows it",
					set.Position(node.Pos()), text)
				return false
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for place, texts := range left {
		if len(texts) > 0 {
			t.Errorf("%s no longer has %q", place, texts)
		}
	}
}
