package paste

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// inputs are what VS Code asks for when a server is started, by their ids.
type inputs map[string]input

type input struct {
	description string
	value       string // the default
	secret      bool
	options     []string
}

// inputsOf reads the "inputs" of a configuration.
func inputsOf(n *jsonc.Node) inputs {
	list := n.Member("inputs")
	if list == nil || list.Kind != jsonc.Array {
		return nil
	}
	found := inputs{}
	for _, item := range items(list) {
		id := item.Member("id").Str()
		if id == "" {
			continue
		}
		in := input{description: item.Member("description").Str(), value: item.Member("default").Str()}
		password := item.Member("password")
		in.secret = password != nil && password.Kind == jsonc.True
		if options := item.Member("options"); options != nil {
			for _, option := range items(options) {
				if text := option.Str(); text != "" {
					in.options = append(in.options, text)
				} else if text := option.Member("value").Str(); text != "" {
					in.options = append(in.options, text)
				}
			}
		}
		// Who fills in a field agrees to nothing else: a reference would take something of the user's unseen.
		refers := func(text string) bool { return strings.Contains(text, "${") }
		if refers(in.value) {
			in.value = ""
		}
		in.options = slices.DeleteFunc(in.options, refers)
		found[id] = in
	}
	return found
}

// with adds further inputs, which win.
func (in inputs) with(more inputs) inputs {
	if len(more) == 0 {
		return in
	}
	all := inputs{}
	for id, i := range in {
		all[id] = i
	}
	for id, i := range more {
		all[id] = i
	}
	return all
}
