package consent

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The most fields and letters of a form. More of them would take long to lay out, so they are shown as one text.
const (
	maxFields  = 60
	maxLetters = 20_000
)

// formOf returns a form that is read, not filled in: each name in small letters above its value. It scrolls.
func formOf(fields []Field) fyne.CanvasObject {
	if len(fields) == 0 {
		return kit.NewParagraph(lang.L("No arguments."), kit.Small())
	}
	letters := 0
	for _, field := range fields {
		letters += len(field.Name) + len(field.Value)
	}
	if len(fields) > maxFields || letters > maxLetters {
		return code.NewWrapped(whole(fields))
	}
	form := kit.Column(kit.GapWide)
	for _, field := range fields {
		// not selectable, or the Tab key would go through all values before it comes to the buttons
		value := kit.NewBlock(field.Value, field.Code)
		// without the room that Fyne's label keeps around its text
		row := kit.Column(0, kit.Inset(value, -kit.Gap, -kit.Gap))
		if field.Name != "" {
			row.Objects = append([]fyne.CanvasObject{kit.NewParagraph(field.Name, kit.Small())}, row.Objects...)
		}
		form.Add(row)
	}
	page := kit.NewPage(kit.Inset(form, kit.GapWide, kit.GapWide))
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, page)
}
