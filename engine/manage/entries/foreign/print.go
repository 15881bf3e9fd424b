package foreign

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// JSON returns an entry as it is written in workbench-config.json, with our names, in our order and on one
// line. Unset fields are left out.
func JSON(s *config.Server) json.RawMessage {
	var members []jsonrpc.Member
	for _, f := range config.ServerFields() {
		value, set := f.Value(s)
		switch f.Name {
		case "transport": // usually implied by the other fields
			set = s.Transport == config.TransportSSE || s.Transport == config.TransportHTTP && s.URL == ""
		case "type":
			set = false
		case "command":
			set = set || s.Transport == config.TransportStdio && s.URL == ""
		}
		switch v := value.(type) {
		case []config.Variable:
			value = variables(v)
		case *config.OAuth:
			value = oauth(v)
		}
		if set {
			members = append(members, jsonrpc.Member{Name: f.Name, Value: jsonc.Value(value)})
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// oauth returns how Workbench is registered.
func oauth(o *config.OAuth) json.RawMessage {
	if o == nil {
		return nil
	}
	var members []jsonrpc.Member
	group, _ := config.ServerField("oauth")
	for _, f := range group.Members {
		if value, set := f.Value(&config.Server{OAuth: o}); set {
			members = append(members, jsonrpc.Member{Name: f.Name, Value: jsonc.Value(value)})
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// variables writes an object in the order of the list. A name that occurs twice is written once.
func variables(list []config.Variable) json.RawMessage {
	var members []jsonrpc.Member
	seen := map[string]bool{}
	for _, v := range list {
		if !seen[v.Name] {
			seen[v.Name] = true
			members = append(members, jsonrpc.Member{Name: v.Name, Value: jsonc.Value(v.Value)})
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// CommandLine returns the command line of an entry, with quotes around arguments with spaces, or the address
// of a remote server. It may contain secrets: mask them before showing it.
func CommandLine(s *config.Server) string {
	if s.Transport != config.TransportStdio {
		return s.URL
	}
	argv := make([]string, 0, 1+len(s.Args))
	for _, word := range append([]string{s.Command}, s.Args...) {
		argv = append(argv, quoteWord(word))
	}
	return strings.Join(argv, " ")
}

// quoteWord quotes a word if it needs quotes. The kind of quotes depends on the quotes in it.
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

// Diagnose returns the diagnostics of an entry, as if it were in the configuration.
func Diagnose(s *config.Server) []config.Diagnostic {
	return config.Parse("", wrap(s.Name, JSON(s))).Diagnostics
}

// Read reads an entry in our form from JSON with comments. ok is false if the entry has errors.
func Read(name string, entry json.RawMessage) (server *config.Server, problems []config.Diagnostic, ok bool) {
	document := config.Parse("", wrap(name, entry))
	for _, toolbox := range document.Config.Toolboxes {
		if len(toolbox.Servers) == 1 && toolbox.Servers[0].Name == name {
			server = toolbox.Servers[0]
		}
	}
	return server, document.Diagnostics, server != nil && document.Valid()
}

// wrap returns the smallest configuration that contains an entry.
func wrap(name string, entry json.RawMessage) []byte {
	return fmt.Appendf(nil, "{\"toolboxes\":{\"x\":{\"mcpServers\":{%s:%s\n}}}}", jsonc.Quote(name), entry)
}
