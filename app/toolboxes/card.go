package toolboxes

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// cardLook is the content of a card, as a plain value.
type cardLook struct {
	choice model.Choice
	server Server // without its tools
	marked bool   // the server is selected in the tree
}

// card shows one server. Cards are reused for other servers.
type card struct {
	kit.Control
	screen  *Screen
	look    cardLook
	tile    *kit.Tile // the mark of the server
	state   *widget.Icon
	name    *kit.Text
	word    *kit.Text // the state and the note
	detail  *kit.Lines
	buttons []*kit.Button // from left to right
	fix     *kit.Button
	start   *kit.Button
	stop    *kit.Button
	again   *kit.Button // restarts the server
	log     *kit.Button
	on      *kit.Button // switches the server on
	more    *kit.Button
	row     *fyne.Container // the buttons
}

var (
	_ fyne.Tappable          = (*card)(nil)
	_ fyne.SecondaryTappable = (*card)(nil)
	_ kit.FocusHolder        = (*card)(nil)
)

func newCard(screen *Screen) *card {
	c := &card{
		screen: screen,
		look:   cardLook{server: Server{Finding: &model.Finding{}}},
		tile:   kit.NewEmptyTile(cardTile),
		state:  widget.NewIcon(nil),
		name:   kit.NewText("", kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}),
		word:   kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Shrinks: true}),
		detail: kit.NewLines(cardMaxLines, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	button := func(label string, importance widget.Importance, action func(model.Choice)) *kit.Button {
		return kit.NewButton(label, importance, func() { action(c.look.choice) })
	}
	c.fix = button("", widget.HighImportance, screen.Mend)
	c.start = button(lang.L("Start"), widget.LowImportance, screen.program.Start)
	c.stop = button(lang.L("Stop"), widget.LowImportance, screen.program.Stop)
	c.again = button(lang.L("Restart"), widget.LowImportance, screen.program.Restart)
	c.on = button(lang.L("Switch on"), widget.LowImportance, func(choice model.Choice) {
		screen.turn(choice, "disabled", false)
	})
	c.log = button(lang.L("Log"), widget.LowImportance, screen.program.ShowLog)
	c.more = kit.NewMenuButton(lang.L("More"), func() *fyne.Menu { return screen.menuFor(c.look.choice) })
	c.buttons = []*kit.Button{c.fix, c.start, c.again, c.stop, c.on, c.log, c.more}
	c.row = kit.Row(kit.GapTight)
	for _, b := range c.buttons {
		b.Within(c)
		b.OnFocus = c.tookKeyboard
		c.row.Add(b)
	}
	c.OnFocus = func(focused bool) {
		if focused {
			for _, b := range c.buttons {
				b.Leave()
			}
		}
		c.tookKeyboard(focused)
	}
	least := func() fyne.Size { return fyne.NewSize(200, cardHeight) }
	c.Init(c, kit.Arranged(least, c.place, c.tile.Object, c.state, c.name, c.word, c.detail, c.row), c.style)
	return c
}

// show makes the card show a server.
func (c *card) show(look cardLook) {
	if sameLook(look, c.look) {
		return
	}
	c.look = look
	server := look.server
	c.tile.Set(catalogue.Known(server.entry), server.Name, server.Name)
	c.state.SetResource(server.State.Icon())
	name := kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}
	if server.State == theme.StateDisabled {
		name.Color = theme.ColorMuted
	}
	c.name.SetStyle(server.Name, name)
	c.setWord(true)
	c.detail.Set(server.said())
	can := server.Can()
	start, again := live.RunWords(server.Status, server.State)
	for button, text := range map[*kit.Button]string{c.fix: server.FixWord(), c.start: start, c.again: again} {
		button.SetText(text)
	}
	kit.SetVisible(c.fix, can.Fix)
	kit.SetVisible(c.start, can.Start)
	kit.SetVisible(c.on, server.Status == status.Disabled)
	c.Refresh()
}

// said returns the text below the name: a problem or the command line, and when the server was last used. A problem
// comes first.
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
		return kit.Facts(strings.TrimSuffix(text, "."), s.Used)
	}
	return kit.Facts(s.Used, text)
}

// setWord shows the state, and with note also the note of the server.
func (c *card) setWord(note bool) {
	server := c.look.server
	word := server.Word
	if note && server.Note != word {
		word = kit.Facts(word, server.Note)
	}
	c.word.SetStyle(word, kit.TextStyle{Size: theme.SizeSmall, Color: server.State.Color(), Shrinks: true})
}

