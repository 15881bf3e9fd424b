package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
)

// Clash is one reason why an edit could not be done on a file that somebody else changed meanwhile.
type Clash struct {
	Path   string // of the value, as in config.Diagnostic; empty for the document as a whole
	Reason string
}

// Conflict is the error of an edit that doesn't go together with what somebody else did to the file
// meanwhile. Nothing was written.
type Conflict struct {
	Label  string           // of the edit
	Base   *config.Document // what the edit was made on
	Theirs *config.Document // what is in the file
	Ours   *config.Document // what the edit made of Base
	Clash  []Clash          // at least one
}

// maxReasons is how many clashes the text of an error names.
const maxReasons = 3

// Error names what clashes.
func (c *Conflict) Error() string {
	var reasons []string
	for i, clash := range c.Clash {
		if i == maxReasons {
			reasons = append(reasons, fmt.Sprintf("and %d more", len(c.Clash)-i))
			break
		}
		reason := clash.Reason
		if clash.Path != "" {
			reason = clash.Path + ": " + reason
		}
		reasons = append(reasons, reason)
	}
	return fmt.Sprintf("%s was changed by another program meanwhile, and the edit does not fit it any more (%s); look at the file as it is now and make the edit again",
		c.Theirs.Name, strings.Join(reasons, "; "))
}

// replay does an edit, which made ours of base, on theirs. That is only done when there is no doubt
// about what is meant: what the edit touches is not what the others touched, the entries that it names are
// still the same ones, and it does to theirs what it did to base, no more and no less.
func replay(base, ours, theirs []byte, ops []Op) (result []byte, clashes []Clash) {
	if base == nil {
		base = []byte(emptyConfiguration)
	}
	nodes := map[string]*node{}
	for name, source := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		tree, _, ok := parseTree(source)
		if !ok {
			return nil, []Clash{{"", "one of the versions has syntax errors"}}
		}
		nodes[name] = read(tree)
	}
	mine := compare(nodes["base"], nodes["ours"])
	others := compare(nodes["base"], nodes["theirs"])
	if mine.doneBy(others) && lostComments(base, ours, theirs) == "" {
		return theirs, nil
	}
	clashes = append(overlaps(mine, others), strangers(mine, others, nodes["base"], nodes["theirs"])...)
	if len(clashes) > 0 {
		return nil, clashes
	}
	result, err := applyAll(theirs, ops)
	if err != nil {
		return nil, []Clash{{"", secret.Mask(err.Error())}}
	}
	tree, _, ok := parseTree(result)
	if !ok {
		return nil, []Clash{{"", "the result would have syntax errors"}}
	}
	clashes = differences(mine, compare(nodes["theirs"], read(tree)))
	if lost := lostComments(base, theirs, result); lost != "" {
		clashes = append(clashes, Clash{"", "a comment that was added meanwhile would be lost: " + secret.Mask(lost)})
	}
	return result, clashes
}

// doneBy tells whether the others have done all that the edit does, so that nothing is left to do.
func (out *alterations) doneBy(others alterations) bool {
	for id, a := range out.values {
		if b, ok := others.values[id]; !ok || !a.same(b) {
			return false
		}
	}
	return len(out.values) > 0 && len(out.orders) == 0
}

