package edit

import (
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// assign makes the value at a place of the text another one, keeping what the two have in common: of an
// array the elements that stay, of an object the members that stay.
func (d *draft) assign(at span, r role, want *node) error {
	a := assignment{draft: d, at: at}
	if err := a.set(nil, r, want); err != nil {
		return err
	}
	return d.replace(nil) // it is only parsed
}

// assignment is a value while it is made another one. Only that part of the text is parsed again
// after each step.
type assignment struct {
	*draft
	at span
}

// value returns the value as it is now, or what a path of child numbers in it leads to.
func (a *assignment) value(path []int) *node {
	text := a.text[:a.at.end]
	n := &node{text: text, comma: -1, value: a.at}
	for _, i := range path {
		n = n.kids()[i]
	}
	return n
}

func (a *assignment) replace(changes []Change) error {
	before := len(a.text)
	if err := a.patch(changes); err != nil {
		return err
	}
	a.at.end += len(a.text) - before
	if _, problem := config.CheckSyntax(a.text[a.at.start:a.at.end]); problem != nil {
		return fmt.Errorf("%w: an edit would have broken the file: %s", ErrBug, problem.Message)
	}
	return nil
}

func (a *assignment) set(path []int, r role, want *node) error {
	have := a.value(path)
	switch {
	case sameValue(have, want):
		return nil
	case have.kind() == '{' && want.kind() == '{' && have.repeated() == nil:
		return a.setObject(path, r, want)
	case have.kind() == '[' && want.kind() == '[' && len(have.kids())+len(want.kids()) <= maxArray:
		return a.setArray(path, r, want)
	}
	text := want.scalar()
	if text == "" {
		text = a.style().print(want, r, indentation(a.text, have.first()), a.style().unitOf(have), true)
	}
	return a.replace([]Change{{have.value.start, have.value.end, text}})
}

func (a *assignment) setObject(path []int, r role, want *node) error {
	for i := len(a.value(path).kids()) - 1; i >= 0; i-- {
		have := a.value(path)
		if want.index(have.kids()[i].key) < 0 {
			if err := a.replace(have.remove(i)); err != nil {
				return err
			}
		}
	}
	for _, kid := range want.kids() {
		have := a.value(path)
		if i := have.index(kid.key); i >= 0 {
			if err := a.set(append(path[:len(path):len(path)], i), r.member(kid.key), kid); err != nil {
				return err
			}
			continue
		}
		index, after := usualAmong(have.keys(), r, kid.key)
		if err := a.insert(path, r, index, after, kid); err != nil {
			return err
		}
	}
	return nil
}

// maxArray is how many elements two arrays may have to be compared one by one.
const maxArray = 1000

func (a *assignment) setArray(path []int, r role, want *node) error {
	have := a.value(path).kids()
	steps := compare(have, want.kids())
	i := 0 // in the array as it is now
	for s := 0; s < len(steps); s++ {
		var err error
		switch step := steps[s]; {
		case step.have >= 0 && step.want >= 0:
			i++
		case step.have >= 0 && s+1 < len(steps) && steps[s+1].have < 0: // one in place of another
			s++
			err = a.set(append(path[:len(path):len(path)], i), roleOther, want.kids()[steps[s].want])
			i++
		case step.have >= 0:
			err = a.replace(a.value(path).remove(i))
		default:
			err = a.insert(path, r, i, true, want.kids()[step.want])
			i++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// insert puts a member or an element into what the path leads to.
func (a *assignment) insert(path []int, r role, index int, after bool, kid *node) error {
	have := a.value(path)
	st := a.style()
	name := ""
	if have.kind() == '{' {
		name = quoteJSON(kid.key) + st.colonOf(have)
	}
	return a.replace(have.insert(index, after, insertion{write: func(indent, unit string, lines bool) string {
		return name + st.print(kid, r.member(kid.key), indent, unit, lines)
	}}, st, r))
}

// step is an element that two arrays have both, or that only one of them has; the other is then -1.
type step struct{ have, want int }

// compare finds a longest common subsequence. What is only in the first comes right before what is only
// in the second, one by one, so that it can be replaced by that.
func compare(have, want []*node) []step {
	length := make([][]int, len(have)+1)
	for i := range length {
		length[i] = make([]int, len(want)+1)
	}
	same := func(i, j int) bool { return sameValue(have[i], want[j]) }
	for i := len(have) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if same(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	var steps []step
	var old, added []int
	flush := func() {
		for k := range max(len(old), len(added)) {
			if k < len(old) {
				steps = append(steps, step{old[k], -1})
			}
			if k < len(added) {
				steps = append(steps, step{-1, added[k]})
			}
		}
		old, added = nil, nil
	}
	for i, j := 0, 0; i < len(have) || j < len(want); {
		switch {
		case i < len(have) && j < len(want) && same(i, j):
			flush()
			steps = append(steps, step{i, j})
			i++
			j++
		case j == len(want) || i < len(have) && length[i+1][j] >= length[i][j+1]:
			old = append(old, i)
			i++
		default:
			added = append(added, j)
			j++
		}
	}
	flush()
	return steps
}
