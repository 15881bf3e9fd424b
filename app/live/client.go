// Package live contains the texts about the state of servers and engines.
package live

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// ClientName returns the name of an engine's client. id is what registration wrote and name what the client calls
// itself; both may be empty. A client that neither of them names is "an AI app".
func ClientName(id, name string) string {
	for _, word := range []string{id, name} {
		if known := knownClient(strings.ToLower(strings.TrimSpace(word))); known != "" {
			return known
		}
	}
	for _, word := range []string{name, id} {
		if word = strings.TrimSpace(word); word != "" {
			return word
		}
	}
	return lang.L("an AI app")
}

// knownClient returns the name of a client for its ID, or for what it calls itself. word is in lower case. knownClient
// returns "" for an unknown client.
func knownClient(word string) string {
	for _, known := range []*client.Client{client.Find(word, ""), client.Find("", word)} {
		if known.ID != "" {
			return known.Name
		}
	}
	switch word { // names that are not in the table of clients, or that several clients use
	case "claude-ai": // both Claude Desktop and Claude in a browser use this name
		return "Claude"
	case "roo", "roo-code":
		return "Roo Code"
	case "inspector-client", "mcp-inspector":
		return "MCP Inspector"
	case "workbench":
		return "Workbench"
	}
	return ""
}
