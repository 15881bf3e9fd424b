package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Row is a row of a list: an app or a server, its state, and more below.
type Row struct {
	Name    string
	Mark    string              // the ID whose mark the row has; without one, it has a letter
	Box     *kit.Check          // the checkbox, which gets the name as its label; nil if the row has none
	Plain   bool                // it has no checkbox, but is indented like the rows that have one
	From    string              // the app that a server is from
	First   []fyne.CanvasObject // shown below the name
	Told    Told
	Buttons []*kit.Button // beside the name, or below it if they are too wide
	Copy    *kit.Button   // copies the command
	Least   *float32      // the smallest height; NewRows updates it when the row grows. May be nil
}

// NewRows returns a list of rows with lines between them.
func NewRows(rows []Row) fyne.CanvasObject {
	var objects []fyne.CanvasObject
	for i, row := range rows {
		if i > 0 {
			objects = append(objects, widget.NewSeparator())
		}
		drawn := row.draw()
		if row.Least != nil {
			drawn = kit.Steady(row.Least, drawn)
		}
		objects = append(objects, drawn)
	}
	return kit.NewFrame(kit.Column(0, objects...))
}

// Sizes of a row, in pixels. The label of a checkbox can neither wrap nor shrink, so its room is computed.
const (
	rowsWidth   = 680 // the width of a list in a large window
	rowHeight   = 36
	boxRoom     = 96  // for the picture, the checkbox and the space around them and the label
	maxApp      = 230 // the greatest width of the text that names the app of a server
	leastName   = 240 // the least width of a name, including its picture and the space around it
	tileSize    = 24
	plainIndent = 25 // where the label of a checkbox begins
)

func (r *Row) draw() fyne.CanvasObject {
	trailing := kit.Row(kit.Gap)
	if sign := r.Told.Sign; sign.Text != "" {
		trailing.Add(kit.Marked(sign.State,
			kit.NewText(sign.Text, kit.TextStyle{Size: theme.SizeSmall, Color: sign.State.Color()})))
	}
	if r.From != "" {
		trailing.Add(kit.NewChip(kit.NewText(lang.L("from {{.App}}", map[string]any{"App": cut(r.From, maxApp)}),
			kit.Small())))
	}
	below := kit.NewFlow(kit.Gap) // the buttons, if they do not fit beside the name
	for _, button := range r.Buttons {
		below.Add(button)
	}
	if buttons := kit.Row(kit.Gap, below.Objects...); trailing.MinSize().Width+
		buttons.MinSize().Width < rowsWidth-leastName {
		trailing.Objects = append(trailing.Objects, below.Objects...)
		below.RemoveAll()
	}
	var top *fyne.Container
	indent := float32(plainIndent)
	switch {
	case r.Box != nil:
		r.Box.SetText(cut(r.Name, rowsWidth-boxRoom-trailing.MinSize().Width))
		top = kit.Row(kit.Gap, kit.Rest(r.Box), trailing)
	case r.Plain: // in line with the labels of checkboxes
		name := kit.NewText(r.Name, kit.TextStyle{Shrinks: true})
		top = kit.Row(kit.Gap, kit.InsetSides(kit.NewGap(0, rowHeight), 0, 0, plainIndent-kit.Gap, 0), kit.Rest(name),
			trailing)
	default:
		name := kit.NewText(r.Name, kit.TextStyle{Bold: true, Shrinks: true})
		top = kit.Row(kit.Gap, kit.NewGap(0, rowHeight), kit.NewTile(r.Mark, r.Name, tileSize), kit.Rest(name), trailing)
		indent = 40
	}
	if r.Box != nil || r.Plain {
		top = kit.Row(kit.Gap, kit.NewTile(r.Mark, r.Name, tileSize), kit.Rest(top))
		indent += tileSize + kit.Gap
	}
	lines := kit.Column(kit.GapTight, r.First...)
	for _, line := range r.Told.Lines {
		lines.Add(NewStateLine(line))
	}
	if r.Told.Runs != "" {
		lines.Add(command(r.Told.Runs))
	}
	if r.Told.Command != "" {
		row := kit.Row(kit.Gap, kit.Rest(command(r.Told.Command)))
		if r.Copy != nil {
			row.Add(r.Copy)
		}
		lines.Add(row)
	}
	if len(below.Objects) > 0 {
		lines.Add(kit.Inset(below, kit.GapTight, 0))
	}
	for _, change := range r.Told.Changes {
		lines.Add(NewDiff(change.File, change.Unified))
	}
	end := float32(kit.GapWide)
	if len(lines.Objects) == 0 {
		end = kit.GapTight
	}
	return kit.InsetSides(kit.Column(0, top, kit.InsetSides(lines, 0, 0, indent, 0)), kit.GapTight, end, kit.Gap,
		kit.GapWide)
}

// ServerLines returns what to know before a server is brought in. keychain says whether its secrets go into the
// keychain.
func ServerLines(server *imports.Found, keychain bool) []Sign {
	var lines []Sign
	if len(server.ToFill) > 0 {
		lines = append(lines, Sign{theme.StateWorking, live.ToFill(server.ToFill)})
	}
	for _, secret := range server.Secrets {
		if keychain {
			lines = append(lines, Sign{Text: lang.L("Goes into the keychain: {{.Where}}.",
				map[string]any{"Where": secret.Where})})
		}
	}
	for _, note := range server.Notes {
		// What helps against it is said on the page of the server, in the words of the file.
		if message, ok := note.Args["Message"].(words.Text); ok {
			note = message
		}
		lines = append(lines, Sign{Text: kit.Say(note)})
	}
	return lines
}

// NewStateLine returns a small text of a row in the colour of its state, perhaps with a button beside it.
func NewStateLine(line Sign, button ...fyne.CanvasObject) fyne.CanvasObject {
	style := kit.Small()
	if line.State != theme.StateIdle {
		style.Color = line.State.Color()
	}
	text := kit.NewParagraph(line.Text, style)
	if len(button) == 0 {
		return text
	}
	return kit.Row(kit.GapWide, kit.Rest(text), kit.Row(kit.Gap, button...))
}

// cut returns text as one line that is at most width wide.
func cut(text string, width float32) string {
	return kit.Fitted(kit.Line(text), width, theme.Theme{}.Size(theme.SizeText), fyne.TextStyle{})
}

// command returns a command as text that can be selected.
func command(text string) fyne.CanvasObject {
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius},
		kit.NewSelectable(text, kit.TextStyle{Size: theme.SizeSmall, Mono: true}))
}
