// Package live is the words for what the engines say: how every server is doing, and for which AI app an engine runs.
package live

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// ClientName returns an engine's client in words for people: by the ID that registration wrote, else by what the client calls
// itself in its greeting. A client of which nothing is known yet is "an AI app".
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

// knownClient returns the name by which people know a client. The word is one of our IDs, or what a client calls itself.
func knownClient(word string) string {
	for _, known := range []*client.Client{client.Find(word, ""), client.Find("", word)} {
		if known.ID != "" {
			return known.Name
		}
	}
	switch word { // those that the table of the clients lacks, or that several of it may use
	case "claude-ai": // Claude Desktop greets so, and so does Claude in a browser
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
