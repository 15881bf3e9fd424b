package jsonc

// assign sets the value at a path and keeps the parts that do not change: the common elements of an array,
// the common members of an object.
func (e *Editor) assign(path Path, want *Node) error {
	have := e.doc.Root.At(path)
	switch {
	case Equal(have, want):
		return nil
	case have.Kind == Object && want.Kind == Object && have.Repeated() == nil:
		return e.assignObject(path, want)
	case have.Kind == Array && want.Kind == Array && len(have.Children)+len(want.Children) <= maxArray:
		return e.assignArray(path, want)
	}
	text := want.scalar()
	if text == "" {
		text = e.style.print(want, e.form.at(path), Indentation(e.doc.text, have.First()), e.style.unitOf(have), true)
	}
	return e.change(e.parent(path), Change{have.Start, have.End, text})
}

func (e *Editor) assignObject(path Path, want *Node) error {
	have := e.doc.Root.At(path)
	for i := len(have.Children) - 1; i >= 0; i-- {
		if want.index(have.Children[i].Key) < 0 {
			if err := e.change(have, have.remove(i)...); err != nil {
				return err
			}
		}
	}
	for _, kid := range want.Children {
		if have.index(kid.Key) >= 0 {
			if err := e.assign(path.Member(kid.Key), kid); err != nil {
				return err
			}
			continue
		}
		if err := e.insert(path, Step{kid.Key, -1}, kid, Usual()); err != nil {
			return err
		}
	}
	return nil
}

// maxArray is the largest number of elements for which two arrays are compared one by one.
const maxArray = 1000

func (e *Editor) assignArray(path Path, want *Node) error {
	have := e.doc.Root.At(path)
	steps := compareElements(have.Children, want.Children)
	i := 0 // index in the current array
	for s := 0; s < len(steps); s++ {
		var err error
		switch step := steps[s]; {
		case step.have >= 0 && step.want >= 0:
			i++
		case step.have >= 0 && s+1 < len(steps) && steps[s+1].have < 0: // one element replaces another
			s++
			err = e.assign(path.Element(i), want.Children[steps[s].want])
			i++
		case step.have >= 0:
			err = e.change(have, have.remove(i)...)
		default:
			err = e.insert(path, Step{"", i}, want.Children[step.want], Position{i, true})
			i++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pair is an element that is in both arrays, or only in one of them; the index in the other array is then -1.
type pair struct{ have, want int }

// compareElements finds a longest common subsequence. Elements that are only in the first array come right
// before those that are only in the second, in pairs, so that one can replace the other.
func compareElements(have, want []*Node) []pair {
	length := make([][]int, len(have)+1)
	for i := range length {
		length[i] = make([]int, len(want)+1)
	}
	for i := len(have) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if Equal(have[i], want[j]) {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	var steps []pair
	var old, added []int
	flush := func() {
		for k := range max(len(old), len(added)) {
			if k < len(old) {
				steps = append(steps, pair{old[k], -1})
			}
			if k < len(added) {
				steps = append(steps, pair{-1, added[k]})
			}
		}
		old, added = nil, nil
	}
	for i, j := 0, 0; i < len(have) || j < len(want); {
		switch {
		case i < len(have) && j < len(want) && Equal(have[i], want[j]):
			flush()
			steps = append(steps, pair{i, j})
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
