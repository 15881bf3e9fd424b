package toolboxes

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// cardActions are what the controls of a card do. Each gets the server that the card shows then.
type cardActions struct {
	open  func(model.Choice)
	menu  func(model.Choice) *fyne.Menu
	focus func(model.Choice) // something in the card has got the focus
	key   func(model.Choice, *fyne.KeyEvent) bool

	drag func(what model.Choice, at, before fyne.Position) // follows the pointer, in what scrolls
	drop func() bool                                       // ends that; false: it was a click

	fix, start, stop, restart, log, switchOn func(model.Choice) // nil: not offered
}

// cardLook is what a card shows, as a plain value.
type cardLook struct {
	choice model.Choice
	server Server // without its tools
	marked bool
}

// card shows one server. It is used again for other servers.
type card struct {
	kit.Control
	actions cardActions
	look    cardLook
	ground  *canvas.Rectangle
	state   *widget.Icon
	name    *kit.Text
	word    *kit.Text
	kind    *kit.Text
	chip    fyne.CanvasObject // around kind
	detail  *kit.Lines
	buttons []*kit.Button // by the order in which they stand
	fix     *kit.Button
	start   *kit.Button
	stop    *kit.Button
	again   *kit.Button
	log     *kit.Button
	on      *kit.Button
	more    *kit.Button

	actionsAt fyne.Position // where the buttons are
	held      bool          // the button of the mouse is down, and the pointer has moved
	pressed   *kit.Button   // on this one
	pointer   fyne.Position
}

var (
	_ fyne.Tappable          = (*card)(nil)
	_ fyne.SecondaryTappable = (*card)(nil)
	_ fyne.Draggable         = (*card)(nil)
	_ kit.FocusHolder        = (*card)(nil)
)

func newCard(actions cardActions) *card {
	c := &card{
		actions: actions,
		ground:  canvas.NewRectangle(nil),
		state:   widget.NewIcon(nil),
		name:    kit.NewText("", kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}),
		word:    kit.NewText("", kit.TextStyle{Size: theme.SizeSmall}),
		kind:    kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
		detail:  kit.NewLines(2, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	c.chip = kit.NewChip(c.kind)
	button := func(label string, importance widget.Importance, action func(model.Choice)) *kit.Button {
		b := kit.NewButton(label, importance, func() { action(c.look.choice) })
		b.OnFocus = c.tookKeyboard
		return b
	}
	c.fix = button(lang.L("Fix…"), widget.HighImportance, actions.fix)
	c.start = button(lang.L("Start"), widget.LowImportance, actions.start)
	c.stop = button(lang.L("Stop"), widget.LowImportance, actions.stop)
	c.again = button(lang.L("Restart"), widget.LowImportance, actions.restart)
	c.on = button(lang.L("Switch on"), widget.LowImportance, actions.switchOn)
	c.log = button(lang.L("Log"), widget.LowImportance, actions.log)
	c.more = kit.NewMenuButton(lang.L("More"), func() *fyne.Menu { return actions.menu(c.look.choice) })
	c.more.OnFocus = c.tookKeyboard
	c.buttons = []*kit.Button{c.fix, c.start, c.again, c.stop, c.on, c.log, c.more}
	c.OnFocus = c.tookKeyboard
	c.Init(c, nil, nil)
	return c
}

// show makes the card show a server.
func (c *card) show(look cardLook) {
	if sameLook(look, c.look) {
		return
	}
	c.look = look
	server := look.server
	c.state.SetResource(server.State.Icon())
	name := kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}
	if server.State == theme.StateDisabled {
		name.Color = theme.ColorMuted
	}
	c.name.SetStyle(server.Name, name)
	c.setWord(true)
	c.kind.Set(server.Kind)
	c.detail.Set(server.said())
	can := server.can()
	c.fix.SetText(server.fixWord())
	kit.SetVisible(c.fix, can.fix && c.actions.fix != nil)
	kit.SetVisible(c.start, can.start && c.actions.start != nil)
	// One that is wrong is mended first; its menu can restart it.
	kit.SetVisible(c.again, can.restart && !can.fix && c.actions.restart != nil)
	kit.SetVisible(c.on, server.Status == status.Disabled)
	kit.SetVisible(c.log, can.log && c.actions.log != nil)
	c.Refresh()
}

// said is the text below the name: what there is to say, or what runs, and when it was used last. What the user should read comes first.
func (s Server) said() string {
	text := s.Detail
	if text == "" {
		text = s.Line()
	}
	if s.Used == "" {
		return text
	}
	switch s.State {
	case theme.StateWrong, theme.StateKey, theme.StateWorking, theme.StateNotice:
		return strings.TrimSuffix(text, ".") + " · " + s.Used
	}
	return s.Used + " · " + text
}

