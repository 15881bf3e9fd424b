package editor

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// unit is a field of the form, or a table of fields.
type unit interface {
	// key returns the name of the field in the file.
	key() string

	// local says why a draft cannot even be written as JSON. It is empty if the draft can be written.
	local(d *model.Draft) string

	// focus focuses the control in which a draft was typed.
	focus(d *model.Draft)

	// follow updates the unit from the file.
	follow(entry *jsonc.Node)

	// forget prepares the unit for another entry.
	forget()

	// show draws the unit with its problems. It returns the problems of other units.
	show(problems []problem) (others []problem)
}

// problem is a diagnostic of the entry.
type problem struct {
	config.Diagnostic
	at       string           // its place within the entry, such as ".args[1]"; empty for the entry as a whole
	document *config.Document // the document in which it was found
}

// mine splits problems into those at a place or inside it, and the others.
func mine(problems []problem, at string) (own, others []problem) {
	for _, p := range problems {
		if within(p.at, at) {
			own = append(own, p)
		} else {
			others = append(others, p)
		}
	}
	return own, others
}

// section returns a card with a title.
func section(title string, parts ...fyne.CanvasObject) fyne.CanvasObject {
	content := kit.Column(kit.GapWide,
		kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, part := range parts {
		content.Add(part)
	}
	return kit.NewCard(content)
}

// labelled returns a field with its label and a hint.
func labelled(label, hint string, field fyne.CanvasObject, below ...fyne.CanvasObject) *fyne.Container {
	column := kit.Column(kit.GapTight)
	if label != "" {
		column.Add(kit.NewText(label, kit.TextStyle{Bold: true, Shrinks: true}))
	}
	if hint != "" {
		column.Add(kit.NewParagraph(hint, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
	}
	column.Add(kit.NewGap(0, 1))
	column.Add(field)
	for _, object := range below {
		column.Add(object)
	}
	return column
}

// trailed returns a field with small objects after it.
func trailed(field fyne.CanvasObject, small ...fyne.CanvasObject) *fyne.Container {
	return kit.Row(kit.GapTight, append([]fyne.CanvasObject{kit.Rest(field)}, small...)...)
}
