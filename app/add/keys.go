package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// The controls of the dialog know the Esc key, which closes it wherever the keyboard is. Those that are in a page bring
// themselves into sight when the keyboard comes to them.

// button is a button of the dialog.
type button struct {
	kit.Button
	escape func()
	spoken string
}

func (d *Dialog) button(text string, importance widget.Importance, tapped func()) *button {
	b := &button{escape: d.escape}
	b.Text, b.Importance, b.OnTapped = text, importance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// iconButton is a button with an icon alone; spoken says what it does.
func (d *Dialog) iconButton(icon fyne.Resource, spoken string, tapped func()) *button {
	b := &button{escape: d.escape, spoken: spoken}
	b.Icon, b.Importance, b.OnTapped = icon, widget.LowImportance, tapped
	b.ExtendBaseWidget(b)
	return b
}

// AccessibilityLabel says what the button does.
func (b *button) AccessibilityLabel() string {
	if b.Text == "" {
		return b.spoken
	}
	return b.Text
}

// TypedKey is for Fyne.
func (b *button) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape {
		b.escape()
		return
	}
	b.Button.TypedKey(event)
}

// area is a field of several lines.
type area struct {
	kit.TextArea
	escape func()
}

func (d *Dialog) area(rows int, mono bool) *area {
	a := &area{escape: d.escape}
	a.MultiLine = true
	a.Wrapping = fyne.TextWrapWord
	a.TextStyle = fyne.TextStyle{Monospace: mono}
	a.ExtendBaseWidget(a)
	a.SetMinRowsVisible(rows)
	return a
}

// TypedKey is for Fyne.
func (a *area) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape {
		a.escape()
		return
	}
	a.TextArea.TypedKey(event)
}

// check is a box to be ticked.
type check struct {
	kit.Check
	escape func()
}

func (d *Dialog) check(label string, checked bool, changed func(bool)) *check {
	c := &check{escape: d.escape}
	c.Text, c.Checked, c.OnChanged = label, checked, changed
	c.ExtendBaseWidget(c)
	return c
}

// TypedKey is for Fyne.
func (c *check) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape {
		c.escape()
		return
	}
	c.Check.TypedKey(event)
}

// selection is a choice from a menu.
type selection struct {
	widget.Select
	escape func()
}

func (d *Dialog) selection(options []string, changed func(string)) *selection {
	s := &selection{escape: d.escape}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// TypedKey is for Fyne.
func (s *selection) TypedKey(event *fyne.KeyEvent) {
	if event.Name == fyne.KeyEscape {
		s.escape()
		return
	}
	s.Select.TypedKey(event)
}

// list is a list whose rows can be chosen with Enter too.
type list struct {
	widget.List
	escape func()
}

// TypedKey is for Fyne.
func (l *list) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyEscape:
		l.escape()
	case fyne.KeyReturn, fyne.KeyEnter:
		l.List.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
	default:
		l.List.TypedKey(event)
	}
}

// input is a field of one line.
func (d *Dialog) input(placeholder, text string, changed func(string)) *kit.Input {
	in := kit.NewInput(placeholder)
	in.Text = text
	in.OnChanged = changed
	in.OnEscape = d.escape
	in.OnSubmitted = func(string) { d.enter() }
	return in
}
