package welcome

import (
	"sort"
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
	columnWidth = 680 // of the steps: no wider than can be read well
	footHeight  = 36  // of the buttons at the bottom
)

// HeadHeight is how high the part with the steps at the top is, in pixels.
const HeadHeight = markSize + 2*kit.GapBlock

// fill makes the page.
func (s *Screen) fill() {
	view := s.view
	for key := range s.buttons {
		if key != "quit" && key != "back" && key != "skip" && key != "main" {
			delete(s.buttons, key)
		}
	}
	s.boxes = map[string]*kit.Check{}
	// All at once: a container arranges all that it has whenever something is added.
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
	if view.Switch.Text != "" {
		box := s.box("switch", view.Switch.Text, s.flip)
		box.Follow(view.Switch.On)
		if view.Main.Off {
			box.Disable() // it is under way
		}
		// In a line with the boxes of the rows.
		add(kit.InsetSides(box, 0, 0, kit.GapTight, 0))
	}
	if view.Ask != "" {
		add(s.question(view.Ask, view.Copy))
	}
	if view.Busy != "" {
		add(kit.NewMarked(theme.StateWorking, view.Busy))
	}
	if len(view.Small) > 0 {
		small := kit.Column(kit.GapTight)
		for _, text := range view.Small {
			small.Add(kit.NewParagraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
		}
		add(small)
	}
	if len(view.Others) > 0 {
		others := kit.NewFlow(kit.Gap)
		for _, button := range view.Others {
			others.Add(s.button(keyOf(button), button, widget.MediumImportance))
		}
		add(others)
	}
	s.body.Objects = parts
	s.body.Refresh()
}

// head is the title, with a mark and the texts below it.
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

// rows are a list of apps or servers, with thin lines between them.
func (s *Screen) rows(list []Row) fyne.CanvasObject {
	var rows []fyne.CanvasObject
	for i, row := range list {
		if i > 0 {
			rows = append(rows, kit.NewLine())
		}
		rows = append(rows, s.row(row))
	}
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, kit.Column(0, rows...))
}

// row is one app or server.
func (s *Screen) row(row Row) fyne.CanvasObject {
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	trailing := kit.Row(kit.Gap)
	if row.Sign.Text != "" {
		trailing.Add(kit.Marked(row.Sign.State, kit.NewText(row.Sign.Text, kit.TextStyle{Size: theme.SizeSmall, Color: row.Sign.State.Color()})))
	}
	if row.App != "" {
		trailing.Add(kit.NewChip(kit.NewText(lang.L("from {{.App}}", named(cut(row.App, maxApp))), small)))
	}
	below := kit.NewFlow(kit.Gap) // the buttons, where the name would have no room beside them
	for _, button := range row.Buttons {
		if button.Action != ActionCopy {
			below.Add(s.button(row.Key+" "+keyOf(button), button, importanceOf(button)))
		}
	}
	if buttons := kit.Row(kit.Gap, below.Objects...); trailing.MinSize().Width+buttons.MinSize().Width < columnWidth-leastName {
		trailing.Objects = append(trailing.Objects, below.Objects...)
		below.RemoveAll()
	}
	var top *fyne.Container
	indent := float32(plainIndent)
	switch {
	case row.Box:
		box := s.box(row.Key, cut(row.Name, columnWidth-boxRoom-trailing.MinSize().Width), func(on bool) { s.tick(row.Key, on) })
		box.Follow(row.On)
		kit.SetEnabled(box, !row.Off)
		top = kit.Row(kit.Gap, kit.Rest(box), trailing)
	case row.Plain: // as far from the left as the labels of boxes
		name := kit.NewText(row.Name, kit.TextStyle{Shrinks: true})
		top = kit.Row(kit.Gap, kit.InsetSides(kit.NewGap(0, rowHeight), 0, 0, plainIndent-kit.Gap, 0), kit.Rest(name), trailing)
	default:
		name := kit.NewText(row.Name, kit.TextStyle{Bold: true, Shrinks: true})
		top = kit.Row(kit.Gap, kit.NewGap(0, rowHeight), kit.NewInitial(row.Name, 24), kit.Rest(name), trailing)
		indent = 40
	}
	lines := kit.Column(kit.GapTight)
	mono := small
	mono.Mono = true
	if row.Server != nil {
		judged := row.Server.Review()
		lines.Add(review.New(review.View{Judged: judged, Told: judged.ToAgree(), Bare: true}))
	} else {
		lines.Add(kit.NewParagraph(row.Runs, mono))
	}
	for _, line := range row.Lines {
		style := small
		if line.State != theme.StateIdle {
			style.Color = line.State.Color()
		}
		text := kit.NewParagraph(line.Text, style)
		if line.Button.Action == NoAction {
			lines.Add(text)
			continue
		}
		lines.Add(kit.Row(kit.GapWide, kit.Rest(text), s.button(row.Key+" "+keyOf(line.Button), line.Button, widget.MediumImportance)))
	}
	if row.Command != "" {
		lines.Add(s.command(row))
	}
	if len(below.Objects) > 0 {
		lines.Add(kit.Inset(below, kit.GapTight, 0))
	}
	for _, change := range row.Changes {
		lines.Add(clients.NewDiff(change.File, change.Unified))
	}
	end := float32(kit.GapWide)
	if row.Runs == "" && row.Server == nil && len(lines.Objects) == 1 {
		end = kit.GapTight
	}
	return kit.InsetSides(kit.Column(0, top, kit.InsetSides(lines, 0, 0, indent, 0)), kit.GapTight, end, kit.Gap, kit.GapWide)
}

