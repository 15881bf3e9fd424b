package settings

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// slow is a Program that queues what is to be done later.
type slow struct {
	fake
	queue *[]func()
}

func (s *slow) Later(do func()) { *s.queue = append(*s.queue, do) }

// TestSectionsAreMadeOneByOne checks that no single call creates the whole screen: the visible sections are created
// first, then the others one by one. The result is the same, and the sections above do not move.
func TestSectionsAreMadeOneByOne(t *testing.T) {
	newApp(t)
	view := sample()
	view.Doctor = checked()
	whole := open(t, view, normal)

	var later []func()
	s := New(&slow{fake: fake{opened: &opened{}, t: t}, queue: &later}, &model.Opened{})
	s.Apply(view)
	o := &opened{Screen: s, window: whole.window}
	o.window.SetContent(s.Object())
	o.window.Resize(normal)
	o.Apply(view) // does not create more sections, nor faster
	s.Show(SectionAbout)
	if len(s.made) != firstParts || s.general == nil || s.secrets == nil || s.checks != nil {
		t.Errorf("%d sections are made at once", len(s.made))
	}
	at := func(heading fyne.CanvasObject) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(heading).Y
	}
	top := at(s.secrets.heading)
	for made := firstParts + 1; made <= len(s.titles); made++ {
		if len(later) != 1 {
			t.Fatalf("%d functions are queued with %d sections made, want 1", len(later), made-1)
		}
		next := later[0]
		later = nil
		next()
		if len(s.made) != made {
			t.Fatalf("%d sections are made, want %d", len(s.made), made)
		}
		if made < len(s.titles) && at(s.secrets.heading) != top {
			t.Errorf("a section has moved from %v to %v", top, at(s.secrets.heading))
		}
	}
	if len(later) != 0 {
		t.Error("functions are still queued")
	}
	if y := at(s.made[SectionAbout].self().heading); y < 0 || y > normal.Height-60 { // nothing is below the last section
		t.Errorf("the requested section is at %v", y)
	}
	if is, want := s.column.MinSize(), whole.column.MinSize(); is != want {
		t.Errorf("the screen needs %v; made at once, it needs %v", is, want)
	}
	for i, part := range s.made {
		if is, want := part.self().root.Position(), whole.made[i].self().root.Position(); is != want {
			t.Errorf("section %d is at %v; made at once, it is at %v", i, is, want)
		}
	}
}

// TestLinks checks that choosing the name of a section shows it, with the mouse and the keyboard, and that the list of
// names does not scroll.
func TestLinks(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	var links []*link
	for _, object := range seen(o.window.Content()) {
		if found, ok := object.(*link); ok {
			links = append(links, found)
		}
	}
	if len(links) != len(o.titles) {
		t.Fatalf("there are %d links to %d sections", len(links), len(o.titles))
	}
	place := func(object fyne.CanvasObject) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Y
	}
	for i, found := range links {
		before := place(found)
		if i%2 == 0 {
			test.Tap(found)
		} else {
			o.window.Canvas().Focus(found)
			found.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		}
		if found.AccessibilityLabel() != o.titles[i] {
			t.Errorf("%q leads to %q", found.AccessibilityLabel(), o.titles[i])
		}
		if y := place(o.made[i].self().heading); y < 0 || y > small.Height-40 || i < 3 && y > 60 {
			t.Errorf("%s: its heading is at %v", found.AccessibilityLabel(), y)
		}
		if place(found) != before {
			t.Errorf("%s: the link has moved", found.AccessibilityLabel())
		}
	}
}

// TestLinksOfAbout checks that the links about the program are on one line, which begins where the text above begins.
func TestLinksOfAbout(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.Show(SectionAbout)
	places := map[string]fyne.Position{}
	for _, object := range seen(o.window.Content()) {
		at := fyne.CurrentApp().Driver().AbsolutePositionForObject(object)
		switch object := object.(type) {
		case *kit.Button:
			places[object.Text] = at.AddXY(kit.Gap, 0) // where its text begins
		case *kit.Text:
			places[object.Text()] = at
		}
	}
	for _, link := range []string{"Report a problem", "Licence", "Licences of others"} {
		if places[link].Y != places["Website"].Y {
			t.Errorf("%q is at %v, and “Website” at %v", link, places[link], places["Website"])
		}
	}
	if places["Website"].X != places["Configuration"].X {
		t.Errorf("the links begin at %v, and the text below at %v", places["Website"], places["Configuration"])
	}
}

// TestTitlesWrap checks that the title of a setting is shown in full where it needs more than one line.
func TestTitlesWrap(t *testing.T) {
	newApp(t)
	title := "Nicht fragen, wenn andere Programme Server ändern"
	window := test.NewTempWindow(t, newRow(title, "", kit.NewGap(60, 30)).root)
	window.Resize(fyne.NewSize(300, 200))
	for _, object := range test.LaidOutObjects(window.Content()) {
		if text, ok := object.(*canvas.Text); ok && strings.Contains(text.Text, "…") {
			t.Errorf("the title is cut to %q", text.Text)
		}
	}
}
