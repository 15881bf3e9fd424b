package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// TestNoHiddenState checks rule 2: no init functions and no package-level variables that change.
func TestNoHiddenState(t *testing.T) {
	files := sources(t)
	changed := map[string]bool{}
	for _, s := range files {
		if !s.isTest() {
			noteChanges(s, changed)
		}
	}
	for _, s := range files {
		if s.isTest() || strings.HasPrefix(s.file, "assets/gen/") {
			continue
		}
		for _, decl := range s.ast.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Recv == nil && decl.Name.Name == "init" {
					t.Errorf("%s: an init function", s.fset.Position(decl.Pos()))
				}
			case *ast.GenDecl:
				if decl.Tok != token.VAR {
					continue
				}
				for _, spec := range decl.Specs {
					variable := spec.(*ast.ValueSpec)
					name := variable.Names[0].Name
					if name != "_" && changed[s.pkg()+" "+name] || !constant(decl, variable) {
						t.Errorf("%s: package-level variable %s may change", s.fset.Position(variable.Pos()), variable.Names[0])
					}
				}
			}
		}
	}
}

// noteChanges collects, as "package name", the variables that are assigned to or whose address is taken. It includes
// local variables of the same name; an extra name does no harm.
func noteChanges(s source, changed map[string]bool) {
	note := func(expr ast.Expr) {
		for {
			switch e := expr.(type) {
			case *ast.IndexExpr:
				expr = e.X
			case *ast.SelectorExpr:
				expr = e.X
			case *ast.StarExpr:
				expr = e.X
			case *ast.Ident:
				changed[s.pkg()+" "+e.Name] = true
				return
			default:
				return
			}
		}
	}
	ast.Inspect(s.ast, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			if node.Tok != token.DEFINE {
				for _, expr := range node.Lhs {
					note(expr)
				}
			}
		case *ast.IncDecStmt:
			note(node.X)
		case *ast.UnaryExpr:
			if node.Op == token.AND {
				note(node.X)
			}
		}
		return true
	})
}

// commented reports whether a line of a comment begins with a text.
func commented(group *ast.CommentGroup, begins string) bool {
	return group != nil && slices.ContainsFunc(group.List, func(c *ast.Comment) bool {
		return strings.HasPrefix(c.Text, begins)
	})
}

// constant reports whether a package-level variable that is never assigned to is a variable only because Go has no
// constants of its type: errors, patterns, embedded files, tables, values that are computed once, and pools of scratch
// memory.
func constant(decl *ast.GenDecl, variable *ast.ValueSpec) bool {
	if variable.Names[0].Name == "_" {
		return true
	}
	if commented(decl.Doc, "//go:embed ") || commented(variable.Doc, "//go:embed ") {
		return true
	}
	if len(variable.Values) != 1 {
		return false
	}
	switch value := variable.Values[0].(type) {
	case *ast.BasicLit: // the linker sets it
		return commented(decl.Doc, "// -X main.")
	case *ast.CallExpr:
		switch name := exprName(value.Fun); name {
		case "errors.New", "fmt.Errorf", "lazyregexp.New", "strings.NewReplacer", "sync.OnceValue", "sync.OnceValues",
			".NewProc": // of a system DLL
			return true
		}
		if _, conversion := value.Fun.(*ast.ArrayType); conversion {
			return true
		}
	case *ast.UnaryExpr:
		table, isTable := value.X.(*ast.CompositeLit)
		return isTable && slices.Contains([]string{"Shape", "entry"}, exprName(table.Type)) // tables of engine/definition
	case *ast.CompositeLit:
		switch value.Type.(type) {
		case *ast.ArrayType: // unlike a map, the compiler writes it into the program
			return true
		}
		switch exprName(value.Type) {
		case "sync.Pool", "Rule", "style": // rules and styles are tables with functions in them
			return true
		}
	}
	return false
}
