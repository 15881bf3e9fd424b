package welcome

import (
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// The column is no wider than can be read well.
const (
	columnWidth = 680
	columnPad   = 24
	footHeight  = 36 // of the buttons at the bottom
	footPad     = 12
)

// FootHeight is how high the part with the buttons at the bottom is, in pixels.
const FootHeight = footHeight + 2*footPad + 1

// columnLayout puts its object into the middle. A flat one leaves no space above and below.
type columnLayout struct{ flat bool }

func (l columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	if l.flat {
		return fyne.NewSize(least.Width+2*columnPad, least.Height)
	}
	return fyne.NewSize(least.Width+2*columnPad, least.Height+2*columnPad)
}

func (l columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width, top := min(columnWidth, size.Width-2*columnPad), float32(columnPad)
	if l.flat {
		top = 0
	}
	objects[0].Move(fyne.NewPos((size.Width-width)/2, top))
	objects[0].Resize(fyne.NewSize(width, size.Height-2*top))
}

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
	if view.Switch.Text != "" {
		box := s.box("switch", view.Switch.Text, s.flip)
		box.Follow(view.Switch.On)
		if view.Main.Off {
			box.Disable() // it is under way
		}
		// In a line with the boxes of the rows.
		add(container.NewBorder(nil, nil, kit.NewGap(3, 1), nil, box))
	}
	if view.Ask != "" {
		add(s.question(view.Ask, view.Copy))
	}
	if view.Busy != "" {
		add(kit.NewMarked(theme.StateWorking, view.Busy))
	}
	if len(view.Small) > 0 {
		var small []fyne.CanvasObject
		for _, text := range view.Small {
			small = append(small, paragraph(text, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}))
		}
		add(kit.Column(6, small...))
	}
	if len(view.Others) > 0 {
		others := kit.NewFlow(8)
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
	texts := kit.Column(4)
	for _, text := range view.Texts {
		texts.Add(paragraph(text, kit.TextStyle{Color: theme.ColorMuted}))
	}
	title := paragraph(view.Title, kit.TextStyle{Size: theme.SizeTitle, Bold: true})
	words := kit.Column(6, title)
	if len(view.Texts) > 0 {
		words.Add(texts)
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
	mark := container.New(layout.NewCustomPaddedLayout(2, 0, 0, 16), container.NewGridWrap(fyne.NewSquareSize(44), widget.NewIcon(picture)))
	return container.NewBorder(nil, nil, kit.Column(0, mark), nil, words)
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
	trailing := kit.Row(8, kit.NewGap(4, 1))
	if row.Sign.Text != "" {
		trailing.Add(container.NewCenter(kit.Row(6, container.NewGridWrap(fyne.NewSquareSize(14), widget.NewIcon(row.Sign.State.Icon())),
			kit.NewText(row.Sign.Text, kit.TextStyle{Size: theme.SizeSmall, Color: row.Sign.State.Color()}))))
	}
	if row.App != "" {
		trailing.Add(container.NewCenter(kit.NewChip(kit.NewText(lang.L("from {{.App}}", named(cut(row.App, maxApp))), small))))
	}
	shows := slices.ContainsFunc(row.Buttons, func(button Button) bool { return button.Deed == DeedShow })
	if row.Sign.Text != "" && (row.Box || row.Plain) && !shows {
		trailing.Add(kit.NewGap(0, 1)) // so that it ends where the texts of the buttons of other rows do
	}
	for _, button := range row.Buttons {
		if button.Deed != DeedCopy {
			trailing.Add(container.NewCenter(s.button(row.Key+" "+keyOf(button), button, importanceOf(button))))
		}
	}
	var name fyne.CanvasObject
	indent := float32(0)
	if row.Box {
		box := s.box(row.Key, cut(row.Name, columnWidth-boxRoom-trailing.MinSize().Width), func(on bool) { s.tick(row.Key, on) })
		box.Follow(row.On)
		if row.Off {
			box.Disable()
		}
		name, indent = box, plainIndent
	} else if row.Plain {
		// As far from the left as the labels of boxes.
		text := kit.NewText(row.Name, kit.TextStyle{Shrinks: true})
		name, indent = container.NewBorder(nil, nil, kit.NewGap(plainIndent, 36), nil, middle(text)), plainIndent
	} else {
		text := kit.NewText(row.Name, kit.TextStyle{Bold: true, Shrinks: true})
		name, indent = container.NewBorder(nil, nil, kit.Row(0, kit.NewGap(4, 36), kit.NewInitial(row.Name, 24), kit.NewGap(10, 1)), nil, middle(text)), 38
	}
	lines := kit.Column(4)
	if row.Runs != "" {
		mono := small
		mono.Mono = true
		lines.Add(paragraph(row.Runs, mono))
	}
	for _, line := range row.Lines {
		style := small
		if line.State != theme.StateIdle {
			style.Color = line.State.Color()
		}
		lines.Add(paragraph(line.Text, style))
	}
	if row.Command != "" {
		lines.Add(s.command(row))
	}
	for _, change := range row.Changes {
		lines.Add(clients.NewDiff(change.File, change.Unified))
	}
	top := container.NewBorder(nil, nil, nil, trailing, name)
	if len(lines.Objects) == 0 {
		return container.New(layout.NewCustomPaddedLayout(4, 4, 8, 12), top)
	}
	return container.New(layout.NewCustomPaddedLayout(4, 12, 8, 12),
		kit.Column(0, top, container.NewBorder(nil, nil, kit.NewGap(indent, 1), nil, lines)))
}

// plainIndent is how far from the left the label of a box begins, in pixels.
const plainIndent = 25

// Measures of a row, in pixels. The label of a box can neither wrap nor shrink.
const (
	boxRoom = 64 // of the box, and the spaces around it and its label
	maxApp  = 230
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
	var copies fyne.CanvasObject = kit.NewGap(1, 1)
	for _, button := range row.Buttons {
		if button.Deed == DeedCopy {
			copies = s.button(row.Key+" "+keyOf(button), button, widget.MediumImportance)
		}
	}
	return container.NewBorder(nil, nil, nil, kit.Row(0, kit.NewGap(8, 1), copies), kit.NewBox(kit.BoxStyle{Fill: theme.ColorChip, Radius: theme.SizeFieldRadius}, field))
}

// question is what to ask an app, with a button that copies it.
func (s *Screen) question(text string, button Button) fyne.CanvasObject {
	words := kit.Column(4, kit.NewText(lang.L("Try it: ask"), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
		paragraph("“"+text+"”", kit.TextStyle{Size: theme.SizeHeading, Bold: true}))
	copies := kit.Row(0, kit.NewGap(12, 1), s.button("ask", button, widget.MediumImportance))
	return kit.NewCard(container.NewBorder(nil, nil, nil, copies, words))
}

// newFoot makes the buttons at the bottom: those that go on at the right, the one that leaves at the left. They stay the same from page
// to page, so that the keyboard can.
func (s *Screen) newFoot() fyne.CanvasObject {
	left, right := kit.Row(8), kit.Row(8)
	quit := container.New(layout.NewCustomPaddedLayout(0, 0, -8, 0), left) // its text begins where those above do
	place := func(row *fyne.Container, key string, importance widget.Importance, does func() Button) {
		button := kit.NewButton("", importance, func() { s.do(does()) })
		s.buttons[key] = button
		row.Add(button)
	}
	// The order is that of the Tab key, too.
	place(left, "quit", widget.LowImportance, func() Button { return s.view.Quit })
	place(right, "back", widget.MediumImportance, func() Button { return s.view.Back })
	place(right, "skip", widget.MediumImportance, func() Button { return s.view.Skip })
	place(right, "main", widget.HighImportance, func() Button { return s.view.Main })
	return container.NewStack(kit.NewGap(1, footHeight), container.New(layout.NewBorderLayout(nil, nil, quit, right), quit, right))
}

// fillFoot has the buttons at the bottom say what they do now.
func (s *Screen) fillFoot() {
	for key, does := range map[string]Button{"quit": s.view.Quit, "back": s.view.Back, "skip": s.view.Skip, "main": s.view.Main} {
		button := s.buttons[key]
		button.SetText(does.Text)
		kit.SetEnabled(button, !does.Off)
		kit.SetVisible(button, does.Deed != NoDeed)
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
	box.OnEscape, box.OnEnter = s.Escape, s.Enter
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

func keyOf(button Button) string { return string(rune('a'+int(button.Deed))) + " " + button.With }

// importanceOf is that of a button of a row. What only shows more is quiet: there may be many of them.
func importanceOf(button Button) widget.Importance {
	if button.Deed == DeedShow {
		return widget.LowImportance
	}
	return widget.MediumImportance
}

func middle(text fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer())
}

// paragraph is text of any length.
func paragraph(text string, style kit.TextStyle) fyne.CanvasObject {
	lines := kit.NewLines(12, style)
	lines.Set(text)
	return lines
}
