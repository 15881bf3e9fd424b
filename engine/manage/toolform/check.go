package toolform

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Caps of what is checked.
const (
	maxChecked  = 5000   // values in a schema; making it ready takes the square of that
	maxSteps    = 50_000 // schemas visited in one check
	maxDigits   = 40     // of a number in a schema or in arguments, its exponent included
	maxPattern  = 2000   // bytes of a pattern
	maxProblems = 50     // shown of one check
)

// checker holds arguments against a schema.
type checker struct {
	mu     sync.Mutex
	schema *jsonschema.Schema
	steps  int
}

// errSteps ends a check that takes too long.
const errSteps = words.Code("toolform.too_many_steps")

// noLoader keeps schemas from being fetched from anywhere.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, words.Code("toolform.other_document") }

// anything is a pattern that Go doesn't know, which therefore is not checked.
type anything string

func (a anything) String() string        { return string(a) }
func (anything) MatchString(string) bool { return true }

func compilePattern(pattern string) (jsonschema.Regexp, error) {
	if len(pattern) > maxPattern {
		return anything(pattern), nil
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return anything(pattern), nil
	}
	return compiled, nil
}

// Validate counts a step. It is called for each schema that is visited.
func (c *checker) Validate(*jsonschema.ValidatorContext, any) {
	if c.steps++; c.steps > maxSteps {
		panic(errSteps)
	}
}

// newChecker prepares the check of a schema. Why is why that is not possible, then there is none.
func newChecker(root *node) (_ *checker, why words.Text) {
	if root.size() > maxChecked {
		return nil, words.New("toolform.schema_too_big")
	}
	if hugeNumber(root) {
		return nil, words.New("toolform.schema_number")
	}
	c := &checker{}
	defer func() {
		if recover() != nil {
			why = words.New("toolform.schema_invalid")
		}
	}()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(root.json()))
	if err != nil {
		return nil, words.New("toolform.schema_no_json")
	}
	if object, ok := document.(map[string]any); ok && !knownDialect(object["$schema"]) {
		delete(object, "$schema")
	}
	const address = "schema:///arguments.json"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	compiler.UseRegexpEngine(compilePattern)
	compiler.AssertFormat()
	compiler.RegisterVocabulary(&jsonschema.Vocabulary{URL: "schema:///steps",
		Compile: func(*jsonschema.CompilerContext, map[string]any) (jsonschema.SchemaExt, error) { return c, nil }})
	compiler.AssertVocabs()
	if err := compiler.AddResource(address, document); err != nil {
		return nil, words.New("toolform.schema_invalid")
	}
	if c.schema, err = compiler.Compile(address); err != nil {
		return nil, words.New("toolform.schema_invalid")
	}
	return c, words.Text{}
}

// knownDialect reports whether "$schema" names a version of JSON Schema; any other would have to be fetched.
func knownDialect(said any) bool {
	text, _ := said.(string)
	text = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSuffix(text, "#"), "https://"), "http://")
	switch text {
	case "json-schema.org/draft-04/schema", "json-schema.org/draft-06/schema", "json-schema.org/draft-07/schema",
		"json-schema.org/draft/2019-09/schema", "json-schema.org/draft/2020-12/schema":
		return true
	}
	return false
}

// hugeNumber reports whether there is a number that takes a lot of memory to compare.
func hugeNumber(n *node) bool {
	if n.kind == isNumber {
		if len(n.raw) > maxDigits {
			return true
		}
		if at := strings.IndexAny(n.raw, "eE"); at >= 0 {
			exponent, err := strconv.Atoi(n.raw[at+1:])
			return err != nil || exponent > 400 || exponent < -400
		}
	}
	return slices.ContainsFunc(n.kids, hugeNumber)
}

