package add

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// The controls of the dialog know the Esc key, which closes it wherever the keyboard is: buttons pass it on to the window,
// which belongs to the dialog meanwhile, and the others are told here.

func (d *Dialog) area(rows int, mono bool) *kit.Input {
	a := kit.NewTextArea(rows, mono)
	a.OnEscape = d.escape
	return a
}

func (d *Dialog) check(label string, checked bool, changed func(bool)) *kit.Check {
	c := kit.NewCheck(label, changed)
	c.Checked, c.OnEscape = checked, d.escape
	return c
}

func (d *Dialog) selection(options []string, changed func(string)) *kit.Select {
	s := kit.NewSelect(options, changed)
	s.OnEscape = d.escape
	return s
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

// list gives a list of the dialog.
func (d *Dialog) list(length func() int, create func() fyne.CanvasObject, update func(int, fyne.CanvasObject)) *kit.List {
	l := kit.NewList(length, create, update)
	l.OnEscape = d.escape
	return l
}
