package jsonc

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMerge(t *testing.T) {
	const base = `{"a": {"x": 1, "y": [1, 2]}, "b": {"z": true}}`
	for _, test := range []struct {
		name, ours, theirs string
		want               []Clash // path and kind count
	}{
		{"nothing in common", `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`,
			`{"a": {"x": 1, "y": [1, 2]}, "b": {"z": false}}`, nil},
		{"only white space", `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`, strings.ReplaceAll(base, " ", "\n"), nil},
		{"the same", `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`, `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`,
			[]Clash{{Path: Keys("a", "x"), Kind: ClashSame}}},
		{"the same value", `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`,
			`{"a": {"x": 3, "y": [1, 2]}, "b": {"z": true}}`, []Clash{{Path: Keys("a", "x"), Kind: ClashChanged}}},
		{"what it is in", `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`, `{"b": {"z": true}}`,
			[]Clash{{Path: Keys("a", "x"), Kind: ClashAround}}},
		{"what is in it", `{"b": {"z": true}}`, `{"a": {"x": 2, "y": [1, 2]}, "b": {"z": true}}`,
			[]Clash{{Path: Keys("a"), Kind: ClashInside}}},
		{"two elements", `{"a": {"x": 1, "y": [1, 3]}, "b": {"z": true}}`, `{"a": {"x": 1, "y": [0, 2]}, "b": {"z": true}}`,
			[]Clash{{Path: Keys("a", "y"), Kind: ClashChanged}}},
		{"two orders", `{"b": {"z": true}, "a": {"x": 1, "y": [1, 2]}}`, `{"b": {"z": true}, "a": {"x": 1, "y": [1, 2]}}`,
			[]Clash{{Path: Path{}, Kind: ClashOrder}}},
	} {
		m, err := NewMerge([]byte(base), []byte(test.ours), []byte(test.theirs))
		if err != nil {
			t.Fatal(err)
		}
		var got []Clash
		for _, c := range m.Clashes() {
			got = append(got, Clash{Path: append(Path{}, c.Path...), Kind: c.Kind})
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
		if m.Done() != (test.name == "the same") {
			t.Errorf("%s: Done is %v", test.name, m.Done())
		}
	}
	if _, err := NewMerge([]byte(base), []byte("{"), []byte(base)); err != ErrSyntax {
		t.Error(err)
	}
}

// FuzzMerge makes two random changes of a text and does one of them again on the result of the other. If
// Check accepts the result, it must equal a merge of the values alone, and have the comments of both.
func FuzzMerge(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(newWriter(seed).document(), seed)
	}
	f.Fuzz(func(t *testing.T, base string, seed uint64) { mergeRandomly(t, base, seed) })
}

func TestRandomMerges(t *testing.T) {
	merged, clashed := 0, 0
	for seed := range uint64(3000) {
		switch mergeRandomly(t, newWriter(seed).document(), seed) {
		case "merged":
			merged++
		case "clashed":
			clashed++
		}
	}
	if merged < 500 || clashed < 100 {
		t.Errorf("%d merged, %d clashed", merged, clashed)
	}
}

func mergeRandomly(t *testing.T, base string, seed uint64) (outcome string) {
	e, err := NewEditor([]byte(base), formFor(seed))
	if err != nil || !utf8.ValidString(base) || strings.Contains(base, `\u0000`) || anyRepeated(e.Root()) {
		return ""
	}
	if _, err := judgeParse(base); err != nil {
		return ""
	}
	w := newWriter(seed)
	mine, others := w.operation(e.Root()), w.operation(e.Root())
	did := func(op operation, text string) (string, bool) {
		e, err := NewEditor([]byte(text), formFor(seed))
		if err == nil {
			err = op.do(e)
		}
		if err != nil {
			return "", false
		}
		return e.Text(), true
	}
	ours, ok := did(mine, base)
	theirs, ok2 := did(others, base)
	if !ok || !ok2 {
		return ""
	}
	m, err := NewMerge([]byte(base), []byte(ours), []byte(theirs))
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := readModel(t, base), readModel(t, ours), readModel(t, theirs)
	want, possible := mergeModels(a, b, c, sameModel)
	// in arrays, the order of members counts
	_, certain := mergeModels(a, b, c, func(a, b any) bool { return show(a) == show(b) })
	clashes := m.Clashes()
	same := slices.ContainsFunc(clashes, func(c Clash) bool { return c.Kind == ClashSame })
	if len(clashes) == 0 && !possible {
		t.Fatalf("no clash between %s and %s\n%s", mine, others, base)
	}
	for _, c := range clashes {
		if certain && !same && c.Kind != ClashOrder {
			t.Fatalf("%v %d between %s and %s\n%s", c.Path, c.Kind, mine, others, base)
		}
	}
	if len(clashes) > 0 {
		return "clashed"
	}
	result, ok := did(mine, theirs)
	if !ok {
		return "refused"
	}
	differences, lost, err := m.Check([]byte(result))
	if err != nil {
		t.Fatal(err)
	}
	if len(differences) > 0 || lost != "" {
		return "differs"
	}
	if got := readModel(t, result); !sameModel(got, want) {
		t.Fatalf("%s and %s make %s, want %s\n%s", mine, others, show(got), show(want), base)
	}
	return "merged"
}

// mergeModels merges two changes of a value, objects member by member. possible is false if both changed the
// same value.
func mergeModels(base, ours, theirs any, same func(a, b any) bool) (merged any, possible bool) {
	a, isA := base.(*object)
	b, isB := ours.(*object)
	c, isC := theirs.(*object)
	switch {
	case same(base, ours):
		return theirs, true
	case same(base, theirs):
		return ours, true
	case !isA || !isB || !isC:
		return nil, false
	}
	get := func(o *object, key string) any {
		if i := slices.Index(o.keys, key); i >= 0 {
			return o.values[i]
		}
		return nil
	}
	out := &object{}
	for _, key := range slices.Concat(a.keys, b.keys, c.keys) {
		if slices.Contains(out.keys, key) {
			continue
		}
		value, ok := mergeModels(get(a, key), get(b, key), get(c, key), same)
		if !ok {
			return nil, false
		}
		if value != nil {
			out.keys, out.values = append(out.keys, key), append(out.values, value)
		}
	}
	return out, true
}
