package welcome

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/review"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

const (
	columnWidth = 680 // the width of the page, in pixels; wider lines are hard to read
	boxWidth    = 28  // from the left of a checkbox to its text, in pixels
	footHeight  = 36  // the height of the buttons at the bottom, in pixels
)

// HeadHeight is the height of the part at the top that shows the steps, in pixels.
const HeadHeight = markSize + 2*kit.GapBlock

// fill draws the page.
func (s *Screen) fill() {
	view := s.view
	for key := range s.buttons {
		if key != "quit" && key != "back" && key != "skip" && key != "main" {
			delete(s.buttons, key)
		}
	}
	s.boxes = map[string]*kit.Check{}
	// Collect the parts first: a container lays out all its parts whenever one is added.
	parts := []fyne.CanvasObject{head(view)}
	add := func(part fyne.CanvasObject) { parts = append(parts, part) }
	if view.Notice.Text != "" {
		add(kit.NewMarked(view.Notice.State, view.Notice.Text))
	}
	for _, list := range [][]Row{view.Unread, view.Rows} {
		if len(list) > 0 {
			add(s.rows(list))
		}
	}
	if view.Tried.Text != "" {
		add(kit.NewMarked(view.Tried.State, view.Tried.Text))
	}
	if len(view.Failed) > 0 {
		add(s.rows(view.Failed))
	}
	if view.Ask != "" {
		add(s.question(view.Ask, view.Copy))
	}
	if len(view.Others) > 0 {
		others := kit.NewFlow(kit.Gap)
		for _, button := range view.Others {
			others.Add(s.button(keyOf(button), button, widget.MediumImportance))
		}
		add(others)
	}
	if view.Switch.Text != "" {
		box := s.box("switch", view.Switch.Text, s.service.flip)
		box.Follow(view.Switch.On)
		if view.Main.Off {
			box.Disable() // the edit is in progress
		}
		column := kit.Column(0, box)
		if view.Switch.Note != "" {
			column.Add(kit.InsetSides(kit.NewParagraph(view.Switch.Note, kit.Small()), 0, 0, boxWidth, 0))
		}
		// Indented like the boxes of the rows.
		add(kit.InsetSides(column, 0, 0, kit.GapTight, 0))
	}
	if view.Busy != "" {
		add(kit.NewMarked(theme.StateWorking, view.Busy))
	}
	if len(view.Small) > 0 {
		small := kit.Column(kit.GapTight)
		for _, text := range view.Small {
			small.Add(kit.NewParagraph(text, kit.Small()))
		}
		add(small)
	}
	s.body.Objects = parts
	s.body.Refresh()
}

// head returns the title and the texts below it, with a picture beside them.
func head(view View) fyne.CanvasObject {
	words := kit.Column(kit.GapTight, kit.NewParagraph(view.Title, kit.TextStyle{Size: theme.SizeTitle, Bold: true}))
	for _, text := range view.Texts {
		words.Add(kit.NewParagraph(text, kit.TextStyle{Color: theme.ColorMuted}))
	}
	var picture fyne.Resource
	switch view.Mark {
	case MarkOurs:
		picture = theme.ToolboxIcon(theme.ColorAccent)
	case MarkGood:
		picture = theme.StateConnected.Icon()
	case MarkWait:
		picture = theme.StateWorking.Icon()
	case MarkWrong:
		picture = theme.StateWrong.Icon()
	default:
		return words
	}
	return kit.Row(kit.GapBlock, kit.Sized(44, 44, widget.NewIcon(picture)), kit.Rest(words))
}

// rows draws a list of apps or servers.
func (s *Screen) rows(list []Row) fyne.CanvasObject {
	rows := make([]clients.Row, len(list))
	for i, row := range list {
		rows[i] = s.row(row)
	}
	return clients.NewRows(rows)
}

