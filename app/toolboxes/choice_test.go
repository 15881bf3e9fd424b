package toolboxes

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// plain returns the View for a text such as "toolbox: server server; toolbox:".
func plain(text string) View {
	var view View
	for _, part := range strings.Split(text, ";") {
		name, servers, _ := strings.Cut(part, ":")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		toolbox := Toolbox{Name: name}
		for _, server := range strings.Fields(servers) {
			toolbox.Servers = append(toolbox.Servers, Server{Name: server})
		}
		view.Toolboxes = append(view.Toolboxes, toolbox)
	}
	return view
}

func TestFind(t *testing.T) {
	view := plain("dev: files old; research: search; home:")
	for _, c := range []struct {
		choice          model.Choice
		toolbox, server int
		ok              bool
	}{
		{model.Choice{Toolbox: "dev", Server: "old"}, 0, 1, true},
		{model.Choice{Toolbox: "research", Server: ""}, 1, noServer, true},
		{model.Choice{Toolbox: "research", Server: "gone"}, 0, 0, false},
		{model.Choice{Toolbox: "gone", Server: "search"}, 0, 0, false},
		{model.Choice{}, 0, 0, false},
	} {
		toolbox, server, ok := view.find(c.choice)
		if toolbox != c.toolbox || server != c.server || ok != c.ok {
			t.Errorf("%+v: %d, %d, %v", c.choice, toolbox, server, ok)
		}
	}
}

// TestFollow checks that a selection survives every change that keeps the selected row. If the row is gone, its
// nearest neighbour is selected.
func TestFollow(t *testing.T) {
	const before = "dev: files old git; research: search; home:"
	for _, c := range []struct {
		what   string
		choice model.Choice
		after  string
		want   model.Choice
		ok     bool
	}{
		{"nothing changes", model.Choice{Toolbox: "dev", Server: "old"}, before, model.Choice{Toolbox: "dev", Server: "old"},
			true},
		{"something else is added", model.Choice{Toolbox: "dev", Server: "old"}, "new: x; dev: a files old git",
			model.Choice{Toolbox: "dev", Server: "old"}, true},
		{"a server is renamed", model.Choice{Toolbox: "dev", Server: "old"}, "dev: files new git; research: search; home:",
			model.Choice{Toolbox: "dev", Server: "new"}, true},
		{"its toolbox is renamed", model.Choice{Toolbox: "dev", Server: "old"},
			"work: files old git; research: search; home:", model.Choice{Toolbox: "work", Server: "old"}, true},
		{"both are renamed", model.Choice{Toolbox: "dev", Server: "old"}, "work: files new git; research: search; home:",
			model.Choice{Toolbox: "work", Server: "new"}, true},
		{"it is moved within its toolbox", model.Choice{Toolbox: "dev", Server: "old"},
			"dev: old files git; research: search; home:", model.Choice{Toolbox: "dev", Server: "old"}, true},
		{"it is moved to another toolbox", model.Choice{Toolbox: "dev", Server: "old"},
			"dev: files git; research: search old; home:", model.Choice{Toolbox: "research", Server: "old"}, true},
		{"a toolbox is renamed", model.Choice{Toolbox: "research", Server: ""}, "dev: files old git; papers: search; home:",
			model.Choice{Toolbox: "papers", Server: ""}, true},
		{"a server is deleted", model.Choice{Toolbox: "dev", Server: "old"}, "dev: files git; research: search; home:",
			model.Choice{Toolbox: "dev", Server: "git"}, false},
		{"the last server is deleted", model.Choice{Toolbox: "dev", Server: "git"},
			"dev: files old; research: search; home:", model.Choice{Toolbox: "dev", Server: "old"}, false},
		{"the only server is deleted", model.Choice{Toolbox: "research", Server: "search"},
			"dev: files old git; research:; home:", model.Choice{Toolbox: "research", Server: ""}, false},
		{"a toolbox is deleted", model.Choice{Toolbox: "research", Server: ""}, "dev: files old git; home:",
			model.Choice{Toolbox: "home", Server: ""}, false},
		{"its toolbox is deleted", model.Choice{Toolbox: "research", Server: "search"}, "dev: files old git; home:",
			model.Choice{Toolbox: "home", Server: ""}, false},
		{"the last toolbox is deleted", model.Choice{Toolbox: "home", Server: ""}, "dev: files old git; research: search",
			model.Choice{Toolbox: "research", Server: ""}, false},
		{"everything is deleted", model.Choice{Toolbox: "home", Server: ""}, "", model.Choice{}, false},
		{"nothing was selected", model.Choice{}, before, model.Choice{Toolbox: "dev", Server: ""}, false},
		{"a server that another toolbox has too is deleted", model.Choice{Toolbox: "dev", Server: "files"},
			"dev: old git; research: search; home:", model.Choice{Toolbox: "dev", Server: "old"}, false},
	} {
		got, ok := follow(plain(before), plain(c.after), c.choice)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %v; want %+v, %v", c.what, got, ok, c.want, c.ok)
		}
	}
}

func FuzzFollow(f *testing.F) {
	f.Add("a: b c; d:", "a: c; d: b", "a", "b")
	f.Fuzz(func(t *testing.T, before, after, toolbox, server string) {
		was, is := plain(before), plain(after)
		if got, _ := follow(was, is, model.Choice{Toolbox: toolbox, Server: server}); !is.has(got) && len(is.Toolboxes) > 0 {
			t.Errorf("%+v is selected and does not exist", got)
		}
	})
}

// TestRenamedIsTold checks that a new name of a server is reported, even if the server is not selected, and before the
// server is shown under that name.
func TestRenamedIsTold(t *testing.T) {
	o := open(t, lively(true), normal)
	text := o.file()
	o.Select(model.Choice{Toolbox: "dev", Server: "memory"})
	told := func(want ...string) {
		t.Helper()
		if !slices.Equal(o.named, want) {
			t.Errorf("the reports are %q, want %q", o.named, want)
		}
		o.named = nil
	}
	told("shows memory")
	o.write(strings.Replace(text, `"memory"`, `"notebook"`, 1))
	told("dev/memory is dev/notebook", "shows notebook")
	o.Apply(viewOf(o.source))
	told()
	o.write(text)
	told("dev/notebook is dev/memory", "shows memory")
	o.write(strings.Replace(text, `"search"`, `"find"`, 1))
	told("research/search is research/find")
	o.write(strings.Replace(text, `"home"`, `"house"`, 1))
	told("research/find is research/search", "home/calendar is house/calendar", "home/notes is house/notes")
}
