package paste

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// JSON writes an entry as workbench-config.json has it, with our names and in our order, on one line. What is not set is
// left out.
func JSON(s *config.Server) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	member := func(name string, value any) {
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		b.Write(text(name))
		b.WriteByte(':')
		b.Write(text(value))
	}
	if s.Transport == config.TransportSSE || s.Transport == config.TransportHTTP && s.URL == "" {
		member("transport", s.Transport)
	}
	if s.Command != "" || s.Transport == config.TransportStdio && s.URL == "" {
		member("command", s.Command)
	}
	if len(s.Args) > 0 {
		member("args", s.Args)
	}
	variables(member, "env", s.Env)
	if s.Cwd != "" {
		member("cwd", s.Cwd)
	}
	if s.URL != "" {
		member("url", s.URL)
	}
	variables(member, "headers", s.Headers)
	if s.OAuth != nil {
		member("oauth", oauth(s.OAuth))
	}
	if s.ToolFilters != nil {
		member("toolFilters", s.ToolFilters)
	}
	if s.Disabled {
		member("disabled", true)
	}
	seconds(member, "startupTimeout", s.StartupTimeout)
	seconds(member, "callTimeout", s.CallTimeout)
	b.WriteByte('}')
	return b.Bytes()
}

// oauth writes how Workbench is registered.
func oauth(o *config.OAuth) json.RawMessage {
	var parts [][]byte
	for _, m := range []struct{ name, value string }{{"clientId", o.ClientID}, {"clientSecret", o.ClientSecret}, {"scope", o.Scope}} {
		if m.value != "" {
			parts = append(parts, slices.Concat(text(m.name), []byte(":"), text(m.value)))
		}
	}
	if o.CallbackPort != 0 {
		parts = append(parts, fmt.Appendf(nil, `"callbackPort":%d`, o.CallbackPort))
	}
	return slices.Concat([]byte("{"), bytes.Join(parts, []byte(",")), []byte("}"))
}

// variables writes an object in the order of the list; a name that is there twice is written once.
func variables(member func(string, any), name string, list []config.Variable) {
	if len(list) == 0 {
		return
	}
	var b bytes.Buffer
	seen := map[string]bool{}
	for _, v := range list {
		if seen[v.Name] {
			continue
		}
		seen[v.Name] = true
		if b.Len() == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		b.Write(text(v.Name))
		b.WriteByte(':')
		b.Write(text(v.Value))
	}
	b.WriteByte('}')
	member(name, json.RawMessage(b.Bytes()))
}

func seconds(member func(string, any), name string, limit *time.Duration) {
	if limit != nil {
		member(name, limit.Seconds())
	}
}

// text is a value as JSON, with <, > and & as they are: people read it.
func text(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil { // strings, numbers and what was valid JSON before
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
}

// CommandLine writes what an entry starts as one types it, arguments with spaces in quotes; of a remote server it is the
// address. Secrets are in it: mask it before it is shown.
func CommandLine(s *config.Server) string {
	if s.Transport != config.TransportStdio {
		return s.URL
	}
	words := make([]string, 0, 1+len(s.Args))
	for _, word := range append([]string{s.Command}, s.Args...) {
		words = append(words, quoteWord(word))
	}
	return strings.Join(words, " ")
}

// quoteWord puts a word into quotes when it would fall apart without. Quotes within it decide which ones are used.
func quoteWord(word string) string {
	switch {
	case word == "":
		return `""`
	case !strings.ContainsAny(word, " \t\n\"'|&;<>()*?"):
		return word
	case !strings.Contains(word, `"`):
		return `"` + word + `"`
	case !strings.Contains(word, `'`):
		return `'` + word + `'`
	}
	return `"` + strings.ReplaceAll(word, `"`, `\"`) + `"`
}

// Diagnose says what is wrong with an entry, as the configuration it goes into would.
func Diagnose(s *config.Server) []config.Diagnostic {
	return config.Parse("", wrap(s.Name, JSON(s))).Diagnostics
}

// Read reads an entry from JSON in our own shape, comments allowed. It is not ok when it has errors.
func Read(name string, entry json.RawMessage) (server *config.Server, problems []config.Diagnostic, ok bool) {
	document := config.Parse("", wrap(name, entry))
	for _, toolbox := range document.Config.Toolboxes {
		if len(toolbox.Servers) == 1 && toolbox.Servers[0].Name == name {
			server = toolbox.Servers[0]
		}
	}
	return server, document.Diagnostics, server != nil && document.Valid()
}

// wrap puts an entry into the smallest configuration that has one.
func wrap(name string, entry json.RawMessage) []byte {
	var b bytes.Buffer
	b.WriteString(`{"toolboxes":{"x":{"mcpServers":{`)
	b.Write(text(name))
	b.WriteByte(':')
	b.Write(entry)
	b.WriteString("\n}}}}")
	return b.Bytes()
}
