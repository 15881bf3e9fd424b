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

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Caps of what a form is made from. A form beyond them would help nobody.
const (
	maxSchema  = 1 << 20 // bytes
	maxDepth   = 8       // of nested fields
	maxFields  = 400     // in all
	maxOptions = 500     // of one choice
	maxChoices = 20      // alternatives of one field
)

// Form is what the arguments of one tool look like. It is not changed once made, and may be used by many goroutines.
type Form struct {
	// Root is the whole: in most cases KindObject, KindRaw when the schema cannot be shown as a form.
	Root *Field

	// Silent is set when the schema says nothing about its arguments, so that callers must guess them.
	Silent bool

	// checker makes the checker when it is first needed: for a large schema that is the slowest part, and a list of tools does without.
	// why says why no checker can be made.
	checker func() (_ *checker, why words.Text)
}

// unchecked is the checker of a form that has none.
func unchecked(why words.Text) func() (*checker, words.Text) {
	return func() (*checker, words.Text) { return nil, why }
}

// Unchecked says why the values cannot be held against the schema; empty when they can. The first call of this or of Check makes
// the check ready, which takes 20 ms for a form of 400 fields.
func (f *Form) Unchecked() words.Text {
	_, why := f.checker()
	return why
}

// Parse makes a form of a schema, of whatever bytes that may be. Nil and empty stand for a tool without a schema.
func Parse(schema json.RawMessage) *Form {
	form := &Form{checker: unchecked(words.Text{})}
	if len(schema) == 0 {
		form.Root, form.Silent = raw(words.Text{}), true
		return form
	}
	if len(schema) > maxSchema {
		form.Root = raw(words.New("toolform.too_big"))
		form.checker = unchecked(words.New("toolform.schema_too_big"))
		return form
	}
	root, err := readNode(schema, true)
	if err != nil {
		form.Root = raw(words.New("toolform.no_json"))
		form.checker = unchecked(words.New("toolform.schema_no_json"))
		if errors.Is(err, errTooDeep) {
			form.Root = raw(words.New("toolform.too_deep"))
			form.checker = unchecked(words.New("toolform.schema_too_deep"))
		}
		return form
	}
	p := &parser{root: root, left: maxFields}
	form.Root = p.field(root, 0, nil)
	form.Silent = silent(root)
	if form.Silent {
		form.Root = raw(words.Text{})
	}
	form.Root.Name = ""
	form.checker = sync.OnceValues(func() (*checker, words.Text) { return newChecker(root) })
	return form
}

// silent reports whether a schema says nothing about the arguments but that they are an object.
func silent(root *node) bool {
	if root.is(isTrue) {
		return true
	}
	if !root.is(isObject) {
		return false
	}
	for i, name := range root.names {
		switch name {
		case "type", "$schema", "$id", "title", "description", "$comment", "required":
			if name == "required" && len(root.kids[i].kids) > 0 {
				return false
			}
		case "additionalProperties":
			if root.kids[i].is(isFalse) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// New returns an empty form, with its defaults.
func (f *Form) New() *Value {
	v := f.Root.value()
	v.Set = true
	if f.Root.Kind == KindRaw && v.Text == "" {
		v.Text = "{}"
	}
	return v
}

// Fill returns the form filled with arguments, a JSON object. It loses nothing: [Form.Arguments] of the result mean the same. The
// error says what is not right about the arguments as JSON, as the rest of a sentence.
func (f *Form) Fill(arguments json.RawMessage) (*Value, error) {
	n, err := readNode(arguments, false)
	if err != nil {
		return nil, jsonError(arguments, err)
	}
	if n.kind != isObject {
		return nil, words.Code("toolform.no_object")
	}
	return f.Root.fill(n), nil
}

// Arguments writes what is filled in. The problems are those that keep it from being JSON at all, such as letters for a number;
// then there are no arguments.
func (f *Form) Arguments(v *Value) (json.RawMessage, []Problem) {
	var problems []Problem
	v.syntax(&problems)
	if len(problems) > 0 {
		return nil, problems
	}
	return v.append(nil), nil
}

// Check holds what is filled in against the schema. No problems also means that the arguments can be written.
func (f *Form) Check(v *Value) []Problem {
	arguments, problems := f.Arguments(v)
	if len(problems) > 0 {
		return problems
	}
	if v.Field.Kind == KindRaw || v.Raw {
		if n, err := readNode(arguments, false); err == nil && n.kind != isObject {
			return []Problem{{Value: v, Message: words.New("toolform.no_object")}}
		}
	}
	checker, _ := f.checker()
	if checker == nil {
		return v.missing(nil)
	}
	problems = checker.check(arguments, v)
	// The schema may allow what is chosen to be another shape, in which nothing is missing.
	for _, missing := range v.missing(nil) {
		if !slices.ContainsFunc(problems, func(p Problem) bool { return p.Value == missing.Value }) {
			problems = append(problems, missing)
		}
	}
	return problems
}

// CheckJSON holds arguments that are written as JSON against the schema. The problems have no Value, and their messages name
// the place.
func (f *Form) CheckJSON(arguments json.RawMessage) []Problem {
	v, err := f.Fill(arguments)
	if err != nil {
		return []Problem{{Message: words.New("toolform.this", "What", err)}}
	}
	problems := f.Check(v)
	for i, problem := range problems {
		if place := problem.Value.place(v); place != "" {
			problems[i].Message = words.New("toolform.at", "Place", place, "What", problem.Message)
		} else {
			problems[i].Message = words.New("toolform.this", "What", problem.Message)
		}
		problems[i].Value = nil
	}
	return problems
}

// Problem is something that is not right about what is filled in.
type Problem struct {
	Value   *Value
	Message words.Text // the rest of a sentence that begins with the field, such as "must be at least 1"
	Missing bool       // it is required and not there
}

func raw(why words.Text) *Field {
	return &Field{Kind: KindRaw, Why: why, MinLength: NoLimit, MaxLength: NoLimit, MinItems: NoLimit, MaxItems: NoLimit}
}

// jsonError says what is wrong with a JSON text, and where, as the rest of a sentence.
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
