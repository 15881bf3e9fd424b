package add

import (
	"reflect"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/review"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
)

// card is one candidate on the review page: its name, the fields to fill in, and what would be started.
type card struct {
	page      *reviewPage
	candidate *candidate
	root      fyne.CanvasObject
	include   *kit.Check
	name      *kit.Input
	fields    []*formField
	details   *fyne.Container // everything below the name; hidden if the candidate is left out
	preview   *fyne.Container
	shown     preview           // the current preview; zero before the first one
	get       fyne.CanvasObject // installs the missing program; nil if nothing is missing or it cannot be installed
	notesOpen bool
}

func newCard(page *reviewPage, c *candidate, several bool) *card {
	d := page.dialog
	w := &card{page: page, candidate: c}
	changed := func() {
		page.typed = true
		page.update()
	}
	w.name = d.input(lang.L("Name"), c.name, func(text string) {
		c.name = text
		changed()
	})
	w.include = kit.NewCheck("", func(checked bool) {
		c.included = checked
		changed()
		page.arrange()
	})
	w.include.Follow(c.included)

	name := labelled(lang.L("Name"), "", w.name)
	if several {
		name = kit.Row(0, w.include, kit.Rest(w.name))
	}
	var details []fyne.CanvasObject
	if c.from != nil {
		details = append(details, w.about(c.from))
	}
	if c.published != nil {
		details = append(details, w.aboutPublished(c.published))
	}
	w.preview = container.NewStack()
	if c.extension != nil { // show what an extension does before asking for anything: nobody has reviewed it
		details = append(details, aboutExtension(c.extension), w.preview)
	}
	for _, f := range c.fields {
		field := newFormField(d, f, changed, page.arrange)
		w.fields = append(w.fields, field)
		details = append(details, field.root)
	}
	if c.extension == nil {
		details = append(details, w.preview)
	}
	w.details = kit.Column(kit.GapWide, details...)
	w.root = kit.NewCard(kit.Column(kit.GapWide, name, w.details))
	return w
}

// about shows what the catalogue says about a server.
func (w *card) about(e *catalogue.Entry) fyne.CanvasObject {
	d := w.page.dialog
	text := kit.Column(kit.GapTight, kit.NewParagraph(kit.Say(e.Description), kit.TextStyle{}),
		kit.NewParagraph(kit.Say(e.Note), kit.TextStyle{Color: theme.ColorMuted}),
		kit.NewParagraph(lang.L("Published by {{.Publisher}}", map[string]any{"Publisher": e.Publisher}), kit.Small()))
	return kit.Row(kit.GapWide, kit.Rest(text), kit.NewButton(lang.L("Its page"), widget.LowImportance, func() {
		d.program.OpenURL(e.Page)
	}))
}

// update shows the current state of the candidate.
func (w *card) update() {
	for _, field := range w.fields {
		field.update()
	}
	kit.SetVisible(w.details, w.candidate.included)
	before := w.shown
	w.shown = newPreview(w.candidate, w.page.around(w.candidate))
	before.blocked = w.shown.blocked // the card does not show it
	if !reflect.DeepEqual(w.shown, before) {
		w.draw()
	}
}

// draw draws the preview.
func (w *card) draw() {
	p := w.shown
	w.get = nil
	lines := []fyne.CanvasObject{review.New(
		review.View{Judged: p.judged, Agree: p.agree, Told: p.told, Agreed: w.candidate.agreed, OnAgreed: func() {
			w.page.typed = true
			w.page.update()
		}})}
	for _, line := range p.lines {
		lines = append(lines, kit.NewParagraph(line, kit.Small()))
	}
	for _, warning := range p.warnings {
		lines = append(lines, w.warning(warning))
	}
	if count := len(w.candidate.notes); count > 0 {
		lines = append(lines, w.notes(count))
	}
	w.preview.Objects = []fyne.CanvasObject{kit.Column(kit.Gap, lines...)}
	w.page.arrange()
}

// warning shows a warning, with a button if something can be done about it.
func (w *card) warning(about warning) fyne.CanvasObject {
	d := w.page.dialog
	color := fyne.ThemeColorName(theme.ColorText)
	switch about.state {
	case theme.StateWrong:
		color = theme.ColorWrong
	case theme.StateIdle:
		color = theme.ColorMuted
	}
	text := kit.Sign(about.state, kit.NewParagraph(about.text, kit.TextStyle{Size: theme.SizeSmall, Color: color}))
	switch {
	case about.name != "":
		return kit.Row(kit.GapWide, kit.Rest(text),
			kit.NewButton(lang.L("Call it “{{.Name}}”", map[string]any{"Name": kit.Line(about.name)}), widget.MediumImportance,
				func() {
					w.name.SetText(about.name)
				}))
	case about.get.ID != "":
		if w.get = d.getter(about.get, widget.HighImportance, w.page.again); w.get != nil {
			return kit.NewBeside(minTextWidth, text, w.get)
		}
		return kit.Row(kit.GapWide, kit.Rest(text),
			kit.NewButton(runtimes.Get(about.get.Name), widget.MediumImportance, func() {
				d.program.OpenURL(about.get.Page)
			}))
	}
	return text
}

// minTextWidth is the least width of the text next to a wide button, in pixels.
const minTextWidth = 180

// getter returns a widget that installs a program. It calls installed when the program is there. getter returns nil if
// the program cannot be installed.
func (d *Dialog) getter(product config.Product, importance widget.Importance, installed func()) fyne.CanvasObject {
	return d.program.Get(product.ID, importance, func(got bool) {
		switch {
		case d.closed:
		case got:
			installed()
		case d.review != nil:
			d.review.arrange()
		}
	})
}

// notes shows what was changed or left out when the candidate was read. Several notes are hidden behind a button.
func (w *card) notes(count int) fyne.CanvasObject {
	d := w.page.dialog
	if !w.notesOpen && count > 1 {
		return kit.Row(0, kit.NewButton(
			lang.N("{{.Count}} things were changed or left out: show them", count, map[string]any{"Count": count}),
			widget.LowImportance, func() {
				w.notesOpen = true
				w.draw()
				d.focus(nil)
			}))
	}
	column := kit.Column(kit.GapTight)
	for _, note := range w.candidate.notes {
		column.Add(kit.Sign(theme.StateIdle, kit.NewParagraph(note, kit.Small())))
	}
	return column
}
