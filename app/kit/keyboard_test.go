package kit

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func press(on fyne.Focusable, keys ...fyne.KeyName) {
	for _, key := range keys {
		on.TypedKey(&fyne.KeyEvent{Name: key})
	}
}

// When a dialog that a button has opened is closed, the button has the focus again.
func TestDialogGivesTheKeyboardBack(t *testing.T) {
	test.NewTempApp(t)
	var c fyne.Canvas
	over := NewButton("Close", widget.MediumImportance, nil)
	opens := NewButton("Open", widget.MediumImportance, func() {
		c.Overlays().Add(over)
		c.Focus(over)
	})
	over.OnTapped = func() { c.Overlays().Remove(over) }
	c = test.NewTempWindow(t, container.NewVBox(NewButton("First", widget.MediumImportance, nil), opens)).Canvas()
	c.Focus(opens)
	press(c.Focused(), fyne.KeyReturn)
	if c.Focused() != fyne.Focusable(over) {
		t.Fatalf("the dialog does not have the focus, but %T has it", c.Focused())
	}
	press(c.Focused(), fyne.KeyReturn)
	if c.Focused() != fyne.Focusable(opens) {
		t.Errorf("the focus is on %T", c.Focused())
	}
}

// Keys do not reach a control that is hidden, disabled or removed.
func TestKeyboardLeavesWhatGoes(t *testing.T) {
	test.NewTempApp(t)
	var row *fyne.Container
	next := NewButton("Next", widget.MediumImportance, nil)
	goes := map[string]func(*Button){
		"hidden":       func(b *Button) { b.Hide() },
		"disabled":     func(b *Button) { b.Disable() },
		"removed":      func(b *Button) { row.Remove(b) },
		"hidden whole": func(*Button) { row.Hide() },
	}
	for name, does := range goes {
		var button *Button
		button = NewButton("Goes", widget.MediumImportance, func() { does(button) })
		row = container.NewHBox(button)
		window := test.NewTempWindow(t, container.NewVBox(row, next))
		window.Canvas().Focus(button)
		press(button, fyne.KeyReturn)
		if button.Focused() || window.Canvas().Focused() == fyne.Focusable(button) {
			t.Errorf("%s: the button still has the focus", name)
		}
		if stays := name == "hidden" || name == "disabled"; stays && window.Canvas().Focused() != fyne.Focusable(next) {
			t.Errorf("%s: the focus does not move to the next control, but to %T", name, window.Canvas().Focused())
		}
	}
}

// A page of text without controls can be scrolled to its end with PageUp, PageDown, Home and End.
func TestScrollByKey(t *testing.T) {
	test.NewTempApp(t)
	page := NewPage(container.NewVBox(NewGap(100, 2000)))
	wide := container.NewHScroll(NewGap(2000, 20))
	button := NewButton("Done", widget.MediumImportance, nil)
	window := test.NewTempWindow(t, Column(0, Rest(container.NewBorder(nil, wide, nil, nil, page)), button))
	window.Resize(fyne.NewSize(300, 400))
	c := window.Canvas()
	c.SetOnTypedKey(func(event *fyne.KeyEvent) { ScrollByKey(c, event) })
	c.Focus(button)
	at := func(want func(y float32) bool, keys ...fyne.KeyName) {
		t.Helper()
		press(button, keys...)
		if y := page.scroll.Offset.Y; !want(y) {
			t.Errorf("after %v the page is at %v", keys, y)
		}
	}
	view := page.scroll.Size().Height
	at(func(y float32) bool { return y > view/2 && y < view }, fyne.KeyPageDown)
	at(func(y float32) bool { return y == 0 }, fyne.KeyPageUp)
	at(func(y float32) bool { return y > 0 && y < 100 }, fyne.KeyDown)
	at(func(y float32) bool { return y > 1000 }, fyne.KeyEnd)
	at(func(y float32) bool { return y == 0 }, fyne.KeyHome)
	press(button, fyne.KeyRight)
	if wide.Offset.X <= 0 || page.scroll.Offset.Y != 0 {
		t.Errorf("after the right arrow, the wide part is at %v, the page at %v", wide.Offset.X, page.scroll.Offset.Y)
	}
	// If a dialog is open, the keys scroll the dialog.
	over := NewPage(NewGap(100, 3000))
	c.Overlays().Add(NewBox(BoxStyle{}, over))
	over.Resize(fyne.NewSize(200, 200))
	if !ScrollByKey(c, &fyne.KeyEvent{Name: fyne.KeyPageDown}) || over.scroll.Offset.Y <= 0 || page.scroll.Offset.Y != 0 {
		t.Errorf("the dialog is at %v, the page at %v", over.scroll.Offset.Y, page.scroll.Offset.Y)
	}
}

