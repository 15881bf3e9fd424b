package app

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

// TestSentencesAreWhole finds sentences that are put together from parts, which cannot be translated: the order of
// their parts and the endings of their words are others in other languages. A text of the window may get a name, a
// number, a time or a whole sentence for its placeholder, but no other text, and nothing is added to a text with "+".
func TestSentencesAreWhole(t *testing.T) {
	parts := sentenceParts{speak: map[string]bool{}, files: map[string]*ast.File{}, set: token.NewFileSet()}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{"e2e", "kit/bykeys", "kit/drawn", "kit/kittest"}, path):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		parts.files[path], err = parser.ParseFile(parts.set, path, nil, parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for learned := true; learned; {
		learned = parts.learn()
	}
	if !parts.speak["live.ToolCount"] || !parts.speak["clients.InstallOne"] {
		t.Fatalf("the test does not know which functions return texts: %v", parts.speak)
	}
	for path, file := range parts.files {
		for _, found := range parts.of(path, file) {
			t.Error(found)
		}
	}
}

// fit returns the functions whose texts may be in the place of a placeholder: names, numbers, times and whole
// sentences.
func fit() []string {
	return []string{
		"kit.SayList", "kit.Quote", "kit.Number", "kit.Decimal", "kit.Bytes", "kit.Duration", "kit.Clock", "kit.Moment",
		"kit.Seconds", "kit.Precise", "live.Clock", "live.Names", "live.span", "usage.milliseconds", "toolboxes.roughly",
		"runtimes.megabytes", "kit.Sentence", "kit.ErrorSentence", "kit.SayError", "live.ClientName",
		"editor.short",                                // a value, or that there is none
		"approving.approveWord", "approving.backWord", // names of buttons
	}
}

// passes returns the functions whose texts are what they are given, perhaps cut.
func passes() []string {
	return []string{"kit.Line", "kit.Cut", "kit.Beginning", "kit.Capital", "kit.Ended", "cmp.Or"}
}

// sentenceParts looks for texts in other texts.
type sentenceParts struct {
	speak map[string]bool // the functions that return texts of the window, such as "live.ToolCount"
	files map[string]*ast.File
	set   *token.FileSet
}

// learn finds functions that return texts, and reports whether it has found new ones.
func (p *sentenceParts) learn() (learned bool) {
	for path, file := range p.files {
		for _, declared := range file.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok || function.Recv != nil || function.Body == nil {
				continue
			}
			name := packageOf(path) + "." + function.Name.Name
			if p.speak[name] || slices.Contains(fit(), name) {
				continue
			}
			ast.Inspect(function.Body, func(node ast.Node) bool {
				if _, inner := node.(*ast.FuncLit); inner {
					return false
				}
				if result, ok := node.(*ast.ReturnStmt); ok && slices.ContainsFunc(result.Results, func(e ast.Expr) bool {
					return p.text(path, nil, e)
				}) {
					p.speak[name], learned = true, true
				}
				return true
			})
		}
	}
	return learned
}

func packageOf(path string) string {
	if folder := filepath.Base(filepath.Dir(path)); folder != "." {
		return folder
	}
	return "app"
}

// called returns the name of a function that is called, with its package.
func called(path string, call *ast.CallExpr) string {
	switch function := call.Fun.(type) {
	case *ast.Ident:
		return packageOf(path) + "." + function.Name
	case *ast.SelectorExpr:
		if of, ok := function.X.(*ast.Ident); ok {
			return of.Name + "." + function.Sel.Name
		}
	}
	return ""
}

// text reports whether an expression is a text of the window that does not fit into another. in is the function that
// has the expression; nil if its variables do not matter.
func (p *sentenceParts) text(path string, in ast.Node, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.text(path, in, e.X)
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (p.text(path, in, e.X) || p.text(path, in, e.Y))
	case *ast.Ident:
		return in != nil && slices.ContainsFunc(assigned(in, e.Name), func(e ast.Expr) bool { return p.text(path, nil, e) })
	case *ast.CallExpr:
		name := called(path, e)
		switch {
		case name == "kit.Say":
			inner, ok := e.Args[0].(*ast.CallExpr)
			return !ok || !strings.HasPrefix(called(path, inner), "words.")
		case slices.Contains(passes(), name):
			return slices.ContainsFunc(e.Args, func(e ast.Expr) bool { return p.text(path, in, e) })
		}
		return name == "lang.L" || name == "lang.N" || p.speak[name]
	}
	return false
}

// adds reports whether an expression is a text of the window beside another text. A sign before a text, or a name and
// a colon, are none.
func (p *sentenceParts) adds(path string, e *ast.BinaryExpr) bool {
	texts, joined := 0, false
	var count func(e ast.Expr)
	count = func(e ast.Expr) {
		switch e := e.(type) {
		case *ast.BinaryExpr:
			count(e.X)
			count(e.Y)
		case *ast.BasicLit:
			joined = joined || e.Value == `" "` || e.Value == `". "`
		default:
			if p.text(path, nil, e) {
				texts++
			}
		}
	}
	count(e)
	return e.Op == token.ADD && (texts > 1 || texts > 0 && joined)
}

// assigned returns what a variable gets in a function.
func assigned(in ast.Node, name string) []ast.Expr {
	var all []ast.Expr
	ast.Inspect(in, func(node ast.Node) bool {
		if assign, ok := node.(*ast.AssignStmt); ok && len(assign.Lhs) == len(assign.Rhs) {
			for i, to := range assign.Lhs {
				if to, ok := to.(*ast.Ident); ok && to.Name == name {
					all = append(all, assign.Rhs[i])
				}
			}
		}
		return true
	})
	return all
}

// of returns what is wrong in a file.
func (p *sentenceParts) of(path string, file *ast.File) []string {
	var found []string
	complain := func(at ast.Node, why string) { found = append(found, p.set.Position(at.Pos()).String()+": "+why) }
	for _, declared := range file.Decls {
		ast.Inspect(declared, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CompositeLit:
				if kind, ok := node.Type.(*ast.MapType); !ok || !isAny(kind.Value) {
					return true
				}
				for _, element := range node.Elts {
					if pair, ok := element.(*ast.KeyValueExpr); ok && p.text(path, declared, pair.Value) {
						complain(pair, "a text gets another text for its placeholder; write whole sentences")
					}
				}
			case *ast.AssignStmt:
				if node.Tok == token.ADD_ASSIGN && p.text(path, nil, node.Rhs[0]) {
					complain(node, "a text is added to another; use kit.Together for sentences, kit.Facts for facts")
				}
				if at, ok := node.Lhs[0].(*ast.IndexExpr); ok && len(node.Rhs) == 1 && p.text(path, nil, node.Rhs[0]) {
					if key, ok := at.Index.(*ast.BasicLit); ok && key.Kind == token.STRING {
						complain(node, "a text gets another text for its placeholder; write whole sentences")
					}
				}
			case *ast.BinaryExpr:
				if p.adds(path, node) {
					complain(node, "a text is added to another; use kit.Together for sentences, kit.Facts for facts")
					return false
				}
			case *ast.BasicLit:
				if text := strings.Trim(node.Value, "\"`"); (text == " · " || text == " › ") && packageOf(path) != "kit" {
					complain(node, "use kit.Facts or kit.Way")
				}
			}
			return true
		})
	}
	slices.Sort(found)
	return found
}

func isAny(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "any"
}
