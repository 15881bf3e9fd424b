package editor

import (
	"encoding/json"
	"slices"
)

// rebuild makes the rows those of the file.
func (a *arguments) rebuild() {
	old := a.rows
	a.rows = nil
	for i, value := range a.base {
		at := slices.IndexFunc(old, func(row *argument) bool { return row.from == i })
		if at < 0 {
			a.insert(len(a.rows), value.Text, i)
			continue
		}
		a.rows = append(a.rows, old[at])
	}
	a.arrange()
}

func (a *arguments) follow(entry Entry) {
	value, there := entry.Get("args")
	a.odd = there && value.Kind != '['
	theirs := value.List
	earlier := slices.IndexFunc(a.before, func(sent sentList) bool { return sameValues(theirs, sent.values) })
	switch {
	case a.sent != nil && sameValues(theirs, a.sent):
		a.arrived(theirs, a.rowsSent)
		a.sent, a.rowsSent, a.before = nil, nil, nil
	case slices.EqualFunc(theirs, a.base, func(x, y Value) bool { return x.Raw == y.Raw }):
		if a.again {
			a.base = theirs
			a.rebuild()
		}
	case earlier >= 0:
		a.arrived(theirs, a.before[earlier].rows)
	default:
		a.merge(theirs)
	}
	a.spare = nil // what is not in the window gets no other theme, and Fyne forgets it
	a.arrange()
}

// arrived takes up a file that has what was sent to it. The rows may have been moved and removed since, so that the file is told by
// those that were sent, and their order stays.
func (a *arguments) arrived(theirs []Value, sent []*argument) {
	a.base = theirs
	a.rows = slices.DeleteFunc(a.rows, func(row *argument) bool {
		if row.from < 0 || slices.Contains(sent, row) {
			return false
		}
		row.from = -1 // it came from elsewhere meanwhile, and has gone again
		return !row.lost()
	})
	for i, row := range sent {
		row.from = i
		row.draft.follow(theirs[i].Text)
	}
}

// merge takes up what somebody else made of the list.
func (a *arguments) merge(theirs []Value) {
	var rows []*argument
	kept := map[*argument]bool{}
	byBase := map[int]*argument{}
	for _, row := range a.rows {
		if row.from >= 0 {
			byBase[row.from] = row
		}
	}
	for _, pair := range align(a.base, theirs) {
		row := byBase[pair.base]
		switch {
		case pair.theirs < 0: // taken out there
			if row != nil && row.lost() {
				row.from = -1
				rows, kept[row] = append(rows, row), true
			}
		case pair.base >= 0 && row == nil && !a.again && a.base[pair.base].Raw == theirs[pair.theirs].Raw: // taken out here
		case pair.base < 0 || row == nil: // new there
			rows = append(rows, a.detached(theirs[pair.theirs].Text, pair.theirs))
		default:
			row.from = pair.theirs
			row.draft.follow(theirs[pair.theirs].Text)
			rows, kept[row] = append(rows, row), true
		}
	}
	// What the user has just made stays behind what it stood behind.
	for i, row := range a.rows {
		if kept[row] || row.from >= 0 || a.again {
			continue
		}
		at := 0
		if i > 0 {
			at = slices.Index(rows, a.rows[i-1]) + 1
		}
		rows = slices.Insert(rows, at, row)
		kept[row] = true
	}
	a.base, a.rows = theirs, rows
}

// detached makes a row that is not in the list yet.
func (a *arguments) detached(text string, from int) *argument {
	row := a.insert(len(a.rows), text, from)
	a.rows = a.rows[:len(a.rows)-1]
	return row
}

func sameValues(values []Value, raw []json.RawMessage) bool {
	return slices.EqualFunc(values, raw, func(value Value, raw json.RawMessage) bool {
		if !value.String {
			return value.Raw == string(raw)
		}
		var text string
		return json.Unmarshal(raw, &text) == nil && text == value.Text
	})
}

// pair says which element of one list became which of another; -1: none.
type pair struct{ base, theirs int }

// align finds what two lists have in common. What was replaced is paired one by one.
func align(from, to []Value) []pair {
	if len(from)*len(to) > 1<<20 {
		from = nil // too much to compare: all is new
	}
	length := make([][]int, len(from)+1)
	for i := range length {
		length[i] = make([]int, len(to)+1)
	}
	for i := len(from) - 1; i >= 0; i-- {
		for j := len(to) - 1; j >= 0; j-- {
			if from[i].Raw == to[j].Raw {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var pairs []pair
	var old, added []int
	flush := func() {
		for k := range max(len(old), len(added)) {
			p := pair{-1, -1}
			if k < len(old) {
				p.base = old[k]
			}
			if k < len(added) {
				p.theirs = added[k]
			}
			pairs = append(pairs, p)
		}
		old, added = nil, nil
	}
	for i, j := 0, 0; i < len(from) || j < len(to); {
		switch {
		case i < len(from) && j < len(to) && from[i].Raw == to[j].Raw:
			flush()
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case j == len(to) || i < len(from) && length[i+1][j] >= length[i][j+1]:
			old = append(old, i)
			i++
		default:
			added = append(added, j)
			j++
		}
	}
	flush()
	return pairs
}
