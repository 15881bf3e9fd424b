package tryit

import (
	"slices"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Sizes of a table, in pixels unless the comment says otherwise.
const (
	cellLeast   = 64
	cellMost    = 320
	tableHeight = 12 // rows that are visible at once
	scrollBar   = 6  // room for a scroll bar below the rows
	measured    = 40 // rows that are measured for the width of the columns
)

// newTable returns a table. It has widgets only for the visible cells.
func newTable(table *Table) fyne.CanvasObject {
	head := kit.TextStyle{Bold: true, Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	cell := kit.TextStyle{Size: theme.SizeSmall, Shrinks: true}
	view := kit.NewTable(
		func() (int, int) { return len(table.Rows), len(table.Columns) },
		func() fyne.CanvasObject { return kit.Inset(kit.NewText("", cell), kit.GapTight, kit.Gap) },
		func(id widget.TableCellID, object fyne.CanvasObject) {
			text := object.(*fyne.Container).Objects[0].(*kit.Text)
			text.Set(table.Rows[id.Row][id.Col])
		})
	view.ShowHeaderRow = true
	view.CreateHeader = func() fyne.CanvasObject { return kit.Inset(kit.NewText("", head), kit.GapTight, kit.Gap) }
	view.UpdateHeader = func(id widget.TableCellID, object fyne.CanvasObject) {
		object.(*fyne.Container).Objects[0].(*kit.Text).Set(table.Columns[max(0, id.Col)])
	}
	size := view.Theme().Size(theme.SizeSmall)
	for i, name := range table.Columns {
		width := fyne.MeasureText(kit.Cut(name, 60), size, fyne.TextStyle{Bold: true}).Width
		for _, text := range longest(table, i) {
			width = max(width, fyne.MeasureText(text, size, fyne.TextStyle{}).Width)
		}
		view.SetColumnWidth(i, min(max(width+20, cellLeast), cellMost))
	}
	row := view.CreateCell().MinSize().Height + view.Theme().Size(base.SizeNamePadding)
	height := float32(min(len(table.Rows), tableHeight)+1)*row + scrollBar
	box := kit.NewBox(kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeFieldRadius},
		kit.Inset(container.NewStack(kit.NewGap(0, height), view), kit.GapHair, kit.GapHair))
	if table.More == 0 {
		return box
	}
	return kit.Column(kit.GapTight, box,
		kit.NewText(lang.L("and {{.Count}} more", map[string]any{"Count": table.More}),
			kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
}

// longest returns the three longest texts of a column in its first rows. Measuring all of them would take too long.
func longest(table *Table, column int) []string {
	var texts []string
	for _, row := range table.Rows[:min(len(table.Rows), measured)] {
		texts = append(texts, kit.Cut(row[column], 80))
	}
	slices.SortStableFunc(texts, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	return texts[:min(len(texts), 3)]
}

// newPairs returns a list of names with their values beside them.
func newPairs(table *Table) fyne.CanvasObject {
	widest := float32(0)
	size := theme.Theme{}.Size(theme.SizeText)
	for _, row := range table.Rows {
		widest = max(widest, fyne.MeasureText(kit.Cut(row[0], 60), size, fyne.TextStyle{}).Width)
	}
	box := kit.Column(kit.Gap)
	for _, row := range table.Rows {
		name := kit.NewText(kit.Cut(row[0], 60), kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
		value, _ := clean(row[1], maxPair)
		left := container.NewVBox(kit.Sized(min(widest, cellMost/2), 0, name)) // in line with the first line of the value
		box.Add(container.NewBorder(nil, nil, left, nil, kit.Inset(newReading(value, false), 0, kit.GapWide)))
	}
	return box
}
