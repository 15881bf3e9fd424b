package catalogue

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// known is the entry that the catalogue adds for one of its servers, with the places of its inputs.
type known struct {
	of      Entry
	address string            // what comes before an input in the URL
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// started is how a program of the catalogue is started: what starts it, and its package or image.
type started struct{ command, name string }

// index has the templates by how they are recognized.
type index struct {
	programs  map[started]known
	addresses []known
}

var templates = sync.OnceValue(func() index {
	all := index{programs: map[started]known{}}
	for _, e := range list() {
		t := known{of: e}
		if json.Unmarshal(e.Template, &t) != nil {
			continue
		}
		if t.address, _, _ = strings.Cut(t.URL, "{{"); len(t.address) > len("https://") {
			all.addresses = append(all.addresses, t)
		}
		at := started{t.Command, packageOf(t.Args, t.Env)}
		if _, twice := all.programs[at]; t.Command != "" && !twice {
			all.programs[at] = t
		}
	}
	return all
})

// templateOf returns the template that a server was made with, or seems to be.
func templateOf(server *config.Server) (known, bool) {
	all := templates()
	if server.URL != "" {
		for _, t := range all.addresses {
			if strings.HasPrefix(server.URL, t.address) {
				return t, true
			}
		}
	}
	env := map[string]string{}
	for _, v := range server.Env {
		env[v.Name] = v.Value
	}
	program := process.Name(server.Command)
	if process.Ours(server.Command) {
		program = "workbench-engine"
	}
	t, ok := all.programs[started{program, packageOf(server.Args, env)}]
	return t, ok
}

// Known returns the ID of a server in the catalogue, or "" if the catalogue does not have it.
func Known(server *config.Server) string {
	t, _ := templateOf(server)
	return t.of.ID
}

// Asks returns the label and the hint with which the catalogue asks for a value of a server. The field is
// "args", "env", "headers" or "url". The name is that of the variable or header. Both texts are zero if the
// catalogue does not know the server or the value.
func Asks(server *config.Server, field, name string) (label, hint words.Text) {
	t, ok := templateOf(server)
	if !ok {
		return words.Text{}, words.Text{}
	}
	var texts []string
	switch field {
	case "args":
		texts = t.Args
	case "env":
		texts = []string{t.Env[name]}
	case "headers":
		texts = []string{t.Headers[name]}
	case "url":
		texts = []string{t.URL}
	}
	for _, in := range t.of.Inputs {
		for _, text := range texts {
			if strings.Contains(text, "{{"+in.ID+"}}") {
				return in.Label, in.Hint
			}
		}
	}
	return words.Text{}, words.Text{}
}
