package toolboxes

import "strings"

// Row is one line of the list at the left: a toolbox, or one of its servers.
type Row struct {
	Toolbox int // its place in the View
	Server  int // its place in the toolbox, or noServer for the toolbox itself
	Folded  bool
}

// noServer marks the row of a toolbox.
const noServer = -1

// Rows lists what the list at the left shows: every toolbox with its servers, those of folded toolboxes left out. With a
// search it is what matches, folded or not: a toolbox that matches with all its servers, else the servers that match under
// their toolbox.
func (v View) Rows(search string, folded map[string]bool) []Row {
	search = strings.ToLower(strings.TrimSpace(search))
	matches := func(texts ...string) bool {
		for _, text := range texts {
			if strings.Contains(strings.ToLower(text), search) {
				return true
			}
		}
		return false
	}
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
		whole := matches(toolbox.Name, toolbox.Description)
		heading := len(rows)
		rows = append(rows, Row{Toolbox: t, Server: noServer})
		for s, server := range toolbox.Servers {
			if whole || matches(server.Name, server.Line) {
				rows = append(rows, Row{Toolbox: t, Server: s})
			}
		}
		if !whole && len(rows) == heading+1 {
			rows = rows[:heading]
		}
	}
	return rows
}

// Choice is what the user has selected, by name, so that it stays selected when the configuration changes around it.
type Choice struct {
	Toolbox string
	Server  string // empty: the toolbox as a whole
}

// find gives the places of a choice in the View. What is gone is replaced by the nearest thing that is there: a server
// that is gone by its toolbox, a toolbox that is gone by the first. Without toolboxes it is not ok.
func (v View) find(choice Choice) (toolbox, server int, ok bool) {
	if len(v.Toolboxes) == 0 {
		return 0, noServer, false
	}
	for t := range v.Toolboxes {
		if v.Toolboxes[t].Name != choice.Toolbox {
			continue
		}
		for s := range v.Toolboxes[t].Servers {
			if choice.Server != "" && v.Toolboxes[t].Servers[s].Name == choice.Server {
				return t, s, true
			}
		}
		return t, noServer, true
	}
	return 0, noServer, true
}

// at is the choice that a row stands for.
func (v View) at(row Row) Choice {
	toolbox := v.Toolboxes[row.Toolbox]
	if row.Server == noServer {
		return Choice{Toolbox: toolbox.Name}
	}
	return Choice{Toolbox: toolbox.Name, Server: toolbox.Servers[row.Server].Name}
}
