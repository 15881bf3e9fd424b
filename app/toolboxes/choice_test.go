package toolboxes

import (
	"slices"
	"strings"
	"testing"
)

// plain makes a View of "toolbox: server server; toolbox:".
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
		choice          Choice
		toolbox, server int
		ok              bool
	}{
		{Choice{"dev", "old"}, 0, 1, true},
		{Choice{"research", ""}, 1, noServer, true},
		{Choice{"research", "gone"}, 0, 0, false},
		{Choice{"gone", "search"}, 0, 0, false},
		{Choice{}, 0, 0, false},
	} {
		toolbox, server, ok := view.find(c.choice)
		if toolbox != c.toolbox || server != c.server || ok != c.ok {
			t.Errorf("%+v: %d, %d, %v", c.choice, toolbox, server, ok)
		}
	}
}

// What is selected is followed through every change that keeps it, and gives way to what is nearest otherwise.
func TestFollow(t *testing.T) {
	const before = "dev: files old git; research: search; home:"
	for _, c := range []struct {
		what   string
		choice Choice
		after  string
		want   Choice
		ok     bool
	}{
		{"nothing changes", Choice{"dev", "old"}, before, Choice{"dev", "old"}, true},
		{"something else is added", Choice{"dev", "old"}, "new: x; dev: a files old git", Choice{"dev", "old"}, true},
		{"a server is renamed", Choice{"dev", "old"}, "dev: files new git; research: search; home:", Choice{"dev", "new"}, true},
		{"its toolbox is renamed", Choice{"dev", "old"}, "work: files old git; research: search; home:", Choice{"work", "old"}, true},
		{"both are renamed", Choice{"dev", "old"}, "work: files new git; research: search; home:", Choice{"work", "new"}, true},
		{"it is moved within its toolbox", Choice{"dev", "old"}, "dev: old files git; research: search; home:", Choice{"dev", "old"}, true},
		{"it is moved to another toolbox", Choice{"dev", "old"}, "dev: files git; research: search old; home:", Choice{"research", "old"}, true},
		{"a toolbox is renamed", Choice{"research", ""}, "dev: files old git; papers: search; home:", Choice{"papers", ""}, true},
		{"a server is deleted", Choice{"dev", "old"}, "dev: files git; research: search; home:", Choice{"dev", "git"}, false},
		{"the last server is deleted", Choice{"dev", "git"}, "dev: files old; research: search; home:", Choice{"dev", "old"}, false},
		{"the only server is deleted", Choice{"research", "search"}, "dev: files old git; research:; home:", Choice{"research", ""}, false},
		{"a toolbox is deleted", Choice{"research", ""}, "dev: files old git; home:", Choice{"home", ""}, false},
		{"its toolbox is deleted", Choice{"research", "search"}, "dev: files old git; home:", Choice{"home", ""}, false},
		{"the last toolbox is deleted", Choice{"home", ""}, "dev: files old git; research: search", Choice{"research", ""}, false},
		{"everything is deleted", Choice{"home", ""}, "", Choice{}, false},
		{"nothing was selected", Choice{}, before, Choice{"dev", ""}, false},
		{"a server that another toolbox has too is deleted", Choice{"dev", "files"}, "dev: old git; research: search; home:", Choice{"dev", "old"}, false},
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
		if got, _ := follow(was, is, Choice{toolbox, server}); !is.has(got) && len(is.Toolboxes) > 0 {
			t.Errorf("%+v is not there", got)
		}
	})
}

// Whoever gives a server another name, it is told, before it is shown under that name; also of one that is not selected.
func TestRenamedIsTold(t *testing.T) {
	o := open(t, lively(true), normal)
	text := o.file()
	o.Select(Choice{"dev", "memory"})
	told := func(want ...string) {
		t.Helper()
		if !slices.Equal(o.named, want) {
			t.Errorf("it tells %q, want %q", o.named, want)
		}
		o.named = nil
	}
	told("shows memory")
	o.write(strings.Replace(text, `"memory"`, `"notebook"`, 1))
	told("dev/memory is dev/notebook", "shows notebook")
	o.Apply(Look(o.source))
	told()
	o.write(text)
	told("dev/notebook is dev/memory", "shows memory")
	o.write(strings.Replace(text, `"search"`, `"find"`, 1))
	told("research/search is research/find")
	o.write(strings.Replace(text, `"home"`, `"house"`, 1))
	told("research/find is research/search", "home/calendar is house/calendar", "home/notes is house/notes")
}
