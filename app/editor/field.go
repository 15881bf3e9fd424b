package editor

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// unit is a field of the form, or a table of them.
type unit interface {
	// key is its name in the file.
	key() string

	// local is what is wrong with a draft of it that cannot even be written down; empty: nothing.
	local(d *model.Draft) string

	// follow takes up what the file says now.
	follow(entry Entry)

	// forget prepares it for another entry.
	forget()

	// show draws it with what is wrong with it. It takes the problems that are its own and returns the others.
	show(problems []problem) (others []problem)
}

// problem is a diagnostic of the entry.
type problem struct {
	config.Diagnostic
	at       string           // its place within the entry, as in ".args[1]"; empty for the entry as a whole
	document *config.Document // in which it was found
}

// mine splits problems into those at a place or within it, and the others.
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

// section is a card with a title and things in it.
func section(title string, parts ...fyne.CanvasObject) fyne.CanvasObject {
	content := kit.Column(14, kit.NewText(title, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}))
	for _, part := range parts {
		content.Add(part)
	}
	return kit.NewCard(content)
}

// labelled is a field with its name and what it is for.
func labelled(label, hint string, field fyne.CanvasObject, below ...fyne.CanvasObject) *fyne.Container {
	column := kit.Column(4)
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

// trailed puts small things at the end of a field.
func trailed(field fyne.CanvasObject, small ...fyne.CanvasObject) *fyne.Container {
	return kit.Row(kit.GapTight, append([]fyne.CanvasObject{kit.Rest(field)}, small...)...)
}