// row draws an app or a server.
func (s *Screen) row(row Row) clients.Row {
	drawn := clients.Row{Least: s.heights[row.Key], Name: row.Name, Mark: row.Mark, Plain: row.Plain, From: row.App,
		Told: clients.Told{Sign: row.Sign, Changes: row.Changes, Runs: row.OwnCommand, Command: row.Command}}
	// keep the height, so that nothing below moves when the text changes
	if drawn.Least == nil && strings.HasPrefix(row.Key, trialKey) {
		drawn.Least = new(float32)
		s.heights[row.Key] = drawn.Least
	}
	if row.Box {
		drawn.Box = s.box(row.Key, "", func(on bool) { s.service.tick(row.Key, on) })
		drawn.Box.Follow(row.On)
		kit.SetEnabled(drawn.Box, !row.Off)
	}
	if row.Server != nil {
		judged := row.Server.Review()
		drawn.First = append(drawn.First, review.New(review.View{Judged: judged, Told: judged.ToAgree(), Bare: true}))
	} else if row.Runs != "" {
		drawn.First = append(drawn.First,
			kit.NewParagraph(row.Runs, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Mono: true}))
	}
	for _, line := range row.Lines {
		var button []fyne.CanvasObject
		if line.Button.Action != NoAction {
			button = append(button, s.button(row.Key+" "+keyOf(line.Button), line.Button, widget.MediumImportance))
		}
		drawn.First = append(drawn.First, clients.NewStateLine(Sign{State: line.State, Text: line.Text}, button...))
	}
	for _, does := range row.Buttons {
		button := s.button(row.Key+" "+keyOf(does), does, importanceOf(does))
		if does.Action == ActionCopy {
			drawn.Copy = button
		} else {
			drawn.Buttons = append(drawn.Buttons, button)
		}
	}
	return drawn
}

// question draws what to ask an AI app, with a button that copies it.
func (s *Screen) question(text string, button Button) fyne.CanvasObject {
	words := kit.Column(kit.GapTight, kit.NewText(lang.L("Try it: ask"), kit.Small()),
		kit.NewParagraph(kit.Quote(text), kit.TextStyle{Size: theme.SizeHeading, Bold: true}))
	return kit.NewCard(kit.Row(kit.GapWide, kit.Rest(words), s.button("ask", button, widget.MediumImportance)))
}

// newFoot returns the buttons at the bottom. The button that leaves the steps is at the left, the others are at the
// right. The buttons are kept from page to page, so that the focus can stay on them.
func (s *Screen) newFoot() fyne.CanvasObject {
	button := func(key string, importance widget.Importance, does func() Button) fyne.CanvasObject {
		s.buttons[key] = kit.NewButton("", importance, func() { s.service.do(does()) })
		return s.buttons[key]
	}
	quit := button("quit", widget.LowImportance, func() Button { return s.view.Quit })
	return kit.Sized(0, footHeight, kit.Row(kit.Gap, kit.Flush(quit, true, false), kit.Rest(kit.NewGap(0, 0)),
		button("back", widget.MediumImportance, func() Button { return s.view.Back }),
		button("skip", widget.MediumImportance, func() Button { return s.view.Skip }),
		button("main", widget.HighImportance, func() Button { return s.view.Main })))
}

// fillFoot sets the labels of the buttons at the bottom.
func (s *Screen) fillFoot() {
	for key, does := range map[string]Button{"quit": s.view.Quit, "back": s.view.Back, "skip": s.view.Skip,
		"main": s.view.Main} {
		button := s.buttons[key]
		button.SetText(does.Text)
		kit.SetEnabled(button, !does.Off)
		kit.SetVisible(button, does.Action != NoAction)
	}
	s.foot.Refresh()
}

// button returns a button of a page and remembers it by its key.
func (s *Screen) button(key string, does Button, importance widget.Importance) *kit.Button {
	button := kit.NewButton(does.Text, importance, func() { s.service.do(does) })
	if does.Off {
		button.Disable()
	}
	s.buttons[key] = button
	return button
}

// box returns a checkbox and remembers it by its key.
func (s *Screen) box(key, label string, changed func(bool)) *kit.Check {
	box := kit.NewCheck(label, changed)
	box.OnEnter = s.Enter
	s.boxes[key] = box
	return box
}

func keyOf(button Button) string { return string(rune('a'+int(button.Action))) + " " + button.With }

// importanceOf returns the importance of a button of a row. A button that only shows more is plain, because there may
// be many of them.
func importanceOf(button Button) widget.Importance {
	if button.Action == ActionShow {
		return widget.LowImportance
	}
	return widget.MediumImportance
}