// PageUp, PageDown, Home and End work in a long list.
func TestListByPages(t *testing.T) {
	test.NewTempApp(t)
	list := NewList(func() int {
		return 100
	}, func() fyne.CanvasObject { return NewText("row", TextStyle{}) }, func(int, fyne.CanvasObject) {})
	window := test.NewTempWindow(t, list)
	window.Resize(fyne.NewSize(200, 300))
	window.Canvas().Focus(list)
	for _, c := range []struct {
		key      fyne.KeyName
		from, to int
	}{{fyne.KeyPageDown, 3, 30}, {fyne.KeyEnd, 99, 99}, {fyne.KeyPageDown, 99, 99}, {fyne.KeyPageUp, 60, 96},
		{fyne.KeyHome, 0, 0}, {fyne.KeyPageUp, 0, 0}} {
		press(list, c.key)
		if list.row < c.from || list.row > c.to {
			t.Errorf("after %s the list is at row %d, want %d to %d", c.key, list.row, c.from, c.to)
		}
	}
}

// The Tab key stops at text that can be selected, and the focus is visible.
func TestSelectableTextShowsTheKeyboard(t *testing.T) {
	test.NewTempApp(t)
	one, two := NewSelectable("one", TextStyle{}), NewSelectable("two", TextStyle{})
	window := test.NewTempWindow(t, container.NewVBox(one, two))
	rings := func() string {
		var all []string
		for _, text := range []*Selectable{one, two} {
			for _, object := range test.WidgetRenderer(text).Objects() {
				if around, ok := object.(*ring); ok && around.Size().Width > 0 {
					all = append(all, text.Text)
				}
			}
		}
		return strings.Join(all, " ")
	}
	for _, want := range []string{"one", "two"} {
		window.Canvas().FocusNext()
		if got := rings(); got != want {
			t.Errorf("a ring is around %q, want %q", got, want)
		}
	}
	window.Canvas().Unfocus()
	if got := rings(); got != "" {
		t.Errorf("a ring is around %q", got)
	}
}

// If a button is hidden or disabled while another program or a dialog has the focus, it does nothing when the focus
// comes back, and the focus moves on.
func TestKeyboardLeavesWhatGoesUnseen(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	for name, goes := range map[string]func(*Button){"hidden": (*Button).Hide, "disabled": (*Button).Disable} {
		for _, dialog := range []bool{false, true} {
			pressed := 0
			button, next := NewButton("Goes", widget.MediumImportance, func() {
				pressed++
			}), NewButton("Next", widget.MediumImportance, nil)
			c := test.NewTempWindow(t, container.NewVBox(button, next)).Canvas()
			c.Focus(button)
			if dialog {
				over := NewButton("Close", widget.MediumImportance, nil)
				c.Overlays().Add(over)
				c.Focus(over)
				goes(button)
				c.Overlays().Remove(over)
				if c.Focused() != fyne.Focusable(button) {
					t.Fatalf("%s: the button has not got the focus back, so this test checks nothing", name)
				}
				press(c.Focused(), fyne.KeyReturn, fyne.KeySpace)
			} else {
				button.FocusLost()
				goes(button)
			}
			if c.Focused() != fyne.Focusable(next) || pressed > 0 {
				t.Errorf("%s, dialog %v: the focus is on %T, and the button was pressed %d times", name, dialog, c.Focused(),
					pressed)
			}
			// Fyne gives the focus back without asking whether the button is visible and enabled.
			button.Show()
			button.Enable()
			c.Focus(button)
			over := NewButton("Close", widget.MediumImportance, nil)
			c.Overlays().Add(over)
			goes(button)
			c.Overlays().Remove(over)
			button.FocusGained()
			if c.Focused() != fyne.Focusable(next) {
				t.Errorf("%s: the focus is back on %T", name, c.Focused())
			}
		}
	}
}

