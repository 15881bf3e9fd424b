package toolboxes

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Row is one row of the tree: a toolbox, or one of its servers.
type Row struct {
	Toolbox int // the index in the View
	Server  int // the index in the toolbox, or noServer for the toolbox itself
	Folded  bool
	Matched bool   // the search has found the toolbox itself
	Tool    string // the tool by which the search has found the server, or empty
	Unused  bool   // the search has found the server because it is unused
}

// noServer is the value of Row.Server in the row of a toolbox.
const noServer = -1

// Rows returns the rows of the tree: every toolbox, followed by its servers unless it is folded. A search leaves only
// rows that match, and ignores folding. If a toolbox matches, all its servers are left. If a server matches, its
// toolbox is left too. The search looks at names, descriptions, command lines, addresses and the names of tools. Any
// part of the text of unusedWords finds unused servers.
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
		matched := matches(toolbox.Name) || matches(toolbox.Description)
		heading := len(rows)
		rows = append(rows, Row{Toolbox: t, Server: noServer, Matched: matched})
		for s, server := range toolbox.Servers {
			row := Row{Toolbox: t, Server: s}
			if !matched && !matches(server.Name) && !matches(server.line) {
				if row.Unused = server.Unused && matches(unusedWords()); !row.Unused {
					row.Tool = firstMatch(server.Tools, matches)
				}
				if !row.Unused && row.Tool == "" {
					continue
				}
			}
			rows = append(rows, row)
		}
		if !matched && len(rows) == heading+1 {
			rows = rows[:heading]
		}
	}
	return rows
}

// unusedWords returns the search text that finds unused servers.
func unusedWords() string { return lang.L("Not used for 30 days") }

func firstMatch(texts []string, matches func(string) bool) string {
	if i := slices.IndexFunc(texts, matches); i >= 0 {
		return texts[i]
	}
	return ""
}

// at returns the toolbox or server of a row.
func (v View) at(row Row) model.Choice {
	toolbox := v.Toolboxes[row.Toolbox]
	if row.Server == noServer {
		return model.Choice{Toolbox: toolbox.Name}
	}
	return model.Choice{Toolbox: toolbox.Name, Server: toolbox.Servers[row.Server].Name}
}
