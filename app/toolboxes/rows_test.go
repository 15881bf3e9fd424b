package toolboxes

import (
	"strings"
	"testing"
)

// names returns rows as text: the names of toolboxes, and the names of servers after a dash.
func names(view View, rows []Row) string {
	var words []string
	for _, row := range rows {
		choice := view.at(row)
		if choice.Server == "" {
			words = append(words, choice.Toolbox)
		} else {
			words = append(words, "-"+choice.Server)
		}
	}
	return strings.Join(words, " ")
}

func TestRows(t *testing.T) {
	view := look(sample)
	view.Toolboxes[1].Servers[0].Tools = []string{"web_search", "fetch_page"}
	view.Toolboxes[0].Servers[1].Unused = true
	for _, c := range []struct {
		search string
		folded string
		want   string
	}{
		{"", "", "dev -files -old research -search home"},
		{"", "dev", "dev research -search home"},
		{"FILES", "", "dev -files"},
		{"files", "dev", "dev -files"},            // a search also finds servers in folded toolboxes
		{"development", "", "dev -files -old"},    // a toolbox by its description, with all servers
		{" example.com ", "", "research -search"}, // a server by its address
		{"fetch_p", "", "research -search"},       // a server by a tool
		{"home", "", "dev -files home"},           // a server by ${HOME} in an argument, and a toolbox
		{"nothing like it", "", ""},
		{"not used for 30", "", "dev -old"}, // unused servers
	} {
		if got := names(view, view.Rows(c.search, map[string]bool{c.folded: true})); got != c.want {
			t.Errorf("search %q, folded %q: %q, want %q", c.search, c.folded, got, c.want)
		}
	}
	if rows := view.Rows("fetch_p", nil); rows[1].Tool != "fetch_page" {
		t.Errorf("the server was found by %q", rows[1].Tool)
	}
}
