package toolboxes

import (
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Row is one line of the tree at the left: a toolbox, or one of its servers.
type Row struct {
	Toolbox int // its place in the View
	Server  int // its place in the toolbox, or noServer for the toolbox itself
	Folded  bool
	Whole   bool   // a search has found the toolbox itself
	Found   string // the tool by which a search has found the server, else empty
}

// noServer marks the row of a toolbox.
const noServer = -1

// Rows lists the rows of the tree: every toolbox, each followed by its servers unless it is folded. A search leaves the rows that
// match, folded or not: a toolbox that matches comes with all its servers, and a server that matches comes under its toolbox.
// The search looks at names, descriptions, command lines, addresses and the names of tools, and finds unused servers by unusedWords.
func (v View) Rows(search string, folded map[string]bool) []Row {
	search = strings.ToLower(strings.TrimSpace(search))
	matches := func(text string) bool { return strings.Contains(strings.ToLower(text), search) }
	var rows []Row
	for t, toolbox := range v.Toolboxes {
		if search == "" {
			hidden := folded[toolbox.Name]
			rows = append(rows, Row{Toolbox: t, Server: noServer, Folded: hidden})
			for s := range toolbox.Servers {
				if !hidden {
					rows = append(rows, Row{Toolbox: t, Server: s})
				}
			}
			continue
		}
		whole := matches(toolbox.Name) || matches(toolbox.Description)
		heading := len(rows)
		rows = append(rows, Row{Toolbox: t, Server: noServer, Whole: whole})
		for s, server := range toolbox.Servers {
			row := Row{Toolbox: t, Server: s}
			if !whole && !matches(server.Name) && !matches(server.line) {
				searched := server.Tools
				if server.Unused {
					searched = append([]string{unusedWords()}, searched...)
				}
				if row.Found = firstMatch(searched, matches); row.Found == "" {
					continue
				}
			}
			rows = append(rows, row)
		}
		if !whole && len(rows) == heading+1 {
			rows = rows[:heading]
		}
	}
	return rows
}

// unusedWords returns the search text that finds the servers that nobody has used.
func unusedWords() string { return lang.L("Not used for 30 days") }

func firstMatch(texts []string, matches func(string) bool) string {
	for _, text := range texts {
		if matches(text) {
			return text
		}
	}
	return ""
}

// at is the choice that a row stands for.
func (v View) at(row Row) model.Choice {
	toolbox := v.Toolboxes[row.Toolbox]
	if row.Server == noServer {
		return model.Choice{Toolbox: toolbox.Name}
	}
	return model.Choice{Toolbox: toolbox.Name, Server: toolbox.Servers[row.Server].Name}
}