// plainIndent is how far from the left the label of a box begins, in pixels.
const plainIndent = 25

// Measures of a row, in pixels. The label of a box can neither wrap nor shrink.
const (
	rowHeight = 36
	boxRoom   = 64 // of the box, and the spaces around it and its label
	maxApp    = 230
	leastName = 240 // of its mark and the spaces, too
)

// cut is a text in one line, no wider than that.
func cut(text string, width float32) string {
	text = kit.Line(text)
	size := theme.Theme{}.Size(theme.SizeText)
	wide := func(text string) bool { return fyne.MeasureText(text, size, fyne.TextStyle{}).Width > width }
	if !wide(text) {
		return text
	}
	runes := []rune(text)
	shown := sort.Search(len(runes), func(n int) bool { return wide(string(runes[:n]) + "…") })
	return strings.TrimRight(string(runes[:max(0, shown-1)]), " ") + "…"
}

// command is a command that people run, with a button that copies it.
func (s *Screen) command(row Row) fyne.CanvasObject {
	field := kit.NewSelectable(row.Command)
	field.TextStyle = fyne.TextStyle{Monospace: true}
	field.SizeName = theme.SizeSmall
	line := kit.Row(kit.Gap, kit.Rest(kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, field)))
	for _, button := range row.Buttons {
		if button.Action == ActionCopy {
			line.Add(s.button(row.Key+" "+keyOf(button), button, widget.MediumImportance))
		}
	}
	return line
}

// question is what to ask an app, with a button that copies it.
func (s *Screen) question(text string, button Button) fyne.CanvasObject {
	words := kit.Column(kit.GapTight, kit.NewText(lang.L("Try it: ask"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
		kit.NewParagraph(kit.Quote(text), kit.TextStyle{Size: theme.SizeHeading, Bold: true}))
	return kit.NewCard(kit.Row(kit.GapWide, kit.Rest(words), s.button("ask", button, widget.MediumImportance)))
}

// newFoot makes the buttons at the bottom: those that go on at the right, the one that leaves at the left. They stay the same from page
// to page, so that the keyboard can.
func (s *Screen) newFoot() fyne.CanvasObject {
	button := func(key string, importance widget.Importance, does func() Button) fyne.CanvasObject {
		s.buttons[key] = kit.NewButton("", importance, func() { s.do(does()) })
		return s.buttons[key]
	}
	quit := button("quit", widget.LowImportance, func() Button { return s.view.Quit })
	return kit.Sized(0, footHeight, kit.Row(kit.Gap, kit.Flush(quit, true, false), kit.Rest(kit.NewGap(0, 0)),
		button("back", widget.MediumImportance, func() Button { return s.view.Back }),
		button("skip", widget.MediumImportance, func() Button { return s.view.Skip }),
		button("main", widget.HighImportance, func() Button { return s.view.Main })))
}

// fillFoot has the buttons at the bottom say what they do now.
func (s *Screen) fillFoot() {
	for key, does := range map[string]Button{"quit": s.view.Quit, "back": s.view.Back, "skip": s.view.Skip, "main": s.view.Main} {
		button := s.buttons[key]
		button.SetText(does.Text)
		kit.SetEnabled(button, !does.Off)
		kit.SetVisible(button, does.Action != NoAction)
	}
	s.foot.Refresh()
}

// button gives a button that is scrolled into sight when it gets the keyboard.
func (s *Screen) button(key string, does Button, importance widget.Importance) *kit.Button {
	button := kit.NewButton(does.Text, importance, func() { s.do(does) })
	if does.Off {
		button.Disable()
	}
	s.buttons[key] = button
	return button
}

// box gives a box to be ticked.
func (s *Screen) box(key, label string, changed func(bool)) *kit.Check {
	box := kit.NewCheck(label, func(on bool) {
		changed(on)
		s.draw()
	})
	box.OnEnter = s.Enter
	s.boxes[key] = box
	return box
}

// flip notes that the box below the rows was ticked, or is not any more.
func (s *Screen) flip(on bool) {
	if s.model.step == StepConnect {
		s.model.connect.keep = !on
	} else {
		s.model.bring.keychain = on
	}
}

// tick notes that a row was ticked, or is not any more.
func (s *Screen) tick(key string, on bool) {
	m := s.model
	switch {
	case m.step == StepConnect:
		for _, app := range m.facts.Apps {
			if appKey(app.ID) == key {
				m.connect.ticked[app.ID] = on
			}
		}
	case m.bring.stage == bringApps:
		for _, source := range m.facts.Sources {
			if appKey(source.ID) == key {
				m.bring.left[source.ID] = !on
			}
		}
	default:
		m.bring.leave[key] = !on
	}
}

func keyOf(button Button) string { return string(rune('a'+int(button.Action))) + " " + button.With }

// importanceOf is that of a button of a row. What only shows more is quiet: there may be many of them.
func importanceOf(button Button) widget.Importance {
	if button.Action == ActionShow {
		return widget.LowImportance
	}
	return widget.MediumImportance
}
