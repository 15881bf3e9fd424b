package tools

import (
	"cmp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// row shows a tool, or a name that the server has no tool for. Rows are reused, so showTool and showUnknown set every
// field.
type row struct {
	widget.BaseWidget
	check  *kit.Check
	name   *kit.Text // what people call it
	plain  *kit.Text // its name, if that is something else
	acts   *kit.Text // that it changes, sends or deletes something
	line   *kit.Text
	mark   *widget.Icon
	try    *kit.Button
	remove *kit.Button

	content fyne.CanvasObject
}

func newRow() *row {
	r := &row{
		check:  kit.NewCheck("", nil),
		name:   kit.NewText("", kit.TextStyle{Bold: true, Shrinks: true}),
		plain:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		acts:   kit.NewText("", kit.TextStyle{Size: theme.SizeSmall}),
		line:   kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		mark:   widget.NewIcon(theme.StateNotice.Icon()),
		try:    kit.NewButton(lang.L("Try it"), widget.LowImportance, nil),
		remove: kit.NewIconButton(base.DeleteIcon(), lang.L("Remove"), nil),
	}
	text := kit.Column(kit.GapHair, kit.Row(kit.Gap, r.name, r.acts, r.plain, kit.Sized(markSize, markSize, r.mark)), r.line)
	r.content = kit.Sized(240, rowHeight,
		kit.Inset(kit.Row(kit.Gap, kit.Sized(checkWidth, 0, r.check), kit.Rest(text), r.try, r.remove), 0, kit.GapTight))
	r.ExtendBaseWidget(r)
	return r
}

// showTool shows a tool. doubtful marks it, because there are warnings about it. offer and try are called by the
// controls of the row.
func (r *row) showTool(tool status.Tool, f *facts, offered, locked, doubtful bool, offer func(on bool), try func()) {
	r.check.OnChanged = nil
	r.check.Follow(offered)
	r.check.OnChanged = offer
	kit.SetEnabled(r.check, !locked)
	style := kit.TextStyle{Bold: true, Shrinks: true}
	if !offered {
		style.Color = theme.ColorMuted
	}
	called := f.definition.Called(tool.Name)
	r.name.SetStyle(called, style)
	r.plain.Set(tool.Name)
	kit.SetVisible(r.plain, !strings.EqualFold(called, tool.Name))
	acts, color := effect(f.definition)
	r.acts.SetStyle(acts, kit.TextStyle{Size: theme.SizeSmall, Color: color})
	kit.SetVisible(r.acts, acts != "")
	line := cmp.Or(f.definition.Description, lang.L("No description"))
	r.line.SetStyle(firstParagraph(line), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	r.try.OnTapped, r.remove.OnTapped = try, nil
	kit.SetVisible(r.check, true)
	kit.SetVisible(r.mark, doubtful)
	kit.SetVisible(r.try, true)
	kit.SetVisible(r.remove, false)
	r.content.Refresh()
}

// showUnknown shows a name from the file that the server has no tool for. remove is called by a button.
func (r *row) showUnknown(name string, locked bool, remove func()) {
	r.name.SetStyle(name, kit.TextStyle{Bold: true, Shrinks: true, Color: theme.ColorMuted})
	r.line.SetStyle(lang.L("Not offered by the server, but named in the file"),
		kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorWorking, Shrinks: true})
	r.try.OnTapped, r.remove.OnTapped = nil, remove
	kit.SetVisible(r.plain, false)
	kit.SetVisible(r.acts, false)
	kit.SetVisible(r.check, false)
	kit.SetVisible(r.mark, true)
	kit.SetVisible(r.try, false)
	kit.SetVisible(r.remove, !locked)
	r.content.Refresh()
}

// firstParagraph returns the first paragraph of a description.
func firstParagraph(text string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	return first
}

// Sizes of a row, in pixels.
const (
	rowHeight  = 54
	checkWidth = 32
	markSize   = 14
)

// CreateRenderer implements [fyne.Widget].
func (r *row) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.content) }
