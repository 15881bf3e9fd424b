package catalogue

import (
	"encoding/json"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Asks returns the label and the hint with which the catalogue asks for a value of a server. The field is
// "args", "env", "headers" or "url". The name is that of the variable or header. Both texts are zero if the
// catalogue does not know the server or the value.
func Asks(server *config.Server, field, name string) (label, hint words.Text) {
	for _, e := range list() {
		var t struct {
			Command string            `json:"command"`
			Args    []string          `json:"args"`
			Env     map[string]string `json:"env"`
			URL     string            `json:"url"`
			Headers map[string]string `json:"headers"`
		}
		if json.Unmarshal(e.Template, &t) != nil {
			continue
		}
		env := map[string]string{}
		for _, v := range server.Env {
			env[v.Name] = v.Value
		}
		beforeInput, _, _ := strings.Cut(t.URL, "{{")
		switch {
		case t.URL != "" && server.URL != "" && len(beforeInput) > len("https://") &&
			strings.HasPrefix(server.URL, beforeInput):
		case t.Command != "" && process.Name(server.Command) == t.Command &&
			packageOf(server.Args, env) == packageOf(t.Args, t.Env):
		default:
			continue
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
		for _, in := range e.Inputs {
			for _, text := range texts {
				if strings.Contains(text, "{{"+in.ID+"}}") {
					return in.Label, in.Hint
				}
			}
		}
		return words.Text{}, words.Text{}
	}
	return words.Text{}, words.Text{}
}
