package config

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/order"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Fix is a change that makes a problem go away. It is offered where it is clear enough what was
// meant; whether it was is the user's to say.
//
// A fix inserts punctuation, known words and names, and deletes. It never repeats a value of the
// file, which may be secret, and it keeps comments.
type Fix struct {
	// Title says what the fix does, as on a button: "Remove the comma".
	Title words.Text `json:"-"`

	// Changes are sorted and do not overlap.
	Changes []Change `json:"changes"`
}

// MarshalJSON writes the fix with its title in English.
func (f *Fix) MarshalJSON() ([]byte, error) {
	return jsonc.Marshal(struct {
		Title   string   `json:"title"`
		Changes []Change `json:"changes"`
	}{f.Title.String(), f.Changes})
}

// Change puts New in the place of the bytes from Start to End of a document's source.
type Change = jsonc.Change

// ApplyChanges returns a copy of a text with the changes made. They must be sorted, must not overlap
// and must lie within the text; else the error matches [jsonc.ErrChanges].
func ApplyChanges(source []byte, changes []Change) ([]byte, error) {
	return jsonc.Apply(source, changes)
}

func sortChanges(changes []Change) {
	order.By(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Fixed is what [FixAll] did to a document.
type Fixed struct {
	// Source is the text with all fixes. It is the given one, not a copy, when nothing was fixed.
	Source []byte

	// Applied are the problems that were fixed, one after the other, each with its place in the text
	// in which it was found.
	Applied []Diagnostic

	// Stopped reports whether there may be more to fix, which would have taken too long. Another FixAll goes on.
	Stopped bool

	work int // as that of a document
}

// maxRounds is how many times [FixAll] looks for what else there is. A problem rarely has more than
// two others behind it.
const maxRounds = 100

// maxWork is after how much work FixAll stops, in bytes that are parsed: about a second. A file of eighty servers in single
// quotes is repaired whole in that time. One round is always made.
const maxWork = 128 << 20

// maxSingles is how many fixes of one round are tried one by one when they don't go together.
const maxSingles = 50

// FixAll applies the fixes of a document, as many together as don't touch each other, and again for
// what shows only then, until nothing is left that can be fixed. A fix that would not make the
// document better is left out, so the result never has more errors than the source. The name is the
// document's in messages.
func FixAll(name string, source []byte) Fixed {
	fixed := Fixed{Source: source}
	refused := map[string]bool{}
	before := parse(name, source, checkAll)
	fixed.work = before.work
	for round := 0; ; round++ {
		fixes := fixesTogether(before.Diagnostics, refused)
		if len(fixes) == 0 {
			break
		}
		if round == maxRounds || round > 0 && fixed.work > maxWork {
			fixed.Stopped = true
			break
		}
		after, ok := before.with(fixes, &fixed.work)
		if !ok {
			for _, single := range fixes[:min(len(fixes), maxSingles)] {
				if fixed.work > maxWork {
					break
				}
				fixes = []Diagnostic{single}
				if after, ok = before.with(fixes, &fixed.work); ok {
					break
				}
				refused[refusal(single)] = true
			}
		}
		if ok {
			fixed.Applied = append(fixed.Applied, fixes...)
			before = after
			clear(refused) // it may do good now
		}
	}
	fixed.Source = before.Source
	return fixed
}

// refusal names a fix that did no good, so that it is not tried again.
func refusal(d Diagnostic) string {
	return fmt.Sprint(d.Path, "\n", d.Code, "\n", d.Fix.Title.Code, d.Fix.Changes)
}

// fixesTogether chooses from the fixable problems those whose changes don't touch each other.
func fixesTogether(diagnostics []Diagnostic, refused map[string]bool) []Diagnostic {
	var chosen []Diagnostic
	var taken []Change
	for _, d := range diagnostics {
		if d.Fix == nil || refused[refusal(d)] {
			continue
		}
		if slices.ContainsFunc(d.Fix.Changes, func(c Change) bool { return touchesAny(taken, c) }) {
			continue
		}
		chosen = append(chosen, d)
		taken = append(taken, d.Fix.Changes...)
		sortChanges(taken)
	}
	return chosen
}

// touchesAny reports whether a change overlaps one of some sorted ones, or meets it without a byte
// between.
func touchesAny(sorted []Change, c Change) bool {
	i, _ := slices.BinarySearchFunc(sorted, c.Start, func(other Change, start int) int { return cmp.Compare(other.End, start) })
	return i < len(sorted) && sorted[i].Start <= c.End
}

// with returns the document with some fixes, and whether it is better than without. It adds what that takes to work.
func (d *Document) with(fixes []Diagnostic, work *int) (*Document, bool) {
	var changes []Change
	for _, fix := range fixes {
		changes = append(changes, fix.Fix.Changes...)
	}
	sortChanges(changes)
	source, err := ApplyChanges(d.Source, changes)
	if err != nil || len(source) > MaxSize || bytes.Equal(source, d.Source) {
		return nil, false
	}
	after := parse(d.Name, source, checkAll)
	*work += after.work
	return after, after.worth.compare(d.worth) < 0
}

// worth is how bad a document is. What comes first counts most: while there are syntax errors, not
// everything else is known.
type worth struct {
	unread   int // bytes behind the last syntax error that is noted, when there are more
	syntax   int // syntax errors
	errors   int // all errors
	warnings int
}

func (w worth) compare(o worth) int {
	return cmp.Or(cmp.Compare(w.unread, o.unread), cmp.Compare(w.syntax, o.syntax), cmp.Compare(w.errors, o.errors), cmp.Compare(w.warnings, o.warnings))
}
