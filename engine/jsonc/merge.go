package jsonc

import (
	"maps"
	"slices"
	"strings"
)

// Merge is two changes of one text that are to go together: Mine is what made ours of the base, Others what made theirs. The text that has
// both is made by doing mine once more, on theirs; Check says whether that did what it should.
type Merge struct {
	Base, Ours, Theirs *Document
	Mine, Others       Delta
}

// NewMerge compares two changes of a text. The error is [ErrSyntax] when one of the texts is broken.
func NewMerge(base, ours, theirs []byte) (*Merge, error) {
	m := &Merge{Base: Parse(base), Ours: Parse(ours), Theirs: Parse(theirs)}
	for _, d := range []*Document{m.Base, m.Ours, m.Theirs} {
		if d.Broken() != nil {
			return nil, ErrSyntax
		}
	}
	m.Mine = Compare(m.Base.Root, m.Ours.Root)
	m.Others = Compare(m.Base.Root, m.Theirs.Root)
	return m, nil
}

// Clash is a path at which two changes do not go together.
type Clash struct {
	Path  Path
	Kind  ClashKind
	Their Alteration // what they did, for the kinds up to ClashInside
}

// ClashKind is why two changes do not go together.
type ClashKind int

// The reasons why two changes of one text do not go together, and how a change done a second time can differ from the first.
const (
	ClashSame         ClashKind = iota + 1 // they did the same
	ClashChanged                           // they did something else to the same value
	ClashAround                            // they did something to what the value is in
	ClashInside                            // they did something to what is in the value
	ClashOrder                             // both put an object into another order
	ClashDiffers                           // the change does something else to the value now
	ClashMore                              // the change does something to a value that it did nothing to before
	ClashOrderDiffers                      // the change makes another order now
	ClashOrderMore                         // the change makes a new order where it made none before
)

// Done reports whether they did all that mine does, so that nothing is left to do.
func (m *Merge) Done() bool {
	for _, a := range m.Mine.Values {
		if b := m.Others.find(a.id); b == nil || !identical(a.After, b.After) {
			return false
		}
	}
	return len(m.Mine.Values) > 0 && len(m.Mine.Orders) == 0 && lostComment(m.Base, m.Ours, m.Theirs) == ""
}

// Clashes returns what both changed.
func (m *Merge) Clashes() []Clash {
	var clashes []Clash
	for _, a := range m.Mine.Values {
		for _, b := range m.Others.Values {
			kind := ClashKind(0)
			switch {
			case a.id == b.id && identical(a.After, b.After):
				kind = ClashSame
			case a.id == b.id:
				kind = ClashChanged
			case strings.HasPrefix(a.id, b.id):
				kind = ClashAround
			case strings.HasPrefix(b.id, a.id):
				kind = ClashInside
			default:
				continue
			}
			clashes = append(clashes, Clash{a.Path, kind, b})
		}
	}
	for _, o := range m.Mine.Orders {
		if m.Others.order(o.id) != nil {
			clashes = append(clashes, Clash{Path: o.Path, Kind: ClashOrder})
		}
	}
	return clashes
}

// Check compares what mine did to theirs with what it did to the base: it must be the same, no more and no less. Lost is a comment
// that they added and that the result does not have, or "". The error is [ErrSyntax] when the result is broken.
func (m *Merge) Check(result []byte) (clashes []Clash, lost string, err error) {
	after := Parse(result)
	if after.Broken() != nil {
		return nil, "", ErrSyntax
	}
	again := Compare(m.Theirs.Root, after.Root)
	for _, a := range m.Mine.Values {
		if b := again.find(a.id); b == nil || !identical(a.After, b.After) || !identical(a.Before, b.Before) {
			clashes = append(clashes, Clash{Path: a.Path, Kind: ClashDiffers})
		}
	}
	for _, b := range again.Values {
		if m.Mine.find(b.id) == nil {
			clashes = append(clashes, Clash{Path: b.Path, Kind: ClashMore})
		}
	}
	for _, o := range m.Mine.Orders {
		want, got := o.Keys, again.order(o.id)
		if len(got) == 0 || !slices.Equal(common(want, got), common(got, want)) {
			clashes = append(clashes, Clash{Path: o.Path, Kind: ClashOrderDiffers})
		}
	}
	for _, o := range again.Orders {
		if m.Mine.order(o.id) == nil {
			clashes = append(clashes, Clash{Path: o.Path, Kind: ClashOrderMore})
		}
	}
	return clashes, lostComment(m.Base, m.Theirs, after), nil
}

// lostComment returns a comment that was added to base and that the result does not have, or "".
func lostComment(base, added, result *Document) string {
	before, there, after := base.countComments(), added.countComments(), result.countComments()
	for _, comment := range slices.Sorted(maps.Keys(there)) {
		if there[comment] > before[comment] && after[comment] < there[comment] {
			return comment
		}
	}
	return ""
}

// countComments returns how often each comment is there.
func (d *Document) countComments() map[string]int {
	found := map[string]int{}
	for _, c := range d.Comments {
		found[strings.TrimSpace(d.Slice(c))]++
	}
	return found
}