func sameLook(a, b cardLook) bool {
	return a.choice == b.choice && a.marked == b.marked && a.server.Name == b.server.Name &&
		a.server.Word == b.server.Word && a.server.entry == b.server.entry &&
		a.server.Note == b.server.Note && a.server.shape() == b.server.shape()
}

// cardShape is what the height of a card depends on, besides the width.
type cardShape struct {
	detail, used, fix       string
	state                   theme.State
	status                  status.State
	help                    model.Help
	waiting, changed, pause bool
	lack                    model.Lack
}

func (s Server) shape() cardShape {
	shape := cardShape{s.Detail, s.Used, s.FixWord(), s.State, s.Status, s.Help(), s.Waiting > 0, s.Changed,
		s.Paused, s.Lack}
	if s.Detail == "" {
		shape.detail = s.line
	}
	return shape
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
func (c *card) Tapped(*fyne.PointEvent) { c.screen.pick(c.look.choice, toOpen) }

// TappedSecondary opens the menu of the server.
func (c *card) TappedSecondary(event *fyne.PointEvent) {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(c); canvas != nil {
		widget.ShowPopUpMenuAtPosition(c.screen.menuFor(c.look.choice), canvas, event.AbsolutePosition)
	}
}

// tookKeyboard scrolls to the card if it or one of its buttons has got the focus.
func (c *card) tookKeyboard(focused bool) {
	if focused {
		c.screen.page.reveal(c.look.choice.Server)
	}
}

// TypedKey opens the server or its menu.
func (c *card) TypedKey(event *fyne.KeyEvent) {
	switch event.Name {
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		c.Tapped(nil)
	case fyne.KeyRight:
		c.Step(nil, 1)
	case fyne.KeyF10: // with Shift, for keyboards without a menu key
		if kit.Modifiers()&fyne.KeyModifierShift != 0 {
			c.more.ShowMenu(c.screen.menuFor(c.look.choice))
		}
	case desktop.KeyMenu:
		c.more.ShowMenu(c.screen.menuFor(c.look.choice))
	default:
		if !c.screen.choiceKey(c.look.choice, event) {
			kit.PassKey(c, event)
		}
	}
}

// Step moves the focus from a button to the next visible one, or to the previous one if by is -1. If from is nil, it
// starts at the card itself.
func (c *card) Step(from *kit.Button, by int) {
	row := slices.DeleteFunc(slices.Clone(c.buttons), func(b *kit.Button) bool { return !b.Visible() })
	switch to := slices.Index(row, from) + by; {
	case to < 0:
		kit.Focus(c)
	case to < len(row):
		row[to].Enter()
	}
}

// Sizes of a card, in pixels.
const (
	cardHeight   = 64  // with one line of detail
	cardMaxLines = 8   // the most lines of detail: the message of a server may be very long
	cardNarrow   = 560 // below this width some parts are hidden
	cardWide     = 620 // from this width on the buttons have long texts
	cardGap      = kit.Gap
	cardInset    = kit.GapBlock // at the sides
	cardPad      = kit.GapWide  // above and below the text
	cardTile     = 32
	cardTextLeft = cardInset + cardTile + kit.GapWide
	cardState    = 14  // the size of the icon before the state
	cardName     = 150 // the least width of the name next to the buttons
	cardWord     = 72  // the width that the state keeps next to a long name
)

// cardPlan has the positions of the parts of a card of some width. The detail is always shown in full: next to the
// buttons if two lines are enough, otherwise below them. If there is little room for the name, the buttons are on a
// line of their own.
type cardPlan struct {
	height     float32
	top        float32 // the upper edge of the name
	middle     float32 // the vertical center of the buttons
	buttons    fyne.Size
	name, room float32 // the widths for the name with its state, and for the detail
	detail     float32 // the upper edge of the detail
}

// plan computes which parts a card of the given width has room for, and where they are.
func (c *card) plan(width float32) (p cardPlan) {
	server := c.look.server
	can := server.Can()
	c.offer(width)
	// A connected server is restarted and stopped from its menu: such buttons on every card would be in the way.
	works := server.Status == status.Connected
	kit.SetVisible(c.again, can.Restart && !works && server.Help() != model.HelpAgain)
	kit.SetVisible(c.log, can.Log && !works && server.Help() != model.HelpLog)
	kit.SetVisible(c.stop, can.Stop && !works && !can.Fix && (!can.Restart || width > cardNarrow))
	for _, spare := range []*kit.Button{nil, c.log, c.again} { // The menu of the card has these actions too.
		if spare != nil {
			spare.Hide()
		}
		p.buttons = c.row.MinSize()
		p.name = max(0, width-8-p.buttons.Width-cardTextLeft-12)
		if p.name >= cardName || p.buttons.Width <= width-2*cardInset && p.buttons.Width > 0 {
			break
		}
	}
	p.room = p.name
	line := c.name.Full().Height
	lines := c.detail.Height(p.room)
	if p.name < cardName { // The buttons are on a line of their own.
		p.name = max(0, width-cardTextLeft-cardInset)
		p.room, p.detail = p.name, cardPad+line+3
		p.height = p.detail + c.detail.Height(p.room) + 4 + p.buttons.Height + 8
		p.middle, p.top = p.height-8-p.buttons.Height/2, cardPad
		return p
	}
	if all := c.detail.Height(1 << 20); lines > 2*all+1 || p.room < 160 && lines > all {
		p.room = max(0, width-cardTextLeft-cardInset)
		p.middle = 8 + p.buttons.Height/2
		p.detail, p.top = 8+p.buttons.Height, p.middle-line/2
		p.height = p.detail + c.detail.Height(p.room) + cardPad
		return p
	}
	p.height = max(cardHeight, 2*cardPad+line+3+lines)
	p.top = (p.height - line - 3 - lines) / 2
	p.middle, p.detail = p.height/2, p.top+line+3
	return p
}

// cardHeights returns the heights of cards without creating a card for each server: cards of the same shape have the
// same height.
type cardHeights struct {
	ruler *card
	width float32
	known map[cardShape]float32
}

func newCardHeights(screen *Screen) *cardHeights {
	return &cardHeights{ruler: newCard(screen), known: map[cardShape]float32{}}
}

// of returns the height of a server's card at the given width.
func (h *cardHeights) of(server Server, width float32) float32 {
	if width != h.width || len(h.known) > 4000 {
		h.width = width
		clear(h.known)
	}
	height, known := h.known[server.shape()]
	if !known {
		h.ruler.show(cardLook{server: server})
		height = h.ruler.plan(width).height
		h.known[server.shape()] = height
	}
	return height
}

// place lays out the parts.
func (c *card) place(size fyne.Size) {
	p := c.plan(size.Width)
	end := size.Width - 8 - p.buttons.Width
	c.row.Resize(p.buttons)
	c.row.Move(fyne.NewPos(end, p.middle-p.buttons.Height/2))
	c.setWord(true)
	name, word := c.name.Full(), c.word.Full()
	if name.Width+10+cardState+kit.GapTight+word.Width > p.name {
		c.setWord(false)
		word = c.word.Full()
	}
	// The name has the larger part, and the state is cut rather than left out.
	const before = 10 + cardState + kit.GapTight // what stands before the state
	width := max(0, min(name.Width, p.name-before-min(word.Width, max(cardWord, p.name-before-name.Width))))
	c.name.Move(fyne.NewPos(cardTextLeft, p.top))
	c.name.Resize(fyne.NewSize(width, name.Height))
	c.state.Move(fyne.NewPos(cardTextLeft+width+10, p.top+1+(name.Height-cardState)/2))
	c.state.Resize(fyne.NewSquareSize(cardState))
	c.word.Move(fyne.NewPos(cardTextLeft+width+before, p.top+1))
	c.word.Resize(fyne.NewSize(max(0, min(word.Width, p.name-width-before)), name.Height))
	c.detail.Move(fyne.NewPos(cardTextLeft, p.detail))
	c.detail.Resize(fyne.NewSize(p.room, c.detail.Height(p.room)))
	tile := p.top + (name.Height+3+c.detail.Height(p.room)-cardTile)/2
	if top := p.top + name.Height/2 - cardTile/2; c.detail.Height(p.room) > 2*name.Height || p.detail > p.top+name.Height+3 {
		tile = max(kit.Gap, top)
	}
	c.tile.Object.Move(fyne.NewPos(cardInset, max(kit.Gap, tile)))
	c.tile.Object.Resize(fyne.NewSquareSize(cardTile))
}

func (c *card) style() kit.BoxStyle {
	style := kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}
	switch {
	case c.Focused():
		style.Line, style.Width = theme.ColorAccent, 2
	case c.look.marked:
		style.Line = theme.ColorAccent
	case c.Hovered():
		style.Line = base.ColorNameInputBorder
	}
	return style
}
