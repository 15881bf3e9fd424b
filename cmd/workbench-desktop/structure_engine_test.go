package main

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// What a type of the engine may have, fields and methods, those of embedded types included. A type that has more owns
// several things.
const (
	mostFields  = 20
	mostMethods = 40
)

// size is how many fields and methods a type has.
type size struct{ fields, methods int }

// tooLarge lists the types of the engine that have more, with the most that they may have. The list and its numbers
// only get smaller.
var tooLarge = map[string]size{
	// Rows of tables, messages and what tests are made of: they are only filled in and read.
	"client.Client":                {35, 0},
	"downstream/fakeserver.Script": {61, 0},
	"ipc.message":                  {22, 0},
	"manage/apps/clients.Client":   {35, 0},
	"signin/fakeservice.Service":   {46, 0},
}

// TestEngineTypesOwnOneThing checks that types of the engine are small enough to be read at once.
func TestEngineTypesOwnOneThing(t *testing.T) {
	var pkgs []string
	for _, s := range sources(t) {
		if strings.HasPrefix(s.file, "engine/") && !s.isTest() && !slices.Contains(pkgs, s.pkg()) {
			pkgs = append(pkgs, s.pkg())
		}
	}
	count := 0
	found := map[string]size{}
	for _, p := range typedPackages(t, pkgs...) {
		for _, name := range p.Scope().Names() {
			of, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || of.IsAlias() {
				continue
			}
			count++
			has := size{fieldsOf(of.Type(), map[types.Type]bool{}), methodsOf(of.Type())}
			if has.fields > mostFields || has.methods > mostMethods {
				found[strings.TrimPrefix(p.Path(), "engine/")+"."+name] = has
			}
		}
	}
	if count < 500 {
		t.Errorf("only %d types were found; the test looks at the wrong thing", count)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if has, most := found[name], tooLarge[name]; has.fields > max(most.fields, mostFields) ||
			has.methods > max(most.methods, mostMethods) {
			t.Errorf("%s has %d fields and %d methods, want %d and %d at most; give what it owns to types of its own", name,
				has.fields, has.methods,
				max(most.fields, mostFields), max(most.methods, mostMethods))
		}
	}
	for name := range tooLarge {
		if _, ok := found[name]; !ok {
			t.Errorf("%s is small enough, or gone: take it out of the list", name)
		}
	}
}

// fieldsOf returns how many fields a type has, those of embedded structs of ours included.
func fieldsOf(of types.Type, passed map[types.Type]bool) int {
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	if named, ok := of.(*types.Named); ok && named.Obj().Pkg() == nil {
		return 1
	}
	fields, ok := of.Underlying().(*types.Struct)
	if !ok || passed[of] {
		return 1
	}
	passed[of] = true
	n := 0
	for i := range fields.NumFields() {
		if field := fields.Field(i); field.Embedded() && ours(field.Type()) {
			n += fieldsOf(field.Type(), passed)
		} else {
			n++
		}
	}
	return n
}

// methodsOf returns how many methods a type has, those of embedded types of ours included. Interfaces are not counted:
// what implements them is.
func methodsOf(of types.Type) int {
	if types.IsInterface(of) {
		return 0
	}
	n := 0
	methods := types.NewMethodSet(types.NewPointer(of))
	for i := range methods.Len() {
		if pkg := methods.At(i).Obj().Pkg(); pkg != nil &&
			(strings.HasPrefix(pkg.Path(), module) || strings.HasPrefix(pkg.Path(), "engine/")) {
			n++
		}
	}
	return n
}

// ours reports whether a type is declared in this repository.
func ours(of types.Type) bool {
	if pointer, ok := of.(*types.Pointer); ok {
		of = pointer.Elem()
	}
	named, ok := of.(*types.Named)
	return ok && named.Obj().Pkg() != nil &&
		(strings.HasPrefix(named.Obj().Pkg().Path(), module) || strings.HasPrefix(named.Obj().Pkg().Path(), "engine/"))
}

// TestEngineFilesPointDown checks that the files of a package can be put into an order in which nearly all of them use
// only files before them.
func TestEngineFilesPointDown(t *testing.T) {
	for pkg, most := range map[string]int{
		"engine/toolbox":    15,
		"engine/downstream": 14,
		"engine/mcpserver":  9,
	} {
		uses := namesBetweenFiles(t, pkg)
		order := orderOf(uses)
		var up []string
		arrows := 0
		for from, of := range uses {
			for to, names := range of {
				arrows++
				if slices.Index(order, to) > slices.Index(order, from) {
					up = append(up, from+" uses "+strings.Join(slices.Sorted(slices.Values(names)), ", ")+" of "+to)
				}
			}
		}
		t.Logf("%s: %d of %d arrows run back up; the order is %v", pkg, len(up), arrows, order)
		if len(up) > most {
			t.Errorf("%s: %d of %d uses run against the order %v, want %d at most:\n%s", pkg, len(up), arrows, order, most,
				strings.Join(slices.Sorted(slices.Values(up)), "\n"))
		}
	}
}

// orderOf returns files in an order in which few use one that comes later. The least number is hard to find; moving
// each file to its best place, again and again, comes close.
func orderOf(uses map[string]map[string][]string) []string {
	order := slices.Sorted(maps.Keys(uses))
	slices.SortStableFunc(order, func(a, b string) int { return len(uses[a]) - len(uses[b]) })
	for moved := true; moved; {
		moved = false
		for _, file := range slices.Clone(order) {
			rest := slices.DeleteFunc(slices.Clone(order), func(other string) bool { return other == file })
			here := slices.Index(order, file)
			// With the file first, all that it uses comes later. Each step past another file changes that.
			cost, costs := len(uses[file]), make([]int, len(rest)+1)
			costs[0] = cost
			for i, other := range rest {
				if uses[file][other] != nil {
					cost--
				}
				if uses[other][file] != nil {
					cost++
				}
				costs[i+1] = cost
			}
			if best := slices.Index(costs, slices.Min(costs)); costs[best] < costs[here] {
				order = slices.Insert(rest, best, file)
				moved = true
			}
		}
	}
	return order
}
