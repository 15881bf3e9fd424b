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

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a check.
const (
	maxChecked  = 5000   // values in a schema; the time to compile it grows with the square of that
	maxSteps    = 50_000 // schemas visited in one check
	maxDigits   = 40     // of a number in a schema or in arguments, its exponent included
	maxPattern  = 2000   // bytes of a pattern
	maxProblems = 50     // reported by one check
)

// checker validates arguments against a schema.
type checker struct {
	mu     sync.Mutex
	schema *jsonschema.Schema
	steps  int
}

// errSteps ends a check that takes too many steps.
const errSteps = words.Code("toolform.too_many_steps")

// noLoader refuses to load schemas from elsewhere.
type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, words.Code("toolform.other_document") }

// anything stands for a pattern that Go does not support. It matches every text.
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

// Validate counts a step. The library calls it for each schema that it visits.
func (c *checker) Validate(*jsonschema.ValidatorContext, any) {
	if c.steps++; c.steps > maxSteps {
		panic(errSteps)
	}
}

// newChecker compiles the check of a schema. If that is not possible, it returns nil.
func newChecker(root *jsonc.Node) (compiled *checker) {
	if size(root) > maxChecked {
		return nil
	}
	if hugeNumber(root) {
		return nil
	}
	c := &checker{}
	defer func() {
		if recover() != nil {
			compiled = nil
		}
	}()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(root.Compact()))
	if err != nil {
		return nil
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
		return nil
	}
	if c.schema, err = compiler.Compile(address); err != nil {
		return nil
	}
	return c
}

// knownDialect reports whether "$schema" names a known version of JSON Schema. Any other version would have
// to be fetched.
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

// hugeNumber reports whether the schema or arguments have a number that takes much memory to compare.
func hugeNumber(n *jsonc.Node) bool {
	if n.Kind == jsonc.Number {
		if len(n.Raw()) > maxDigits {
			return true
		}
		if at := strings.IndexAny(n.Raw(), "eE"); at >= 0 {
			exponent, err := strconv.Atoi(n.Raw()[at+1:])
			return err != nil || exponent > 400 || exponent < -400
		}
	}
	return slices.ContainsFunc(n.Children, hugeNumber)
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
		// The schema comes from the server. If the library panics, nothing is reported but missing members.
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
	if !slices.ContainsFunc(r.problems, func(p Problem) bool {
		return p.Value == v && p.Missing == missing && p.Message.Equal(message)
	}) {
		r.problems = append(r.problems, problem)
	}
}

// sort orders the problems as in the form, since the library visits members in random order.
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

// find returns the value at a place of the arguments, or the nearest value around it if the form is less
// deep.
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
				r.say(v, words.New("toolform.needs", "Name", words.Quoted(cut(name))), true)
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

// collectBranch reports problems if no branch fits: those of the branch that the user has chosen.
func (r *reporter) collectBranch(e *jsonschema.ValidationError, v *Value) {
	causes := e.Causes
	if union := r.union(e.InstanceLocation); union != nil && union.Branch != nil {
		chosen := slices.DeleteFunc(slices.Clone(causes), func(cause *jsonschema.ValidationError) bool {
			return !slices.ContainsFunc(union.Branch.Field.branch, func(i int) bool {
				place, inside := strings.CutPrefix(cause.SchemaURL,
					e.SchemaURL+"/"+strings.Join(e.ErrorKind.KeywordPath(), "/")+"/"+strconv.Itoa(i))
				return inside && (place == "" || place[0] == '/')
			})
		})
		if len(chosen) > 0 {
			causes = chosen
		}
	}
	if len(causes) > 1 {
		// If a value may be text or null and the text is too short, only the length is reported.
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

// union returns the union at a place, not the chosen alternative.
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

// leaf returns the single cause of a violation, if it has only one.
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

// eitherNeeded returns which members are needed, if the branches require nothing else.
func eitherNeeded(causes []*jsonschema.ValidationError) words.Text {
	var names words.Text
	for _, cause := range causes {
		required, ok := leaf(cause).ErrorKind.(*kind.Required)
		if !ok {
			return words.Text{}
		}
		quoted := make([]words.Text, len(required.Missing))
		for i, name := range required.Missing {
			quoted[i] = words.Quoted(cut(name))
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
