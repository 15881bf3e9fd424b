package file

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text, words string
		want        []foundAt
	}{
		{"a\nb", "", nil},
		{"a\nb", "c", nil},
		{"npx, NPX\n\"npx\"", "Npx", []foundAt{{1, 1}, {1, 6}, {2, 2}}},
		{"aaaa", "aa", []foundAt{{1, 1}, {1, 3}}},
		{"Ünï ünï", "ü", []foundAt{{1, 1}, {1, 5}}},
	} {
		if got := places(c.text, c.words); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.words, c.text, got, c.want)
		}
	}
}

func TestFind(t *testing.T) {
	b := open(t, plainText, usual)
	canvas := b.window.Canvas()
	b.Find(canvas)
	if canvas.Focused() != fyne.Focusable(b.text.find.field) {
		t.Fatal("the field does not have the focus")
	}
	test.Type(b.text.find.field, "mcp")
	all := places(b.text.code.Text(), "mcp")
	if len(all) < 3 {
		t.Fatalf("the text has %d matches", len(all))
	}
	is := func(what string, number int) {
		t.Helper()
		line, column := b.text.code.Caret()
		if got := (foundAt{line, column - 3}); got != all[number] || len(b.text.code.SelectedText()) != 3 {
			t.Errorf("%s: %v with %q, want %v", what, got, b.text.code.SelectedText(), all[number])
		}
	}
	key := func(name fyne.KeyName) { b.text.find.field.TypedKey(&fyne.KeyEvent{Name: name}) }
	is("typed", 0)
	key(fyne.KeyReturn)
	is("the next", 1)
	key(fyne.KeyDown)
	is("and the next", 2)
	key(fyne.KeyUp)
	key(fyne.KeyUp)
	is("back again", 0)
	key(fyne.KeyUp)
	is("round to the last", len(all)-1)
	key(fyne.KeyReturn)
	is("round to the first", 0)
	b.says("found", "1 of")

	b.text.find.field.SetText("hunter2")
	b.says("a secret that is hidden", "Nothing matches")

	key(fyne.KeyEscape)
	if b.text.find.root.Visible() || !b.text.code.Focused() {
		t.Error("Esc does not move the focus back into the text")
	}
	b.tabs.Follow(tabHistory)
	b.showTab()
	b.Find(canvas)
	if b.text.find.root.Visible() {
		t.Error("the search is open although the text is not shown")
	}
}
