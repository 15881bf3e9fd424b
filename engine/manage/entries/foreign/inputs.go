package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// Inputs are the values that VS Code asks for when a server is started, by id.
type Inputs map[string]input

type input struct {
	description string
	value       string // the default
	secret      bool
	options     []string
}

// inputsOf reads the "inputs" of a configuration.
func inputsOf(n *jsonc.Node) Inputs { return ReadInputs(n.Member("inputs")) }

// ReadInputs reads the list that is the "inputs" of a configuration. There may be none.
func ReadInputs(list *jsonc.Node) Inputs {
	if !list.Is(jsonc.Array) {
		return nil
	}
	found := Inputs{}
	for _, item := range items(list) {
		id := item.Member("id").Str()
		if id == "" {
			continue
		}
		in := input{description: item.Member("description").Str(), value: item.Member("default").Str()}
		in.secret = item.Member("password").Is(jsonc.True)
		if options := item.Member("options"); options != nil {
			for _, option := range items(options) {
				if text := option.Str(); text != "" {
					in.options = append(in.options, text)
				} else if text := option.Member("value").Str(); text != "" {
					in.options = append(in.options, text)
				}
			}
		}
		// References are not accepted: a person who fills in a field would unknowingly pass on one of the
		// user's values.
		refers := func(text string) bool { return strings.Contains(text, "${") }
		if refers(in.value) {
			in.value = ""
		}
		in.options = slices.DeleteFunc(in.options, refers)
		found[id] = in
	}
	return found
}

// with returns the inputs with more added. More takes precedence.
func (in Inputs) with(more Inputs) Inputs {
	if len(more) == 0 {
		return in
	}
	all := Inputs{}
	for id, i := range in {
		all[id] = i
	}
	for id, i := range more {
		all[id] = i
	}
	return all
}
