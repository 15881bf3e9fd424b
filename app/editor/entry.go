package editor

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// readEntry parses the text of an entry exactly as it is written, even if it makes no sense. So the form shows what is
// in the file, with the problems beside it. It returns nil for text that it cannot parse; package edit refuses such
// text before.
func readEntry(text string) *jsonc.Node {
	document := jsonc.Parse([]byte(text))
	if document.Broken() != nil {
		return nil
	}
	return document.Root
}

// textOf returns the text of a value in a field: the content of a string, the JSON of another value, or "" if there is
// no value.
func textOf(n *jsonc.Node) string {
	if n == nil || n.Is(jsonc.String) {
		return n.Str()
	}
	return n.Compact()
}

// entryDiagnostics returns the diagnostics of one server.
func entryDiagnostics(diagnostics []config.Diagnostic, at model.Choice) []config.Diagnostic {
	entry := config.ServerPath(at.Toolbox, at.Server)
	var found []config.Diagnostic
	for _, diagnostic := range diagnostics {
		if within(diagnostic.Path, entry) {
			found = append(found, diagnostic)
		}
	}
	return found
}

// within reports whether path is equal to the path of, or leads to something inside it.
func within(path, of string) bool {
	rest, ok := strings.CutPrefix(path, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// memberPath returns what a member adds to the path of its object.
func memberPath(name string) string {
	return strings.TrimPrefix(config.ServerPath("x", name), "toolboxes.x.mcpServers")
}
