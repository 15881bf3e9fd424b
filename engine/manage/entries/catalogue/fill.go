package catalogue

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ErrMissing means that a required input has no value.
const ErrMissing = words.Code("catalogue.missing")

// InputError reports an input with a wrong value.
type InputError struct {
	Input string // the id of the input
	Err   error  // ErrMissing or what is wrong with the value
}

// Text returns the sentence.
func (e *InputError) Text() words.Text {
	return words.New("catalogue.input_wrong", "Input", e.Input, "Why", e.Err)
}

func (e *InputError) Error() string { return e.Text().String() }
func (e *InputError) Unwrap() error { return e.Err }

// template has the fields that an entry of the catalogue may have.
type template struct {
	Command string    `json:"command,omitempty"`
	Args    []string  `json:"args,omitempty"`
	Env     variables `json:"env,omitempty"`
	URL     string    `json:"url,omitempty"`
	Headers variables `json:"headers,omitempty"`
}

// Fill makes an entry from values, which are given by the ids of the inputs. A missing value is the default
// of its input. An argument, variable or header that uses an input without a value is left out. The values of
// a list are on one line each. Values are not changed, so they may be references such as ${keyring:NAME}.
//
// The error is an [*InputError] if it is about an input. The name is a suggestion; it may be in use already.
func (e Entry) Fill(values map[string]string) (name string, entry json.RawMessage, err error) {
	answers := map[string][]string{}
	for id := range values {
		if !slices.ContainsFunc(e.Inputs, func(in Input) bool { return in.ID == id }) {
			return "", nil, words.NewError("catalogue.no_input", "Server", e.ID, "Input", words.Quoted(id))
		}
	}
	for _, in := range e.Inputs {
		answer, err := in.answer(values)
		if err != nil {
			return "", nil, &InputError{in.ID, err}
		}
		answers[in.ID] = answer
	}
	var t template
	if err := json.Unmarshal(e.Template, &t); err != nil {
		return "", nil, words.NewError("catalogue.bad_template", "Server", e.ID, "Why", err)
	}
	filled := template{Command: t.Command}
	for _, arg := range t.Args {
		filled.Args = append(filled.Args, fill(arg, answers)...)
	}
	filled.Env = t.Env.fill(answers)
	filled.Headers = t.Headers.fill(answers)
	if t.URL != "" {
		filled.URL = strings.Join(fill(t.URL, answers), "")
	}
	entry, err = jsonc.Marshal(filled)
	return e.ID, entry, err
}

// Line returns what a server runs, or its address, with <ID> for each value to fill in.
func (e Entry) Line() string {
	var t template
	if err := json.Unmarshal(e.Template, &t); err != nil { // the templates are tested
		return ""
	}
	parts := append([]string{t.Command}, t.Args...)
	if t.URL != "" {
		parts = []string{t.URL}
	}
	return strings.NewReplacer("{{", "<", "}}", ">").Replace(strings.Join(parts, " "))
}

// answer returns the values of one input. There are none if the input stays empty.
func (in Input) answer(values map[string]string) ([]string, error) {
	value, given := values[in.ID]
	if !given || strings.TrimSpace(value) == "" && in.Kind != KindChoice {
		value = in.Default
	}
	if in.Kind == KindChoice {
		if value != "" && !slices.ContainsFunc(in.Options, func(o Option) bool { return o.Value == value }) {
			return nil, words.NewError("catalogue.no_choice")
		}
	}
	var answer []string
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); in.isPath() {
			line = Unquoted(line)
		}
		if line != "" {
			answer = append(answer, line)
		}
	}
	switch {
	case len(answer) == 0 && in.Required:
		return nil, ErrMissing
	case len(answer) > 1 && in.Kind != KindList:
		return nil, words.NewError("catalogue.one_line")
	case in.Kind == KindURL && len(answer) == 1 && !strings.HasPrefix(answer[0], "http://") &&
		!strings.HasPrefix(answer[0], "https://") && !strings.Contains(answer[0], "${"):
		return nil, words.NewError("catalogue.no_address")
	}
	return answer, nil
}

// isPath reports whether the values are folders or files.
func (in Input) isPath() bool {
	places := []Kind{KindFolder, KindFile}
	return slices.Contains(places, in.Kind) || slices.Contains(places, in.Of)
}

// Unquoted returns a path without the quotes around it, with which Windows copies it ("Copy as path").
func Unquoted(path string) string {
	if inner, ok := strings.CutPrefix(path, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			return inner
		}
	}
	return path
}

// fill replaces the placeholders in a text by the answers. It returns several texts for a list, and none if
// an answer is missing.
func fill(text string, answers map[string][]string) []string {
	for id, answer := range answers {
		placeholder := "{{" + id + "}}"
		if !strings.Contains(text, placeholder) {
			continue
		}
		var texts []string
		for _, value := range answer {
			texts = append(texts, strings.ReplaceAll(text, placeholder, value))
		}
		return texts
	}
	return []string{text}
}

// variables is a JSON object of strings that keeps its order.
type variables []variable

type variable struct{ name, value string }

func (v variables) fill(answers map[string][]string) variables {
	var filled variables
	for _, each := range v {
		for _, value := range fill(each.value, answers) {
			filled = append(filled, variable{each.name, value})
		}
	}
	return filled
}

// UnmarshalJSON reads an object of strings.
func (v *variables) UnmarshalJSON(data []byte) error {
	members, err := jsonrpc.Members(data)
	for _, m := range members {
		value, _ := jsonrpc.String(m.Value)
		*v = append(*v, variable{m.Name, value})
	}
	return err
}

// MarshalJSON writes the object in its order.
func (v variables) MarshalJSON() ([]byte, error) {
	members := make([]jsonrpc.Member, len(v))
	for i, each := range v {
		members[i] = jsonrpc.Member{Name: each.name, Value: jsonc.Value(each.value)}
	}
	return jsonrpc.AppendObject(nil, members), nil
}
