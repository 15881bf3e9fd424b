package jsonc

import (
	"maps"
	"slices"
	"strings"
)

// Merge is two changes of the same text that are to be combined: Mine turned the base into ours, Others
// turned it into theirs. The combined text is made by doing mine again, on theirs; Check says whether that
// had the right effect.
type Merge struct {
	Base, Ours, Theirs *Document
	Mine, Others       Delta
}

// NewMerge compares two changes of a text. The error is [ErrSyntax] if one of the texts is broken.
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

// Clash is a path at which two changes contradict each other.
type Clash struct {
	Path  Path
	Kind  ClashKind
	Their Alteration // their change, for the kinds up to ClashInside
}

// ClashKind is the reason why two changes contradict each other.
type ClashKind int

// The reasons why two changes of the same text contradict each other, and the ways in which doing a change a
// second time can differ from the first.
const (
	ClashSame         ClashKind = iota + 1 // they made the same change
	ClashChanged                           // they changed the same value differently
	ClashAround                            // they changed a value around it
	ClashInside                            // they changed something in it
	ClashOrder                             // both changed the order of an object
	ClashDiffers                           // the change now has another effect on the value
	ClashMore                              // the change now affects a value that it did not affect before
	ClashOrderDiffers                      // the change now gives another order
	ClashOrderMore                         // the change now gives a new order where it gave none before
)

// Done reports whether the others have made all changes of mine, so that nothing is left to do.
func (m *Merge) Done() bool {
	for _, a := range m.Mine.Values {
		if b := m.Others.find(a.id); b == nil || !identical(a.After, b.After) {
			return false
		}
	}
	return len(m.Mine.Values) > 0 && len(m.Mine.Orders) == 0 && lostComment(m.Base, m.Ours, m.Theirs) == ""
}

// Clashes returns the clashes between the two changes.
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

// Check compares the effect of mine on theirs with its effect on the base: they must be the same. lost is a
// comment that they added and that is missing in the result, or "". The error is [ErrSyntax] if the result is
// broken.
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

// lostComment returns a comment that was added to base and is missing in the result, or "".
func lostComment(base, added, result *Document) string {
	before, there, after := base.countComments(), added.countComments(), result.countComments()
	for _, comment := range slices.Sorted(maps.Keys(there)) {
		if there[comment] > before[comment] && after[comment] < there[comment] {
			return comment
		}
	}
	return ""
}

// countComments returns how often each comment occurs.
func (d *Document) countComments() map[string]int {
	found := map[string]int{}
	for _, c := range d.Comments {
		found[strings.TrimSpace(d.Slice(c))]++
	}
	return found
}
