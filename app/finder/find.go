// Package finder is one field that finds everything in the window, and does it.
package finder

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// Kind says what a Thing is.
type Kind int

// The kinds, in the order in which things that match alike are listed.
const (
	Deed Kind = iota // something to do
	Place
	Toolbox
	Server
	App
	Setting
	Tool
)

// Thing is something to go to or to do.
type Thing struct {
	Kind    Kind
	Name    string       // in the language of the window
	English string       // its name in English, which people know from instructions; may be empty
	Note    string       // where it is or what it is for; may be empty
	At      model.Choice // a toolbox, a server, or the server of a tool
	ID      string       // identifies a deed, a place, an app, a setting or a tool
}

// most is how many things are listed.
const most = 50

// Find returns the things that a text finds, the best first. Each word of the text must be in the name of a thing, in
// its English name or in its note. Without a text, it returns the first things.
func Find(things []Thing, text string) []Thing {
	words := strings.Fields(strings.ToLower(text))
	type found struct {
		thing Thing
		rank  int
	}
	var all []found
	for _, thing := range things {
		if rank := rankOf(thing, words); rank < unfound {
			all = append(all, found{thing, rank})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(a.rank-b.rank, int(a.thing.Kind)-int(b.thing.Kind))
	})
	var best []Thing
	for _, one := range all[:min(most, len(all))] {
		best = append(best, one.thing)
	}
	return best
}

// unfound is the rank of a thing that does not match.
const unfound = 4

// rankOf returns how well words match a thing: 0 if a name begins with all of them in this order, 1 if words of a name
// begin with them, 2 if they are in its names, and 3 if they are in its note too.
func rankOf(thing Thing, words []string) int {
	names := strings.ToLower(thing.Name + " " + thing.English)
	all := names + " " + strings.ToLower(thing.Note)
	text := strings.Join(words, " ")
	rank := 0
	if !strings.HasPrefix(names, text) && !strings.HasPrefix(strings.ToLower(thing.English), text) {
		rank = 1
	}
	for _, word := range words {
		switch {
		case strings.HasPrefix(names, word), strings.Contains(names, " "+word):
		case strings.Contains(names, word):
			rank = max(rank, 2)
		case strings.Contains(all, word):
			rank = 3
		default:
			return unfound
		}
	}
	return rank
}
