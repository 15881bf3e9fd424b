package words_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/template"
	"text/template/parse"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// use is one use of a sentence in the source code.
type use struct {
	at   token.Position
	code string
	args []string // sorted; nil if only the code is named

	quotes bool // an argument is quoted as Go quotes
}

// TestSourceAndWordsAgree checks that each code in the source code is in the English files with exactly its
// arguments, and that each code in the files is used in the source code.
func TestSourceAndWordsAgree(t *testing.T) {
	kept := englishWords(t)
	uses, literals := source(t)
	if len(uses) == 0 {
		t.Fatal("no sentence found; the test looks in the wrong place")
	}
	for _, use := range uses {
		args, ok := kept[use.code]
		switch {
		case !ok:
			t.Errorf("%s: assets/translations has no words for %s", use.at, use.code)
		case use.args != nil && !slices.Equal(args, use.args):
			t.Errorf("%s: %s is given %q, and its words name %q", use.at, use.code, use.args, args)
		}
	}
	for code := range kept {
		// TestHelpWords and TestCatalogueWords check these.
		made := strings.HasPrefix(code, "catalogue.server.") || strings.HasPrefix(code, "catalogue.topic.") ||
			regexp.MustCompile(`^help\..*\.(args|short|long|example)$`).MatchString(code)
		if !literals[code] && !made {
			t.Errorf("assets/translations has a text for %s, which no code uses", code)
		}
	}
}

// englishWords returns the arguments of each code, sorted, after it has checked the form of the files.
func englishWords(t *testing.T) map[string][]string {
	t.Helper()
	kept := map[string][]string{}
	files, err := fs.Glob(assets.Words, "translations/*.en.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		data, err := assets.Words.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := i18n.ParseMessageFileBytes(data, name, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		area, _, _ := strings.Cut(path.Base(name), ".")
		for _, m := range file.Messages {
			if !regexp.MustCompile(`^` + area + `(\.[a-z0-9_-]+)+$`).MatchString(m.ID) {
				t.Errorf("%s: the code %s is not %s.NAME in small letters", name, m.ID, area)
			}
			if _, twice := kept[m.ID]; twice {
				t.Errorf("%s: %s is there twice", name, m.ID)
			}
			if m.Other == "" {
				t.Errorf("%s: %s has no words", name, m.ID)
			}
			if !regexp.MustCompile(`^([^{]|\{[^{]|\{$|\{\{(\.[A-Z]\w*|if \.[A-Z]\w*|else|end)\}\})*$`).MatchString(m.One +
				m.Other) {
				t.Errorf("%s: %s has more in braces than {{.Name}}, {{if .Name}}, {{else}} and {{end}}", name, m.ID)
			}
			kept[m.ID] = placeholders(t, m.ID, m.One, m.Other)
			if (m.One != "") != slices.Contains(kept[m.ID], "Count") {
				t.Errorf("%s: %s must have forms for numbers, or none and no {{.Count}}", name, m.ID)
			}
		}
	}
	return kept
}

// placeholders returns the names that the templates use, sorted.
func placeholders(t *testing.T, code string, forms ...string) []string {
	t.Helper()
	var names []string
	for _, form := range forms {
		parsed, err := template.New(code).Parse(form)
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if parsed.Tree != nil {
			names = append(names, fields(parsed.Root)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// fields returns the names of the fields in a template.
func fields(node parse.Node) []string {
	var names []string
	list := func(nodes *parse.ListNode) {
		if nodes != nil {
			names = append(names, fields(nodes)...)
		}
	}
	switch node := node.(type) {
	case *parse.ListNode:
		for _, inner := range node.Nodes {
			names = append(names, fields(inner)...)
		}
	case *parse.ActionNode:
		names = fields(node.Pipe)
	case *parse.IfNode:
		names = fields(node.Pipe)
		list(node.List)
		list(node.ElseList)
	case *parse.PipeNode:
		for _, command := range node.Cmds {
			for _, arg := range command.Args {
				names = append(names, fields(arg)...)
			}
		}
	case *parse.FieldNode:
		names = node.Ident
	}
	return names
}

// source returns the sentences in the source code of the program, and all its string literals.
func source(t *testing.T) (uses []use, literals map[string]bool) {
	t.Helper()
	literals = map[string]bool{}
	for _, top := range []string{"app", "cmd", "engine"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(name string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules") {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return nil
			}
			fset := token.NewFileSet()
			file, err := parser.ParseFile(fset, name, nil, 0)
			if err != nil {
				return err
			}
			own := file.Name.Name == "words"
			ast.Inspect(file, func(node ast.Node) bool {
				switch node := node.(type) {
				case *ast.BasicLit:
					if text, err := strconv.Unquote(node.Value); err == nil && node.Kind == token.STRING {
						literals[text] = true
					}
				case *ast.CallExpr:
					if f, ok := node.Fun.(*ast.SelectorExpr); ok && top == "app" && f.Sel.Name == "English" &&
						fmt.Sprint(f.X) == "words" {
						t.Errorf("%s: this text is always in English; kit.Words() gives it in the language of the window",
							fset.Position(node.Pos()))
					}
					if code, args, ok := sentence(t, fset, node, own); ok {
						uses = append(uses, use{fset.Position(node.Pos()), code, args, quotesItself(node)})
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return uses, literals
}

// sentence returns the code and the argument names of a call of New or NewError whose code is a literal, or
// the code in a call of Code, Is or Find. Functions that pass on a code are skipped.
func sentence(t *testing.T, fset *token.FileSet, call *ast.CallExpr, own bool) (string, []string, bool) {
	t.Helper()
	var function string
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		if pkg, ok := f.X.(*ast.Ident); ok && pkg.Name == "words" {
			function = f.Sel.Name
		}
	case *ast.Ident:
		if own {
			function = f.Name
		}
	}
	place := map[string]int{"New": 0, "NewError": 0, "Code": 0, "Is": 1, "Find": 1}
	at, ok := place[function]
	if !ok || len(call.Args) <= at {
		return "", nil, false
	}
	code, ok := literal(call.Args[at])
	if !ok {
		return "", nil, false
	}
	if function != "New" && function != "NewError" {
		return code, nil, true
	}
	names := []string{}
	for i := 1; i < len(call.Args); i += 2 {
		name, ok := literal(call.Args[i])
		if !ok {
			t.Errorf("%s: the name of an argument of %s is not a literal", fset.Position(call.Args[i].Pos()), code)
		}
		names = append(names, name)
	}
	if len(call.Args)%2 == 0 {
		t.Errorf("%s: an argument of %s has no value", fset.Position(call.Pos()), code)
	}
	slices.Sort(names)
	return code, names, true
}

// quotesItself reports whether a call quotes something as Go does.
func quotesItself(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(call, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.SelectorExpr:
			found = found || fmt.Sprint(node.X) == "strconv" && strings.Contains(node.Sel.Name, "Quote")
		case *ast.BasicLit:
			found = found || node.Kind == token.STRING && strings.Contains(node.Value, "%q")
		}
		return !found
	})
	return found
}

func literal(expr ast.Expr) (string, bool) {
	basic, ok := expr.(*ast.BasicLit)
	if !ok || basic.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(basic.Value)
	return text, err == nil
}
