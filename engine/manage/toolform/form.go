package toolform

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits of a form. A larger form would not help anybody.
const (
	maxSchema  = 1 << 20 // bytes
	maxDepth   = 8       // of nested fields
	maxFields  = 400     // in total
	maxOptions = 500     // of one choice
	maxChoices = 20      // alternatives of one field
)

// Form describes the arguments of one tool. It is not changed after it was made, and is safe for concurrent
// use.
type Form struct {
	// Root is the whole form. It is usually KindObject, and KindRaw if the schema cannot be shown as a form.
	Root *Field

	// Silent is set if the schema says nothing about the arguments, so that callers must guess them.
	Silent bool

	// checker returns the checker. It is made when first needed, since that is slow for a large schema and a
	// list of tools does not need it. It is nil if values cannot be checked.
	checker func() *checker
}

// unchecked is the checker function of a form that has no checker.
func unchecked() *checker { return nil }

// Unchecked reports whether values cannot be checked against the schema although there is one. The first call of
// Unchecked or Check compiles the check, which takes 20 ms for a form with 400 fields.
func (f *Form) Unchecked() bool { return !f.Silent && f.checker() == nil }

// Parse makes a form from a schema, which may be any bytes. Nil and empty mean a tool without a schema.
func Parse(schema json.RawMessage) *Form {
	form := &Form{checker: unchecked}
	if len(schema) == 0 {
		form.Root, form.Silent = raw(), true
		return form
	}
	if len(schema) > maxSchema {
		form.Root = raw()
		return form
	}
	root, err := readNode(schema, true)
	if err != nil {
		form.Root = raw()
		return form
	}
	p := &parser{root: root, left: maxFields}
	form.Root = p.field(root, 0, nil)
	form.Silent = silent(root)
	if form.Silent {
		form.Root = raw()
	}
	form.Root.Name = ""
	form.checker = sync.OnceValue(func() *checker { return newChecker(root) })
	return form
}

// silent reports whether a schema says nothing about the arguments except that they are an object.
func silent(root *jsonc.Node) bool {
	if root.Is(jsonc.True) {
		return true
	}
	if !root.Is(jsonc.Object) {
		return false
	}
	for _, kid := range root.Children {
		switch kid.Key {
		case "type", "$schema", "$id", "title", "description", "$comment", "required":
			if kid.Key == "required" && len(kid.Children) > 0 {
				return false
			}
		case "additionalProperties":
			if kid.Is(jsonc.False) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// New returns an empty form with its defaults.
func (f *Form) New() *Value {
	v := f.Root.value()
	v.Set = true
	if f.Root.Kind == KindRaw && v.Text == "" {
		v.Text = "{}"
	}
	return v
}

// Fill returns the form filled with arguments, a JSON object. It loses nothing: [Form.Arguments] of the
// result are equivalent. If the arguments are not valid JSON, the error says why, in a sentence.
func (f *Form) Fill(arguments json.RawMessage) (*Value, error) {
	n, err := readNode(arguments, false)
	if err != nil {
		return nil, jsonError(arguments, err)
	}
	if n.Kind != jsonc.Object {
		return nil, words.Code("toolform.no_object")
	}
	return f.Root.fill(n), nil
}

// Arguments returns the filled form as JSON. If problems keep it from being JSON at all, such as letters in a
// number, it returns those and no arguments.
func (f *Form) Arguments(v *Value) (json.RawMessage, []Problem) {
	var problems []Problem
	v.syntax(&problems)
	if len(problems) > 0 {
		return nil, problems
	}
	return v.append(nil), nil
}

// Check validates the filled form against the schema. If there are no problems, the arguments can be written.
func (f *Form) Check(v *Value) []Problem {
	arguments, problems := f.Arguments(v)
	if len(problems) > 0 {
		return problems
	}
	if v.Field.Kind == KindRaw || v.Raw {
		if n, err := readNode(arguments, false); err == nil && n.Kind != jsonc.Object {
			return []Problem{{Value: v, Message: words.New("toolform.no_object")}}
		}
	}
	checker := f.checker()
	if checker == nil {
		return v.missing(nil)
	}
	problems = checker.check(arguments, v)
	// The schema may allow another form of the chosen value, in which nothing is missing.
	for _, missing := range v.missing(nil) {
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Value == missing.Value }) {
			problems = append(problems, missing)
		}
	}
	return problems
}

// CheckJSON validates arguments written as JSON. The problems have no Value; their messages name the place.
func (f *Form) CheckJSON(arguments json.RawMessage) []Problem {
	v, err := f.Fill(arguments)
	if err != nil {
		return []Problem{{Message: words.Of(err)}}
	}
	problems := f.Check(v)
	for i, problem := range problems {
		if place := problem.Value.place(v); place != "" {
			problems[i].Message = words.New("toolform.at", "Place", place, "What", problem.Message)
		}
		problems[i].Value = nil
	}
	return problems
}

// Problem is a mistake in the filled form.
type Problem struct {
	Value   *Value
	Message words.Text // a sentence, such as "This must be at least 1."
	Missing bool       // a required value is missing
}

func raw() *Field { return newField(KindRaw) }

// jsonError returns what is wrong with a JSON text, and where, in a sentence.
func jsonError(text []byte, err error) error {
	if errors.Is(err, errTooDeep) {
		return words.Code("toolform.too_deep")
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return words.Code("toolform.empty")
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return words.NewError("toolform.no_json_because", "Why", err)
	}
	offset := min(max(int(syntax.ByteOffset), 0), len(text))
	before := text[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	what := words.Foreign(strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	if errors.Is(syntax.Err, io.ErrUnexpectedEOF) {
		what = words.New("toolform.ends_early")
	}
	return words.NewError("toolform.no_json_at", "Line", line, "Column", column, "Why", what)
}
