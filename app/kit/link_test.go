package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Addresses in a text are links for the mouse and the keyboard. The rest is plain text.
func TestLinked(t *testing.T) {
	test.NewTempApp(t)
	var opened []string
	linksIn := func(text fyne.CanvasObject) (links []*Link) {
		for _, object := range test.LaidOutObjects(text) {
			if link, ok := object.(*Link); ok {
				links = append(links, link)
			}
		}
		return links
	}
	text := NewLinked("Make one at https://example.com/keys/ and see https://example.com/help. Then paste it.",
		TextStyle{},
		func(address string) { opened = append(opened, address) })
	window := test.NewTempWindow(t, text)
	window.Resize(fyne.NewSize(240, 200))
	links := linksIn(text)
	if len(links) != 2 || links[0].Text() != "example.com/keys" || links[1].Text() != "example.com/help" {
		t.Fatalf("the links are %v", links)
	}
	test.Tap(links[0])
	window.Canvas().Focus(links[1])
	links[1].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if want := []string{"https://example.com/keys/", "https://example.com/help"}; !slices.Equal(opened, want) {
		t.Errorf("opened %q", opened)
	}
	said := ""
	for _, object := range test.LaidOutObjects(text) {
		switch object := object.(type) {
		case *Text:
			said += object.Text() + " "
		}
	}
	if said != "Make one at example.com/keys and see example.com/help . Then paste it. " {
		t.Errorf("the texts are %q", said)
	}
	for _, object := range test.LaidOutObjects(text) {
		if link, ok := object.(*Link); ok && link.Position().X+link.Size().Width > 240 {
			t.Error("a link is wider than its object")
		}
	}
	if plain := NewLinked("Make one at https://example.com", TextStyle{}, nil); len(linksIn(plain)) != 0 {
		t.Error("there is a link although no function opens links")
	}
}
