package config

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Fix is a change that solves a problem. It is offered if the intention is clear enough; the user decides.
//
// A fix inserts punctuation, known words and names, and deletes text, and it keeps comments. If it has to
// repeat a value of the file, which may be secret, Repeats says so.
type Fix struct {
	// Title says what the fix does, as the label of a button: "Remove the comma".
	Title words.Text `json:"-"`

	// Changes are sorted and do not overlap.
	Changes []Change `json:"changes"`

	// Alone says that the user decides about this fix separately, since something else is run or a server is told
	// more. Such a fix is not applied along with others.
	Alone bool `json:"-"`

	// Repeats says that the changes contain values of the file. They are not shown, then.
	Repeats bool `json:"-"`
}

// MarshalJSON writes the fix with its title in English, and without changes that repeat values.
func (f *Fix) MarshalJSON() ([]byte, error) {
	changes := f.Changes
	if f.Repeats {
		changes = nil
	}
	return jsonc.Marshal(struct {
		Title   string   `json:"title"`
		Changes []Change `json:"changes,omitempty"`
	}{f.Title.String(), changes})
}

// Change replaces the bytes from Start to End of a document's source by New.
type Change = jsonc.Change

// ApplyChanges returns a copy of a text with changes made. They must be sorted, must not overlap and must lie
// within the text; otherwise the error matches [jsonc.ErrChanges].
func ApplyChanges(source []byte, changes []Change) ([]byte, error) {
	return jsonc.Apply(source, changes)
}

func sortChanges(changes []Change) {
	slices.SortStableFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// Fixed is the result of [FixAll].
type Fixed struct {
	// Document is the text with all fixes. If nothing was fixed its Source is the given slice, not a copy.
	*Document

	// Applied are the fixed problems in the order in which they were fixed. Each has its place in the text in
	// which it was found.
	Applied []Diagnostic

	// Stopped reports whether FixAll stopped because it took too long. Another call continues.
	Stopped bool

	cost int // of all that was diagnosed, as [Document.cost]
}

// maxRounds is the largest number of rounds of [FixAll]. A problem rarely hides more than two others.
const maxRounds = 100

// maxCost is the cost after which FixAll stops, as [Document.cost]: about a second. In that time a
// file of eighty servers in single quotes is repaired completely. One round is always made.
const maxCost = 128 << 20

// maxSingles is how many fixes of one round are tried one by one if they do not work together.
const maxSingles = 50

// FixAll applies the fixes of a document. In each round it applies as many fixes together as do not touch
// each other, until nothing can be fixed any more. A fix that does not improve the document is left out, so
// that the result never has more errors than the source. name is the document's name in messages.
func FixAll(name string, source []byte) Fixed {
	fixed := Fixed{}
	refused := map[string]bool{}
	before := parse(name, source, checkAll)
	fixed.cost = before.cost
	for round := 0; ; round++ {
		fixes := fixesTogether(before.Diagnostics, refused)
		if len(fixes) == 0 {
			break
		}
		if round == maxRounds || round > 0 && fixed.cost > maxCost {
			fixed.Stopped = true
			break
		}
		after, ok := before.with(fixes, &fixed.cost)
		if !ok {
			for _, single := range fixes[:min(len(fixes), maxSingles)] {
				if fixed.cost > maxCost {
					break
				}
				fixes = []Diagnostic{single}
				if after, ok = before.with(fixes, &fixed.cost); ok {
					break
				}
				refused[refusal(single)] = true
			}
		}
		if ok {
			fixed.Applied = append(fixed.Applied, fixes...)
			before = after
			clear(refused) // they may help now
		}
	}
	fixed.Document = before
	return fixed
}

// FixHere applies the fixes of problems that do not follow from the text alone, such as those of
// [Document.CheckEnvironment], and returns the new text. Fixes that the user decides about one by one are left
// out, and so are those whose place holds no string any more, since the text has changed.
func FixHere(document *Document, problems []Diagnostic) []byte {
	source := document.Source
	if !document.Valid() {
		return source
	}
	first := len(source)                       // where the fixes begin that were applied
	for i := range slices.Backward(problems) { // from the end, so that earlier offsets stay valid
		p := &problems[i]
		if p.Fix == nil || p.Fix.Alone || len(p.Fix.Changes) == 0 || p.Fix.Changes[len(p.Fix.Changes)-1].End > first ||
			!isString(source, p.Start, p.End) {
			continue
		}
		if fixed, err := ApplyChanges(source, p.Fix.Changes); err == nil {
			source, first = fixed, p.Fix.Changes[0].Start
		}
	}
	return source
}

// isString reports whether a place holds a whole string.
func isString(source []byte, from, to int) bool {
	return from >= 0 && to-from >= 2 && to <= len(source) && source[from] == '"' && source[to-1] == '"'
}

// refusal identifies a fix that did not help, so that it is not tried again.
func refusal(d Diagnostic) string {
	return fmt.Sprint(d.Path, "\n", d.Code, "\n", d.Fix.Title.Code, d.Fix.Changes)
}

// fixesTogether returns fixable problems whose changes do not touch each other.
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

// touchesAny reports whether a change overlaps or directly adjoins one of some sorted changes.
func touchesAny(sorted []Change, c Change) bool {
	i, _ := slices.BinarySearchFunc(sorted, c.Start, func(other Change, start int) int {
		return cmp.Compare(other.End, start)
	})
	return i < len(sorted) && sorted[i].Start <= c.End
}

// with returns the document with some fixes, and whether it is better. It adds what that takes to cost.
func (d *Document) with(fixes []Diagnostic, cost *int) (*Document, bool) {
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
	*cost += after.cost
	return after, after.damage.compare(d.damage) < 0
}

// damage says how bad a document is. Earlier fields count more: while there are syntax errors, other problems
// are not all known.
type damage struct {
	unread   int // bytes after the last syntax error that was recorded, if there are more
	syntax   int // syntax errors
	errors   int // all errors
	warnings int
}

func (d damage) compare(o damage) int {
	return cmp.Or(cmp.Compare(d.unread, o.unread), cmp.Compare(d.syntax, o.syntax), cmp.Compare(d.errors, o.errors),
		cmp.Compare(d.warnings, o.warnings))
}
