package activity

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// columns are where the parts of a row are, at one width.
type columns struct {
	client, call, took, outcome float32 // left edges; the call has what is left
	callWidth                   float32
	withClient                  bool
}

// Measures of a row, in pixels.
const (
	rowHeight    = 34
	rowPad       = 12
	columnGap    = 16
	timeWidth    = 62
	clientWidth  = 124
	tookWidth    = 78
	outcomeWidth = 108
	callAtLeast  = 250 // below this, the client gives up its place
)

// columnsAt gives the columns of a table of a width.
func columnsAt(width float32) columns {
	c := columns{outcome: width - rowPad - outcomeWidth}
	c.took = c.outcome - columnGap - tookWidth
	c.client = rowPad + timeWidth + columnGap
	c.call = c.client + clientWidth + columnGap
	c.withClient = c.took-columnGap-c.call >= callAtLeast
	if !c.withClient {
		c.call = c.client
	}
	c.callWidth = max(0, c.took-columnGap-c.call)
	return c
}

// callRow shows one call. It is used again for others, so showing one sets all of it.
type callRow struct {
	widget.BaseWidget
	ground *canvas.Rectangle
	line   *canvas.Rectangle
	time   *kit.Text
	client *kit.Text
	place  *kit.Text // toolbox › server ›
	tool   *kit.Text
	took   *kit.Text
	state  *widget.Icon
	word   *kit.Text
	missed *kit.Text // instead of all those
	look   rowLook
}

// rowLook is how a row looks apart from its call.
type rowLook struct{ selected, focused, hovered bool }

func newCallRow() *callRow {
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}
	r := &callRow{
		ground: canvas.NewRectangle(nil), line: canvas.NewRectangle(nil),
		time: kit.NewText("", small), client: kit.NewText("", small), place: kit.NewText("", small),
		tool: kit.NewText("", kit.TextStyle{Shrinks: true}),
		took: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true, Align: fyne.TextAlignTrailing}),
		word: kit.NewText("", small), state: widget.NewIcon(nil), missed: kit.NewText("", small),
	}
	r.ExtendBaseWidget(r)
	return r
}

// show makes the row that of an entry at a moment.
func (r *callRow) show(e entry, look rowLook, now time.Time) {
	r.look = look
	for _, part := range []fyne.CanvasObject{r.time, r.client, r.place, r.tool, r.took, r.state, r.word} {
		setVisible(part, e.isCall())
	}
	setVisible(r.missed, !e.isCall())
	if !e.isCall() {
		r.missed.Set(missedWords(e.missed))
		r.Refresh()
		return
	}
	call := e.Call
	r.time.Set(clock(call.Started, now))
	r.client.Set(call.Client)
	r.place.Set(lang.L("{{.Toolbox}} › {{.Server}} ›", map[string]any{"Toolbox": call.Toolbox, "Server": call.Server}))
	r.tool.Set(call.Tool)
	r.took.Set(took(*call, now))
	state := outcomeState(call.Outcome)
	r.state.SetResource(state.Icon())
	r.word.SetStyle(outcomeWord(call.Outcome), kit.TextStyle{Size: theme.SizeSmall, Color: state.Color(), Shrinks: true})
	r.Refresh()
}

// Parts is for [kit.Restyler].
func (r *callRow) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{r.state} }

// CreateRenderer is for Fyne.
func (r *callRow) CreateRenderer() fyne.WidgetRenderer {
	return &rowRenderer{row: r, objects: []fyne.CanvasObject{r.line, r.ground, r.time, r.client, r.place, r.tool, r.took, r.state, r.word, r.missed}}
}

type rowRenderer struct {
	row     *callRow
	objects []fyne.CanvasObject
}

func (r *rowRenderer) Destroy()                     {}
func (r *rowRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *rowRenderer) MinSize() fyne.Size           { return fyne.NewSize(0, rowHeight) }

func (r *rowRenderer) Refresh() {
	r.Layout(r.row.Size())
	canvas.Refresh(r.row)
}

const stateSize = 14

func (r *rowRenderer) Layout(size fyne.Size) {
	row := r.row
	c := columnsAt(size.Width)
	put := func(object fyne.CanvasObject, left, width float32) {
		object.Move(fyne.NewPos(left, 0))
		object.Resize(fyne.NewSize(max(0, width), size.Height))
	}
	put(row.time, rowPad, timeWidth)
	isCall := !row.missed.Visible()
	put(row.missed, c.client, c.outcome-columnGap-c.client)
	if c.withClient {
		setVisible(row.client, isCall)
		put(row.client, c.client, clientWidth)
	} else {
		row.client.Hide()
	}
	// Of the call the tool is what one looks for, so the place gives way first.
	tool := min(row.tool.Full().Width, c.callWidth)
	const between = 4
	place := min(row.place.Full().Width, c.callWidth-tool-between)
	if place < 28 {
		place, tool = 0, min(row.tool.Full().Width, c.callWidth)
		row.place.Hide()
		put(row.tool, c.call, tool)
	} else {
		setVisible(row.place, isCall)
		put(row.place, c.call, place)
		put(row.tool, c.call+place+between, tool)
	}
	put(row.took, c.took, tookWidth)
	row.state.Move(fyne.NewPos(c.outcome, (size.Height-stateSize)/2))
	row.state.Resize(fyne.NewSquareSize(stateSize))
	put(row.word, c.outcome+stateSize+8, outcomeWidth-stateSize-8)

	look, variant := row.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	row.line.FillColor = look.Color(theme.ColorLine, variant)
	row.line.Move(fyne.NewPos(rowPad, size.Height-1))
	row.line.Resize(fyne.NewSize(max(0, size.Width-2*rowPad), 1))
	row.ground.Move(fyne.NewPos(2, 1))
	row.ground.Resize(fyne.NewSize(max(0, size.Width-4), size.Height-3))
	row.ground.CornerRadius = look.Size(theme.SizeFieldRadius)
	row.ground.StrokeWidth = 0
	switch {
	case row.look.selected:
		row.ground.FillColor = look.Color(theme.ColorTint, variant)
		if row.look.focused {
			row.ground.StrokeColor, row.ground.StrokeWidth = look.Color(theme.ColorAccent, variant), 1.5
		}
		row.ground.Show()
	case row.look.hovered:
		row.ground.FillColor = look.Color(base.ColorNameHover, variant)
		row.ground.Show()
	default:
		row.ground.Hide()
	}
}
