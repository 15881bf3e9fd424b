package foreign

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file records what does not come over, so that a note names it.

// Left is a member of an entry that was not taken.
type Left struct {
	// Path is where the member stands in the entry, such as "transport.timeout" or "args[2]".
	Path string

	// Why is the reason; the zero text if the member has no meaning here.
	Why words.Text
}

// Rest is something that stands among the servers of a text, but cannot be taken as a server.
type Rest struct {
	Place

	// Why is the reason.
	Why words.Text
}

// Place says where an entry stands in the text.
type Place struct {
	Name  string      // the name that the text gives the entry; empty if there is none
	Keys  []string    // the keys that lead to the object or list with the entry
	Value *jsonc.Node // the entry itself; nil if the text is not JSON, TOML or YAML
	Twice bool        // the name occurs more than once there; the last one counts
}

// Missed returns the paths of the members that the server may need and that did not come over. How long the other
// product waits, what it approves, and what only people read are not among them.
func (e *Entry) Missed() (paths []string) {
	for _, left := range e.Left {
		switch left.Why.Code {
		case "foreign.time_limit", "foreign.approvals", "foreign.called":
			continue
		case "":
			if slices.Contains(forPeople, fold(left.Path)) {
				continue
			}
		}
		paths = append(paths, left.Path)
	}
	return paths
}

// forPeople are members, folded, that change nothing about how a server runs.
var forPeople = []string{
	"$schema", "//", "author", "category", "comment", "description", "docs", "documentation", "gallery", "homepage",
	"icon", "iconurl", "icons", "id", "license", "logo", "logourl", "note", "notes", "provider", "repository", "tags",
	"version", "website",
}

// leave records that a member was left out, and why. The zero text says that it has no meaning here.
func (t *translation) leave(path string, why words.Text) {
	for i := range t.Left {
		if t.Left[i].Path == path {
			if t.Left[i].Why.IsZero() {
				t.Left[i].Why = why
			}
			return
		}
	}
	switch {
	case len(t.Left) < maxRest:
		t.Left = append(t.Left, Left{path, why})
	case len(t.Left) == maxRest:
		t.Left = append(t.Left, Left{"…", words.Text{}}) // stands for all further ones
	}
}

// leaveField records that what became a field of the entry was left out after all.
func (t *translation) leaveField(field string, why words.Text) {
	if len(t.from[field]) == 0 {
		t.leave(field, why)
	}
	for _, path := range t.from[field] {
		t.leave(path, why)
	}
	delete(t.from, field)
}

// maxNamed is how many members one note names.
const maxNamed = 20

// noteLeft adds notes that name all members that were left out: those without a meaning here in one note, the
// others in one note for each reason.
func (e *Entry) noteLeft() {
	for _, note := range notesFor(e.Left) {
		e.note(note)
	}
}

// noteBeside adds the note that names what stands beside the servers.
func (p *parser) noteBeside() {
	if len(p.beside) > 0 {
		names := make([]words.Text, len(p.beside))
		for i, name := range p.beside {
			names[i] = shown(name)
		}
		p.say(words.New("foreign.beside", "Names", shortened(names)))
	}
}

// notesFor returns a note for each reason why something was left out.
func notesFor(left []Left) (notes []words.Text) {
	for _, group := range grouped(left) {
		if group.why.IsZero() {
			notes = append(notes, words.New("foreign.left_out", "Names", shortened(group.names)))
		} else {
			notes = append(notes, words.New("foreign.because", "Names", shortened(group.names), "Why", group.why))
		}
	}
	return notes
}

// group is what was left out for one reason.
type group struct {
	why   words.Text
	names []words.Text // in quotes
}

func grouped(left []Left) []*group {
	var groups []*group
	for _, l := range left {
		i := slices.IndexFunc(groups, func(g *group) bool { return g.why.Equal(l.Why) })
		if i < 0 {
			i, groups = len(groups), append(groups, &group{why: l.Why})
		}
		groups[i].names = append(groups[i].names, shown(l.Path))
	}
	return groups
}

// shortened returns the first names of a list, and how many more there are.
func shortened(names []words.Text) []words.Text {
	if len(names) <= maxNamed+1 { // "1 more" would be as long as the name
		return names
	}
	return append(slices.Clone(names[:maxNamed]), words.New("foreign.and_more", "More", len(names)-maxNamed))
}
