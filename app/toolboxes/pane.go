package toolboxes

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// pane is the right side: one toolbox with its servers as cards.
type pane struct {
	root        fyne.CanvasObject
	name        *kit.Text
	description *kit.Text
	count       *kit.Text
	off         *kit.Text
	offChip     fyne.CanvasObject
	cards       *widget.List
	empty       fyne.CanvasObject

	toolbox Toolbox
	marked  string // the server that is selected at the left
}

func newPane(actions Actions) *pane {
	p := &pane{
		name:        kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		description: kit.NewText("", kit.TextStyle{Color: theme.ColorMuted, Shrinks: true}),
		count:       kit.NewText("", kit.TextStyle{Size: theme.SizeSmall}),
		off:         kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	p.offChip = kit.NewChip(p.off)
	p.cards = widget.NewList(
		func() int { return len(p.toolbox.Servers) },
		func() fyne.CanvasObject { return newCard() },
		func(id widget.ListItemID, object fyne.CanvasObject) {
			// The list may ask for a row of before, between a change of the toolbox and the refresh that follows it.
			if id < len(p.toolbox.Servers) {
				server := p.toolbox.Servers[id]
				object.(*card).show(server, server.Name == p.marked)
			}
		})
	p.cards.HideSeparators = true
	p.cards.OnSelected = func(id widget.ListItemID) { p.cards.Unselect(id) }

	p.empty = kit.NewMiddle(420, kit.Column(12,
		kit.NewText(lang.L("This toolbox has no servers yet"), kit.TextStyle{Size: theme.SizeHeading, Bold: true, Align: fyne.TextAlignCenter}),
		kit.NewParagraph(lang.L("Write its servers under \"mcpServers\" in the configuration file, the way the instructions of a server show it."),
			kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter}),
		container.NewCenter(widget.NewButtonWithIcon(lang.L("Open the file"), base.DocumentIcon(), actions.OpenFile)),
	))
	header := kit.Column(4, p.name, p.description, kit.NewGap(0, 4), kit.Row(8, kit.NewChip(p.count), p.offChip))
	p.root = container.NewBorder(kit.Inset(header, 20, 24), nil, nil, nil,
		kit.Inset(container.NewStack(container.NewThemeOverride(p.cards, plainList{theme.Theme{}}), p.empty), 0, 20))
	return p
}

// show shows a toolbox; server is the name of the one to be marked and brought into sight, or empty.
func (p *pane) show(toolbox Toolbox, server string) {
	another := toolbox.Name != p.toolbox.Name
	moved := another || server != p.marked
	p.toolbox, p.marked = toolbox, server
	p.name.Set(toolbox.Name)
	p.description.Set(toolbox.Description)
	if toolbox.Description == "" {
		p.description.Set(lang.L("No description"))
	}
	p.count.Set(Count(len(toolbox.Servers)))
	off := 0
	for _, server := range toolbox.Servers {
		if server.State == theme.StateDisabled {
			off++
		}
	}
	p.off.Set(lang.L("{{.Count}} switched off", map[string]any{"Count": off}))
	setVisible(p.offChip, off > 0)
	setVisible(p.empty, len(toolbox.Servers) == 0)
	setVisible(p.cards, len(toolbox.Servers) > 0)
	p.root.Refresh()
	if another {
		p.cards.ScrollToTop()
	}
	for i := range toolbox.Servers {
		if moved && server != "" && toolbox.Servers[i].Name == server {
			p.cards.ScrollTo(i)
		}
	}
}

func setVisible(object fyne.CanvasObject, visible bool) {
	if visible {
		object.Show()
	} else {
		object.Hide()
	}
}

// card shows one server. It is used again for other servers.
type card struct {
	widget.BaseWidget
	box   *kit.Box
	state *widget.Icon
	name  *kit.Text
	word  *kit.Text
	line  *kit.Text
	kind  *kit.Text
	chip  fyne.CanvasObject // around kind
}

func newCard() *card {
	c := &card{
		state: widget.NewIcon(nil),
		name:  kit.NewText("", kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true}),
		word:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall}),
		line:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		kind:  kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}),
	}
	text := kit.Column(4, kit.NewPair(12, c.name, c.word), c.line)
	state := container.NewGridWrap(fyne.NewSquareSize(16), c.state)
	c.chip = kit.NewChip(c.kind)
	c.box = kit.NewCard(container.NewBorder(nil, nil, kit.Row(0, state, kit.NewGap(12, 0)), kit.Row(0, c.chip), text))
	c.ExtendBaseWidget(c)
	return c
}

func (c *card) show(server Server, marked bool) {
	c.state.SetResource(server.State.Icon())
	c.name.Set(server.Name)
	c.word.SetStyle(server.Word, kit.TextStyle{Size: theme.SizeSmall, Color: server.State.Color()})
	c.line.Set(server.Line)
	c.kind.Set(server.Kind)
	setVisible(c.chip, server.Kind != "")
	if marked {
		c.box.SetLine(theme.ColorAccent)
	} else {
		c.box.SetLine(theme.ColorLine)
	}
	c.Refresh()
}

// CreateRenderer is for Fyne. The list puts 4 pixels between its rows; cards have 8 between them.
func (c *card) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(kit.Inset(c.box, 2, 4))
}

// plainList is the theme without the grounds that a list draws behind its rows: a card has its own.
type plainList struct{ theme.Theme }

func (p plainList) Color(name fyne.ThemeColorName, variant fyne.ThemeVariant) color.Color {
	if name == theme.ColorTint || name == base.ColorNameHover {
		name = theme.ColorClear
	}
	return p.Theme.Color(name, variant)
}