// overlaps finds what both sides changed.
func overlaps(mine, others alterations) []Clash {
	var clashes []Clash
	for _, a := range mine.sorted() {
		for _, b := range others.sorted() {
			mineID, othersID := a.at.id(), b.at.id()
			switch {
			case mineID == othersID && a.same(b):
				clashes = append(clashes, Clash{a.at.String(), "the same was done already"})
			case mineID == othersID:
				clashes = append(clashes, Clash{a.at.String(), "it was " + verb(b) + " meanwhile"})
			case strings.HasPrefix(mineID, othersID):
				clashes = append(clashes, Clash{a.at.String(), b.at.String() + " was " + verb(b) + " meanwhile"})
			case strings.HasPrefix(othersID, mineID):
				clashes = append(clashes, Clash{a.at.String(), "something in it, " + b.at.String() + ", was " + verb(b) + " meanwhile"})
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(mine.orders)) {
		if _, ok := others.orders[id]; ok {
			clashes = append(clashes, Clash{mine.orders[id].at.String(), "it was put into another order meanwhile"})
		}
	}
	return clashes
}

func verb(a alteration) string {
	switch {
	case a.before == nil:
		return "added"
	case a.after == nil:
		return "removed"
	}
	return "changed"
}

// strangers finds toolboxes and servers that the edit changes inside, and that have the name of before
// but are others now.
func strangers(mine, others alterations, base, theirs *node) []Clash {
	var clashes []Clash
	seen := map[string]bool{}
	check := func(at path) {
		if len(at) > 3 && at[2].key == "mcpServers" {
			at := at[:4]
			if was, is := base.at(at), theirs.at(at); was != nil && is != nil && !seen[at.id()] && !sameServer(was, is) {
				seen[at.id()] = true
				clashes = append(clashes, Clash{at.String(), "it is another server now"})
			}
		}
		if len(at) > 2 {
			at := at[:2]
			if was, is := base.at(at), theirs.at(at); was != nil && is != nil && !seen[at.id()] && !sameToolbox(was, is) {
				seen[at.id()] = true
				clashes = append(clashes, Clash{at.String(), "it is another toolbox now: none of its servers is left"})
			}
		}
	}
	for _, a := range mine.sorted() {
		check(a.at)
	}
	for _, id := range slices.Sorted(maps.Keys(mine.orders)) {
		check(mine.orders[id].at.member(""))
	}
	return clashes
}

// at returns the value at a path, or nil.
func (n *node) at(p path) *node {
	for _, s := range p {
		if n == nil {
			return nil
		}
		n = n.members[s.key]
	}
	return n
}

// sameServer tells whether two entries of one name are one server, started or reached in the same
// way. Servers that are started by a package runner differ in their arguments only, so these must
// have something in common.
func sameServer(a, b *node) bool {
	for _, key := range []string{"command", "url", "transport", "type"} {
		if !a.members[key].equal(b.members[key]) {
			return false
		}
	}
	was, is := a.members["args"].words(), b.members["args"].words()
	if len(was) == 0 || len(is) == 0 {
		return true
	}
	return slices.ContainsFunc(was, func(word string) bool { return slices.Contains(is, word) })
}

// words returns the texts of an array that are not flags.
func (n *node) words() []string {
	if n == nil {
		return nil
	}
	tree, _, ok := parseTree([]byte(n.text))
	if !ok {
		return nil
	}
	var words []string
	for _, l := range literals(tree, 0) {
		if l.Kind() == '"' && !strings.HasPrefix(l.String(), "-") {
			words = append(words, l.String())
		}
	}
	return words
}

func (n *node) equal(o *node) bool { return n == o || n != nil && o != nil && n.text == o.text }

// sameToolbox tells whether two toolboxes of one name have a server's name in common, if they both
// have any.
func sameToolbox(a, b *node) bool {
	was, is := a.members["mcpServers"], b.members["mcpServers"]
	if was == nil || is == nil || len(was.keys) == 0 || len(is.keys) == 0 {
		return true
	}
	return len(common(was.keys, is.members)) > 0
}

// differences finds where an edit did other things the second time than the first time.
func differences(first, second alterations) []Clash {
	var clashes []Clash
	for _, a := range first.sorted() {
		if b, ok := second.values[a.at.id()]; !ok || !a.same(b) || !sameText(a.before, b.before) {
			clashes = append(clashes, Clash{a.at.String(), "the edit would do something else to it now"})
		}
	}
	for _, b := range second.sorted() {
		if _, ok := first.values[b.at.id()]; !ok {
			clashes = append(clashes, Clash{b.at.String(), "the edit would change it too now"})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(first.orders)) {
		want := first.orders[id].keys
		got := second.orders[id].keys
		members := map[string]*node{}
		for _, key := range want {
			members[key] = &node{}
		}
		kept := map[string]*node{}
		for _, key := range got {
			kept[key] = &node{}
		}
		if !slices.Equal(common(want, kept), common(got, members)) || len(got) == 0 {
			clashes = append(clashes, Clash{first.orders[id].at.String(), "the order would be another one now"})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(second.orders)) {
		if _, ok := first.orders[id]; !ok {
			clashes = append(clashes, Clash{second.orders[id].at.String(), "the edit would change the order too now"})
		}
	}
	return clashes
}

// lostComments returns a comment that was added to base and that the result doesn't have.
func lostComments(base, added, result []byte) string {
	before, there, after := comments(base), comments(added), comments(result)
	for _, comment := range slices.Sorted(maps.Keys(there)) {
		if there[comment] > before[comment] && after[comment] < there[comment] {
			return comment
		}
	}
	return ""
}