// setWord says the state, with the note where there is room for it.
func (c *card) setWord(note bool) {
	server := c.look.server
	word := server.Word
	if note && server.Note != "" && server.Note != word {
		word += " · " + server.Note
	}
	c.word.SetStyle(word, kit.TextStyle{Size: theme.SizeSmall, Color: server.State.Color()})
}

func sameLook(a, b cardLook) bool {
	return a.choice == b.choice && a.marked == b.marked && a.server.Name == b.server.Name && a.server.line == b.server.line &&
		a.server.Kind == b.server.Kind && a.server.State == b.server.State && a.server.Word == b.server.Word &&
		a.server.Note == b.server.Note && a.server.Detail == b.server.Detail && a.server.Used == b.server.Used && a.server.Status == b.server.Status && a.server.Paused == b.server.Paused && a.server.Waiting == b.server.Waiting && a.server.Changed == b.server.Changed && a.server.Runtime == b.server.Runtime
}

// Holds reports whether the card or one of its buttons has the focus.
func (c *card) Holds(focused fyne.Focusable) bool {
	button, ok := focused.(*kit.Button)
	return focused == fyne.Focusable(c) || ok && slices.Contains(c.buttons, button)
}

// AccessibilityLabel says what the card shows.
func (c *card) AccessibilityLabel() string { return c.name.Text() + ", " + c.word.Text() }

// AccessibilityRole says that the card can be pressed.
func (c *card) AccessibilityRole() fyne.AccessibleRole { return fyne.AccessibleRoleButton }

// Tapped opens the server.
func (c *card) Tapped(*fyne.PointEvent) { c.actions.open(c.look.choice) }

// Dragged takes the card to another place. A hand that trembles on one of the buttons means the button.
func (c *card) Dragged(event *fyne.DragEvent) {
	before := event.Position.SubtractXY(event.Dragged.DX, event.Dragged.DY)
	if !c.held {
		c.held, c.pressed = true, c.buttonAt(before)
	}
	c.pointer = event.Position
	if c.pressed == nil {
		c.actions.drag(c.look.choice, c.Position().Add(event.Position), c.Position().Add(before))
	}
}

// DragEnd leaves it there, or does what a click does when it has not been dragged.
func (c *card) DragEnd() {
	pressed := c.pressed
	c.held, c.pressed = false, nil
	switch {
	case pressed == nil:
		if !c.actions.drop() {
			c.Tapped(nil)
		}
	case c.buttonAt(c.pointer) == pressed:
		pressed.Tapped(nil)
	}
}

// buttonAt gives the button at a place of the card, or nil.
func (c *card) buttonAt(at fyne.Position) *kit.Button {
	for _, button := range c.buttons {
		from := c.actionsAt.Add(button.Position())
		if to := from.Add(button.Size()); button.Visible() && at.X >= from.X && at.Y >= from.Y && at.X < to.X && at.Y < to.Y {
			return button
		}
	}
	return nil
}

// TappedSecondary opens its menu.
func (c *card) TappedSecondary(event *fyne.PointEvent) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(c); canvas != nil {
		widget.ShowPopUpMenuAtPosition(c.actions.menu(c.look.choice), canvas, event.AbsolutePosition)
	}
}

// tookKeyboard tells that the card or one of its buttons has got the keyboard.
func (c *card) tookKeyboard(focused bool) {
	if focused {
		c.actions.focus(c.look.choice)
	}
}

// TypedKey opens the server or its menu.
func (c *card) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.actions.open(c.look.choice)
	case fyne.KeyF10: // with Shift, for keyboards without a menu key
		if kit.Modifiers()&fyne.KeyModifierShift != 0 {
			c.more.ShowMenu(c.actions.menu(c.look.choice))
		}
	case desktop.KeyMenu:
		c.more.ShowMenu(c.actions.menu(c.look.choice))
	default:
		if !c.actions.key(c.look.choice, event) {
			kit.PassKey(c, event)
		}
	}
}

// CreateRenderer is for Fyne.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	buttons := make([]fyne.CanvasObject, len(c.buttons))
	for i, b := range c.buttons {
		buttons[i] = b
	}
	actions := container.NewHBox(buttons...)
	r := &cardRenderer{card: c, buttons: actions,
		objects: []fyne.CanvasObject{c.ground, c.state, c.name, c.word, c.chip, c.detail, actions}}
	r.paint()
	return r
}