// check returns the problems of arguments, each with the value that it is about.
func (c *checker) check(arguments json.RawMessage, root *Value) (problems []Problem) {
	n, err := readNode(arguments, false)
	if err != nil || hugeNumber(n) {
		return root.missing(nil)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return root.missing(nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	defer func() {
		// The schema is the server's. A check that cannot be finished says nothing.
		if recover() != nil {
			problems = root.missing(nil)
		}
	}()
	c.steps = 0
	var invalid *jsonschema.ValidationError
	if !errors.As(c.schema.Validate(document), &invalid) {
		return nil
	}
	r := reporter{root: root}
	r.collect(invalid)
	r.sort()
	return r.problems
}

// reporter turns violations into problems.
type reporter struct {
	root     *Value
	problems []Problem
}

func (r *reporter) say(v *Value, message words.Text, missing bool) {
	if len(r.problems) >= maxProblems {
		return
	}
	problem := Problem{v, message, missing}
	if !slices.ContainsFunc(r.problems, func(p Problem) bool { return p.Value == v && p.Missing == missing && p.Message.Equal(message) }) {
		r.problems = append(r.problems, problem)
	}
}

// sort puts the problems in the order of the form; the check goes through members in no order.
func (r *reporter) sort() {
	order := map[*Value]int{}
	var number func(v *Value)
	number = func(v *Value) {
		order[v] = len(order)
		for _, list := range [][]*Value{v.Members, v.Items} {
			for _, part := range list {
				number(part)
			}
		}
		if v.Branch != nil {
			number(v.Branch)
		}
	}
	number(r.root)
	slices.SortStableFunc(r.problems, func(a, b Problem) int {
		if at := order[a.Value] - order[b.Value]; at != 0 {
			return at
		}
		return strings.Compare(a.Message.String(), b.Message.String())
	})
}

// find returns the value at a place of the arguments, or the one around it where the form goes no deeper.
func (r *reporter) find(location []string) *Value {
	v := r.root
	for _, token := range location {
		next := v.child(token)
		if next == nil {
			return v
		}
		v = next
	}
	for v.Field.Kind == KindUnion && v.Branch != nil && !v.Raw && !v.Null {
		v = v.Branch
	}
	return v
}

func (v *Value) child(token string) *Value {
	for v.Field.Kind == KindUnion && v.Branch != nil && !v.Raw && !v.Null {
		v = v.Branch
	}
	if v.Raw || v.Null {
		return nil
	}
	switch v.Field.Kind {
	case KindObject:
		for _, member := range v.Members {
			if member.Field.Name == token {
				return member
			}
		}
	case KindArray:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(v.Items) {
			return v.Items[i]
		}
	case KindMap:
		if i := slices.Index(v.Keys, token); i >= 0 {
			return v.Items[i]
		}
	}
	return nil
}

func (r *reporter) collect(e *jsonschema.ValidationError) {
	v := r.find(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			if member := v.child(name); member != nil {
				r.say(member, words.New("toolform.needed"), true)
			} else {
				r.say(v, words.New("toolform.needs", "Name", cut(strconv.Quote(name))), true)
			}
		}
		return
	case *kind.AnyOf:
		r.collectBranch(e, v)
		return
	case *kind.OneOf:
		if len(k.Subschemas) > 1 {
			r.say(v, words.New("toolform.several_shapes"), false)
			return
		}
		r.collectBranch(e, v)
		return
	case *kind.Contains, *kind.MinContains:
		r.say(v, words.New("toolform.lacks_entry"), false)
		return
	}
	if message := violated(e.ErrorKind); !message.IsZero() {
		r.say(v, message, false)
		return
	}
	for _, cause := range e.Causes {
		r.collect(cause)
	}
	if len(e.Causes) == 0 {
		r.say(v, words.New("toolform.no_fit"), false)
	}
}

// collectBranch reports what of several branches, none of which fits, is about the one that the user is in.
func (r *reporter) collectBranch(e *jsonschema.ValidationError, v *Value) {
	causes := e.Causes
	if union := r.union(e.InstanceLocation); union != nil && union.Branch != nil {
		chosen := slices.DeleteFunc(slices.Clone(causes), func(cause *jsonschema.ValidationError) bool {
			return !slices.ContainsFunc(union.Branch.Field.branch, func(i int) bool {
				place, inside := strings.CutPrefix(cause.SchemaURL, e.SchemaURL+"/"+strings.Join(e.ErrorKind.KeywordPath(), "/")+"/"+strconv.Itoa(i))
				return inside && (place == "" || place[0] == '/')
			})
		})
		if len(chosen) > 0 {
			causes = chosen
		}
	}
	if len(causes) > 1 {
		// Where a value may be text or null and is text that is too short, only the length is reported.
		near := slices.DeleteFunc(slices.Clone(causes), func(cause *jsonschema.ValidationError) bool {
			return len(leaf(cause).InstanceLocation) <= len(e.InstanceLocation) && wrongShape(leaf(cause))
		})
		if len(near) > 0 {
			causes = near
		}
	}
	if len(causes) == 1 {
		r.collect(causes[0])
		return
	}
	if message := eitherNeeded(causes); !message.IsZero() {
		r.say(v, message, true)
		return
	}
	r.say(v, words.New("toolform.no_shape"), false)
}

// union is the union at a place, not its branch.
func (r *reporter) union(location []string) *Value {
	v := r.root
	for _, token := range location {
		if v = v.child(token); v == nil {
			return nil
		}
	}
	if v.Field.Kind != KindUnion || v.Raw || v.Null {
		return nil
	}
	return v
}

// leaf is what a violation comes down to, when that is one thing.
func leaf(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(e.Causes) == 1 {
		e = e.Causes[0]
	}
	return e
}

func wrongShape(e *jsonschema.ValidationError) bool {
	switch e.ErrorKind.(type) {
	case *kind.Type, *kind.Const:
		return true
	}
	return false
}

// eitherNeeded says which members are needed, when that is all that the branches want.
func eitherNeeded(causes []*jsonschema.ValidationError) words.Text {
	var names words.Text
	for _, cause := range causes {
		required, ok := leaf(cause).ErrorKind.(*kind.Required)
		if !ok {
			return words.Text{}
		}
		quoted := make([]string, len(required.Missing))
		for i, name := range required.Missing {
			quoted[i] = cut(strconv.Quote(name))
		}
		if all := words.And(quoted...); names.IsZero() {
			names = all
		} else {
			names = words.New("toolform.list", "Items", names, "Next", all)
		}
	}
	if names.IsZero() {
		return names
	}
	return words.New("toolform.needs_one_of", "Names", names)
}