// The window gets F1 from every control, and Esc from those that do not use it.
func TestKeysOfTheWindow(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	name := &NameEntry{}
	name.ExtendBaseWidget(name)
	list := NewList(func() int {
		return 2
	}, func() fyne.CanvasObject { return NewText("row", TextStyle{}) }, func(int, fyne.CanvasObject) {})
	for _, shown := range []fyne.CanvasObject{
		NewButton("Button", widget.MediumImportance, nil), NewInput(""), NewInput(""), NewCheck("Check", nil),
		NewTextArea(2, false), list,
		NewTabs("One", "Two"), NewChoice("One", "Two"), NewSelect([]string{"One"}, nil),
		NewLink("example.com", "", func() {}), name,
	} {
		c := test.NewTempWindow(t, shown).Canvas()
		got := ""
		c.SetOnTypedKey(func(event *fyne.KeyEvent) { got += string(event.Name) + " " })
		on, _ := shown.(fyne.Focusable)
		c.Focus(on)
		keys, want := []fyne.KeyName{fyne.KeyF1, fyne.KeyEscape}, "F1 Escape "
		if shown == fyne.CanvasObject(name) { // uses Esc to end the edit
			keys, want = keys[:1], "F1 "
		}
		if press(on, keys...); got != want {
			t.Errorf("%T passes on %q, want %q", shown, got, want)
		}
	}
}

// TestHiddenIsNotLeft checks that a form that was hidden while the user types does not count as left.
func TestHiddenIsNotLeft(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	for _, hide := range []bool{false, true} {
		line := NewInput("")
		form := Inset(line, Gap, Gap)
		window := test.NewTempWindow(t, Column(0, NewGap(10, 10), form))
		window.Canvas().Focus(line)
		var due []func()
		left := false
		line.OnFocus = func(focused bool) {
			if !focused {
				WhenLeft(form, func(fyne.Focusable) bool { return false }, func(_ time.Duration, f func()) func() {
					due = append(due, f)
					return func() {}
				}, func() { left = true })
			}
		}
		SetVisible(form, !hide)
		window.Canvas().Unfocus()
		for len(due) > 0 {
			next := due[0]
			due = due[1:]
			next()
		}
		if left == hide {
			t.Errorf("hidden %v: left is %v", hide, left)
		}
	}
}

// TestFocusSelectsTheText checks that typing replaces the text of a line that has just got the keyboard, by the program
// or by Tab, but adds to it after a click and after the window came back to the front.
func TestFocusSelectsTheText(t *testing.T) {
	first, second := NewInput(""), NewInput("")
	first.SetText("npx")
	second.SetText("2000")
	test.NewTempApp(t)
	w := test.NewTempWindow(t, container.NewVBox(first, second))
	w.Resize(fyne.NewSize(300, 200))
	Focus(first)
	test.Type(first, "clio-mcp")
	if first.Text != "clio-mcp" {
		t.Errorf("after a focus by the program, typing makes %q", first.Text)
	}
	test.Type(first, " 2")
	first.FocusLost() // the window is behind another one
	first.FocusGained()
	test.Type(first, "3")
	if first.Text != "clio-mcp 23" {
		t.Errorf("after the window came back, typing makes %q", first.Text)
	}
	w.Canvas().FocusNext()
	test.Type(second, "7")
	if second.Text != "7" {
		t.Errorf("after Tab, typing makes %q", second.Text)
	}
	w.Canvas().Unfocus()
	first.SetText("abc")
	first.typed = false
	first.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(290, 10)},
		Button: desktop.MouseButtonPrimary})
	test.Type(first, "d")
	if first.Text != "abcd" {
		t.Errorf("after a click, typing makes %q", first.Text)
	}
}