// Measures of a card, in pixels.
const (
	cardHeight   = 64 // with one line of detail
	cardLine     = 18 // more for each other line
	cardMaxLines = 3
	cardNarrow   = 560 // below this width there is less to see
	cardWide     = 620 // from this width on there is room for long buttons
	cardGap      = 8
	cardInset    = 16
	cardTextLeft = cardInset + 16 + 12
	cardButtons  = 172 // about what the buttons of a server that is wrong take
)

// cardLines is how many lines of detail the cards of some servers need at a width: as many as what the user has to read
// takes. All cards have the same height, so that those out of sight need not be measured; what only informs is cut rather
// than that all are made higher for it.
func cardLines(servers []Server, width float32) int {
	lines, text := 1, kit.NewText("", kit.TextStyle{Size: theme.SizeSmall})
	if width < cardNarrow {
		lines = 2
	}
	room := max(80, width-cardTextLeft-12-8-cardButtons)
	for _, server := range servers {
		switch server.State {
		case theme.StateWrong, theme.StateKey, theme.StateWorking, theme.StateNotice:
			text.Set(server.said())
			// Words don't fill a line to its end.
			lines = max(lines, 1+int(text.Full().Width*1.06/room))
		}
		if lines >= cardMaxLines {
			return cardMaxLines
		}
	}
	return lines
}

type cardRenderer struct {
	card    *card
	buttons *fyne.Container
	objects []fyne.CanvasObject
}

func (r *cardRenderer) Destroy()                     {}
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *cardRenderer) MinSize() fyne.Size           { return fyne.NewSize(200, cardHeight) }

func (r *cardRenderer) Layout(size fyne.Size) {
	c := r.card
	c.ground.Resize(size)
	can := c.look.server.can()
	c.offer(size.Width)
	kit.SetVisible(c.stop, can.stop && !can.fix && c.actions.stop != nil && (!can.restart || size.Width > cardNarrow))
	buttons := r.buttons.MinSize()
	r.buttons.Resize(buttons)
	end := size.Width - 8 - buttons.Width
	c.state.Resize(fyne.NewSquareSize(16))
	chip := float32(0)
	if kit.SetVisible(c.chip, c.look.server.Kind != "" && size.Width > cardNarrow); c.chip.Visible() {
		least := c.chip.MinSize()
		chip = least.Width + 12
		c.chip.Resize(least)
		c.chip.Move(fyne.NewPos(end-chip, (size.Height-least.Height)/2))
	}
	room := max(0, end-chip-cardTextLeft-12)
	c.setWord(true)
	name, word := c.name.Full(), c.word.Full()
	if name.Width+10+word.Width > room {
		c.setWord(false)
		word = c.word.Full()
	}
	if name.Width+10+word.Width > room && c.detail.Text() != "" { // the mark and the line below say it too
		word.Width = -10
	}
	c.detail.SetLimit(1 + int((size.Height-cardHeight)/cardLine))
	c.detail.Resize(fyne.NewSize(room, c.detail.MinSize().Height))
	height := name.Height + 3 + c.detail.Height(room)
	top := (size.Height - height) / 2
	width := max(0, min(name.Width, room-word.Width-10))
	c.name.Move(fyne.NewPos(cardTextLeft, top))
	c.name.Resize(fyne.NewSize(width, name.Height))
	c.word.Move(fyne.NewPos(cardTextLeft+width+10, top+1))
	c.word.Resize(fyne.NewSize(max(0, min(word.Width, room-width-10)), name.Height))
	c.detail.Move(fyne.NewPos(cardTextLeft, top+name.Height+3))
	c.state.Move(fyne.NewPos(cardInset, (size.Height-16)/2))
	c.actionsAt = fyne.NewPos(end, (size.Height-buttons.Height)/2)
	r.buttons.Move(c.actionsAt)
}

func (r *cardRenderer) Refresh() {
	r.paint()
	r.Layout(r.card.Size())
	for _, object := range r.objects {
		object.Refresh()
	}
}

func (r *cardRenderer) paint() {
	look, variant := r.card.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	ground := r.card.ground
	ground.CornerRadius = look.Size(theme.SizeCardRadius)
	ground.FillColor = look.Color(theme.ColorCard, variant)
	ground.StrokeColor, ground.StrokeWidth = look.Color(theme.ColorLine, variant), 1
	switch {
	case r.card.Focused() || r.card.look.marked:
		ground.StrokeColor = look.Color(theme.ColorAccent, variant)
	case r.card.Hovered():
		ground.StrokeColor = look.Color(base.ColorNameInputBorder, variant)
	}
	if r.card.Focused() {
		ground.StrokeWidth = 2
	}
}
