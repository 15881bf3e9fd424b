package jsonc

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var broken = []string{
	`{a: 1}`, `{"a": tru "b": 1}`, `{"a":1 "b":2}`, `{"a": [1,2, "b": {}}`, `{"a" 1, "b" "c": 2,}`,
	`{'a': 'b c', "x": npx -y foo, }`, `{"a":[1,{"x":2}`,
	"{\"a\": \"abc,\n \"b\": 1}", `[1,,2]`, `{} {}`, `]`, ``, `{"a": "C:\x \u12 \ud800"}`, `["a": 1]`,
	"{\"a\": 1; # foo\n\"b\":2}", `{{"a":1}}`, `{"a": }`,
	`{"a"`, `{"a": 1, foo}`, `{"a" = 2}`, "\ufeff\ufeff{}", "{\u00a0\"a\": 1}", "// a\u2028b\n1", "/*", `{"a": 01}`,
	"\"\xff\"", `{"“a”": “b”}`, `[[[}]`, `{"a":"\`,
}

// FuzzParse parses any text. A text without mistakes can be read by hujson, with the same tree. A text that
// encoding/json can read has no mistakes, and the same value.
func FuzzParse(f *testing.F) {
	for _, text := range broken {
		f.Add(text)
	}
	for seed := range uint64(20) {
		f.Add(newWriter(seed).document())
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := Parse([]byte(text))
		if err := wellFormed(d); err != nil {
			t.Fatalf("%v\n%q", err, text)
		}
		tooMuch := slices.ContainsFunc(d.Errors, func(err Error) bool {
			return err.Code == TooDeep || err.Code == TooManyValues
		})
		tree, err := judgeParse(text)
		switch {
		case len(d.Errors) == 0 && err != nil:
			t.Fatalf("no mistake was found, but %v\n%q", err, text)
		case err == nil && d.Broken() != nil && !tooMuch && !zeroInComment(d):
			t.Fatalf("%+v, but hujson can read it\n%q", *d.Broken(), text)
		case err == nil && d.Broken() == nil:
			if err := sameTree(d.Root, &tree, len(text)-len(strings.TrimPrefix(text, byteOrderMark))); err != nil {
				t.Fatalf("%v\n%q", err, text)
			}
		}
		if json.Valid([]byte(text)) && !tooMuch {
			sameAsJSON(t, d, text)
		}
	})
}

// zeroInComment reports whether the only mistake in a text is a zero byte in a comment, which hujson accepts.
func zeroInComment(d *Document) bool {
	for _, err := range d.Errors {
		in := func(s Span) bool { return s.Start <= err.Start && err.End <= s.End }
		if !err.Code.Readable() && (err.Code != InvalidCharacter || !slices.ContainsFunc(d.Comments, in)) {
			return false
		}
	}
	return true
}

func sameAsJSON(t *testing.T, d *Document, text string) {
	if d.Broken() != nil {
		t.Fatalf("%+v, but it is JSON\n%q", *d.Broken(), text)
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var want any
	if err := decoder.Decode(&want); err != nil {
		t.Fatal(err)
	}
	if !utf8.ValidString(text) {
		return
	}
	if !reflect.DeepEqual(d.Root.Value(), want) {
		t.Fatalf("%#v, want %#v\n%q", d.Root.Value(), want, text)
	}
	if compact := Parse([]byte(d.Root.Compact())); len(compact.Errors) > len(d.Errors) ||
		!reflect.DeepEqual(compact.Root.Value(), want) {
		t.Fatalf("on one line, the text is %q\n%q", compact.Text(), text)
	}
}

// FuzzEdit does random operations on anything that can be edited.
func FuzzEdit(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(newWriter(seed).document(), seed)
	}
	f.Add("{}", uint64(1))
	f.Add("{\"a\": {}, // x\n\"b\":[1,/*y*/2,],}", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) { editRandomly(t, text, seed, 3) })
}

func TestRandomEdits(t *testing.T) {
	done := map[string]int{}
	for seed := range uint64(3000) {
		for kind, n := range editRandomly(t, newWriter(seed).document(), seed, 6) {
			done[kind] += n
		}
	}
	t.Log(done)
	for _, kind := range []string{"set", "set text", "insert", "make", "remove", "rename", "move", "copy"} {
		if done[kind] < 100 {
			t.Errorf("%s was tested only %d times", kind, done[kind])
		}
	}
}

// editRandomly does operations one after the other, and compares the result of each with that of the same
// operation on a model.
func editRandomly(t *testing.T, text string, seed uint64, operations int) map[string]int {
	e, err := NewEditor([]byte(text), formFor(seed))
	if err != nil || !utf8.ValidString(text) || strings.Contains(text, `\u0000`) {
		return nil
	}
	if _, err := judgeParse(text); err != nil {
		return nil
	}
	w := newWriter(seed)
	done := map[string]int{}
	for range operations {
		before := e.Text()
		repeated := anyRepeated(e.Root())
		op := w.operation(e.Root())
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("%s\nseed %d: %s\n--- before\n%s\n--- after\n%s", fmt.Sprintf(format, args...), seed, op, before, e.Text())
		}
		if repeated { // the meaning is unclear, so it only must not panic
			_ = op.do(e)
			return done
		}
		want := op.judge(readModel(t, before))
		if err := op.do(e); err != nil {
			if want != nil {
				fail("refused: %v", err)
			}
			return done // the editor must not be used any more
		}
		if want == nil {
			fail("not refused")
		}
		done[op.kind]++
		if form := formFor(seed); op.kind == "remove" && form != nil && form.KeepComments {
			d := Parse([]byte(before))
			gone, kept := d.Root.At(op.from), len(comments(e.Text()))
			for _, c := range d.Comments {
				if c.Start < gone.First() || c.End > gone.End {
					kept--
				}
			}
			if kept < 0 {
				fail("%d comments around it are gone", -kept)
			}
		}
		d := Parse([]byte(e.Text()))
		if d.Broken() != nil {
			fail("broken: %+v", *d.Broken())
		}
		if err := samePlaces(e.Root(), d.Root); err != nil {
			fail("the tree is not that of the text: %v", err)
		}
		if _, err := judgeParse(e.Text()); err != nil {
			fail("hujson: %v", err)
		}
		got := readModel(t, e.Text())
		if op.ordered && show(got) != show(want) || !sameModel(got, want) {
			fail("it says %s", show(got))
		}
		if err := op.untouched(before, e.Text()); err != nil {
			fail("%v", err)
		}
		changes := e.Changes()
		after, err := Apply([]byte(text), changes)
		if err != nil || string(after) != e.Text() {
			fail("the changes do not make the text: %v", err)
		}
		undone, err := Apply(after, Invert([]byte(text), changes))
		if err != nil || string(undone) != text {
			fail("the changes cannot be undone: %v", err)
		}
	}
	return done
}

func show(v any) string {
	switch v := v.(type) {
	case *object:
		var b strings.Builder
		for i, key := range v.keys {
			fmt.Fprintf(&b, "%q: %s, ", key, show(v.values[i]))
		}
		return "{" + b.String() + "}"
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(show(e) + ", ")
		}
		return "[" + b.String() + "]"
	}
	return fmt.Sprintf("%q", v)
}

func anyRepeated(n *Node) bool {
	return n.Repeated() != nil || slices.ContainsFunc(n.Children, anyRepeated)
}

// FuzzDifference checks that the change between two texts turns one into the other, can be undone, and cuts
// no character.
func FuzzDifference(f *testing.F) {
	f.Add("some text ä", "some ö text")
	f.Add("aaa", "aa")
	f.Add("ä", "ö")
	f.Fuzz(func(t *testing.T, before, after string) {
		if !utf8.ValidString(before) || !utf8.ValidString(after) {
			return
		}
		changes := Difference(before, after)
		got, err := Apply([]byte(before), changes)
		if err != nil || string(got) != after {
			t.Fatalf("%v: %+v makes %q of %q, want %q", err, changes, got, before, after)
		}
		if back, err := Apply(got, Invert([]byte(before), changes)); err != nil || string(back) != before {
			t.Fatalf("%v: %q undone is %q", err, after, back)
		}
		for _, c := range changes {
			if !utf8.ValidString(c.New) {
				t.Fatalf("a change cuts a character in two: %+v", c)
			}
		}
	})
}
