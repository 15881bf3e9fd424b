package paste

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// JSON writes an entry as workbench-config.json has it, with our names and in our order, on one line. What is not set is
// left out.
func JSON(s *config.Server) json.RawMessage {
	var members []jsonrpc.Member
	for _, f := range config.ServerFields() {
		value, set := f.Value(s)
		switch f.Name {
		case "transport": // which mostly follows from the other fields
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

// oauth writes how Workbench is registered.
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

// variables writes an object in the order of the list; a name that is there twice is written once.
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

// CommandLine writes what an entry starts as one types it, arguments with spaces in quotes; of a remote server it is the
// address. Secrets are in it: mask it before it is shown.
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
	return fmt.Appendf(nil, "{\"toolboxes\":{\"x\":{\"mcpServers\":{%s:%s\n}}}}", jsonc.Quote(name), entry)
}
