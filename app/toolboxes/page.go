package toolboxes

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// page is the right side while it shows one toolbox: its name and cost, and a card for each of its servers.
type page struct {
	root   *fyne.Container
	head   *header
	scroll *container.Scroll
	body   *fyne.Container // the content of scroll
	cards  *kit.Rows
	zone   *dropZone
	note   *kit.Lines
	drag   *cardDrag

	toolbox Toolbox // what to show; follow sets it before it is shown
	marked  string  // the server selected in the tree
	shown   string  // the name of the toolbox last shown
}

func newPage(screen *Screen) *page {
	p := &page{head: newHeader(screen), zone: newDropZone(screen.pasteHere),
		note: kit.NewLines(4, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})}
	p.note.Set(lang.L("AI apps count text in tokens, about four letters each, and have room for a limited number. A " +
		"closed toolbox takes up hardly any. The descriptions of its tools take up room only while it is open."))
	p.drag = newCardDrag(screen, p)
	heights := newCardHeights(screen)
	p.cards = kit.NewRows(cardHeight, cardGap, kit.RowSource{
		Height: func(row int) float32 { return heights.of(p.toolbox.Servers[row], p.width()) },
		Length: func() int { return len(p.toolbox.Servers) },
		Key:    func(row int) any { return p.choice(row) },
		Create: func() fyne.CanvasObject { return newCard(screen) },
		Fill: func(row int, object fyne.CanvasObject) {
			server := p.toolbox.Servers[row]
			server.Tools = nil
			object.(*card).show(cardLook{choice: p.choice(row), server: server, marked: server.Name == p.marked})
		},
	})
	p.body = kit.Arranged(p.least, p.place, p.cards, p.zone, p.note, p.drag.line, p.drag.name.root)
	p.scroll = container.NewVScroll(p.body)
	p.scroll.OnScrolled = func(fyne.Position) { p.see() }
	// The scrolled area reaches to the edge of the window, so that its scroll bar does not cover the cards.
	p.root = kit.Column(kit.GapWide,
		kit.InsetSides(kit.NewNarrow(kit.WidthPage, p.head), kit.GapBlock, 0, kit.GapEdge, kit.GapEdge),
		kit.Rest(kit.InsetSides(p.scroll, 0, 0, kit.GapEdge, 0)))
	return p
}

func (p *page) choice(row int) model.Choice {
	return model.Choice{Toolbox: p.toolbox.Name, Server: p.toolbox.Servers[row].Name}
}

// follow stores what to show next, but does not show it yet.
func (p *page) follow(toolbox Toolbox, marked string) { p.toolbox, p.marked = toolbox, marked }

// show shows a toolbox. marked is the server selected in the tree, or empty. With reveal the page scrolls to its card.
func (p *page) show(toolbox Toolbox, marked string, reveal bool) {
	another := toolbox.Name != p.shown
	p.follow(toolbox, marked)
	p.shown = toolbox.Name
	p.head.show(toolbox)
	p.zone.setEmpty(len(toolbox.Servers) == 0)
	p.cards.Refresh()
	p.scroll.Refresh()
	kit.Relayout(p.root)
	if another {
		p.scroll.ScrollToTop()
	}
	if reveal {
		p.reveal(marked)
	}
	p.see()
}

// see tells the cards which part of them is visible.
func (p *page) see() { p.cards.SeeIn(p.scroll) }

// reveal scrolls until the card of a server is visible.
func (p *page) reveal(server string) {
	row := slices.IndexFunc(p.toolbox.Servers, func(s Server) bool { return s.Name == server })
	if server != "" && row >= 0 {
		p.cards.Reveal(p.scroll, row, 0)
	}
}

// pageWidth returns the width of the content on a page of the given width.
func pageWidth(width float32) float32 { return min(kit.WidthPage, width-2*kit.GapEdge) }

// least returns the smallest size of the scrolled part: the cards, the area to drop more servers on, and a note.
func (p *page) least() fyne.Size {
	height := p.zone.height() + kit.GapBlock + p.note.Height(p.width()) + kit.GapEdge
	if cards := p.cards.MinSize().Height; cards > 0 {
		height += cards + cardGap
	}
	return fyne.NewSize(0, height)
}

// width returns the width of the content of the scrolled part. The left margin of the page is not part of it.
func (p *page) width() float32 { return max(0, pageWidth(p.body.Size().Width+kit.GapEdge)) }

// place lays out the scrolled part.
func (p *page) place(fyne.Size) {
	width := p.width()
	p.cards.Measure()
	top := p.cards.MinSize().Height
	p.cards.Resize(fyne.NewSize(width, top))
	if top > 0 {
		top += cardGap
	}
	zone := p.zone.height()
	p.zone.Move(fyne.NewPos(0, top))
	p.zone.Resize(fyne.NewSize(width, zone))
	p.note.Move(fyne.NewPos(0, top+zone+kit.GapBlock))
	p.note.Resize(fyne.NewSize(width, p.note.Height(width)))
	p.see()
}

// header is the upper part of a page. It shows the name, the description and the cost of the toolbox. Name and
// description can be edited in place.
type header struct {
	widget.BaseWidget
	screen      *Screen
	name        *kit.InPlace
	description *kit.InPlace
	count       *kit.Text
	closed      *kit.Text
	open        *kit.Text
	openChip    fyne.CanvasObject
	askFirst    *kit.Switch
	alwaysOpen  *kit.Switch
	ticked      string // the text of the apps button when an app was chosen in its menu, until that change is made
	apps        *kit.Button
	few         *kit.Lines
	keepAll     fyne.CanvasObject
	startAll    *kit.Button
	stopAll     *kit.Button
	more        *kit.Button
	content     *fyne.Container
	toolbox     Toolbox
	look        headLook
	drawn       bool // look is shown
}

func newHeader(screen *Screen) *header {
	h := &header{screen: screen}
	small := kit.TextStyle{Size: theme.SizeSmall}
	h.count, h.closed, h.open = kit.NewText("", small), kit.NewText("", small), kit.NewText("", small)
	h.name = kit.NewInPlace(kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		lang.L("Rename"),
		func() { h.rename("") }, h.resized)
	h.description = kit.NewInPlace(kit.NewLines(2, kit.TextStyle{Color: theme.ColorMuted}),
		lang.L("Change the description"),
		func() { h.describe("") }, h.resized)
	// Start and stop are two buttons: with one that changes, a second click would do the opposite.
	h.startAll = kit.NewButton(lang.L("Start all"), widget.MediumImportance, func() { screen.startAll(h.toolbox.Name) })
	h.stopAll = kit.NewButton(lang.L("Stop all"), widget.MediumImportance, func() { screen.stopAll(h.toolbox.Name) })
	h.more = kit.NewMenuButton(lang.L("More"), func() *fyne.Menu { return screen.menuFor(h.choice()) })
	h.openChip = kit.NewChip(h.open)
	h.askFirst = kit.NewNamedSwitch(lang.L("Ask me before its tools act"), func(on bool) {
		screen.editThen(edit.Turn(h.choice(), "askFirst", on), model.Choice{}, func() {
			h.askFirst.Follow(h.toolbox.AskFirst)
		})
	})
	h.alwaysOpen = kit.NewNamedSwitch(lang.L("Always open"), func(on bool) {
		screen.editThen(edit.Turn(h.choice(), "open", on), model.Choice{}, func() {
			h.alwaysOpen.Follow(h.toolbox.AlwaysOpen)
		})
	})
	h.apps = kit.NewButton("", widget.LowImportance, func() { h.apps.ShowMenu(h.appsMenu()) })
	h.apps.Icon, h.apps.IconPlacement = base.MenuDropDownIcon(), widget.ButtonIconTrailingText
	h.few = kit.NewLines(3, kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted})
	h.keepAll = kit.NewBeside(180, h.few, kit.NewButton(lang.L("Keep all open"), widget.MediumImportance, func() {
		_, ops := screen.view.Few()
		screen.edit(ops, model.Choice{})
	}))
	chips := kit.NewFlow(kit.Gap, kit.NewChip(h.count), kit.NewChip(h.closed), h.openChip)
	// The controls have a line of their own, so that they stay where they are when the chips change.
	controls := kit.NewFlow(kit.Gap, h.askFirst, h.alwaysOpen, h.apps)
	// The buttons are above the description, but come after it in the tab order.
	title := kit.NewBeside(headNameLeast, h.name.Root, kit.Row(kit.Gap, h.startAll, h.stopAll, h.more))
	h.content = kit.Column(kit.Gap, kit.Column(0, title, h.description.Root), kit.Column(kit.GapTight, chips, controls),
		h.keepAll)
	h.ExtendBaseWidget(h)
	return h
}

// headNameLeast is the least width of a toolbox's name next to the buttons, in pixels.
const headNameLeast = 120

// resized lays the page out again after a text has become a field or a field a text.
func (h *header) resized() {
	h.content.Refresh()
	h.screen.relayout()
}

// headLook is the content of the header, as a plain value.
type headLook struct {
	name, description string
	servers           int
	closed, opened    string // the texts about the cost
	start, stop       bool   // whether there is something to start or to stop
	askFirst          bool
	alwaysOpen        bool
	apps              string // the text about the apps that see the toolbox
	few               int    // the number of tools if that is a reason to keep all toolboxes open, otherwise 0
}

func (h *header) lookOf(toolbox Toolbox) headLook {
	closed, opened := toolbox.Cost.Words()
	few, ops := h.screen.view.Few()
	if ops == nil {
		few = 0
	}
	return headLook{toolbox.Name, cmp.Or(toolbox.About, toolbox.Description), len(toolbox.Servers), closed, opened,
		len(toolbox.startable()) > 0, len(toolbox.stoppable()) > 0,
		toolbox.AskFirst, toolbox.AlwaysOpen, h.screen.view.appsWords(toolbox), few}
}

// show shows a toolbox. Text being typed is kept as long as the toolbox is the same.
func (h *header) show(toolbox Toolbox) {
	look := h.lookOf(toolbox)
	h.toolbox = toolbox
	if h.drawn && look == h.look {
		return
	}
	another := look.name != h.look.name
	h.drawn, h.look = true, look
	h.name.Set(toolbox.Name)
	if toolbox.Description == "" {
		h.description.Set(lang.L("No description. Say what this toolbox is for: AI apps choose a toolbox by its description."))
	} else {
		h.description.Set(cmp.Or(toolbox.About, toolbox.Description))
	}
	h.count.Set(Count(len(toolbox.Servers)))
	h.closed.Set(look.closed)
	h.open.Set(look.opened)
	kit.SetVisible(h.openChip, look.opened != "")
	h.askFirst.Follow(look.askFirst)
	h.alwaysOpen.Follow(look.alwaysOpen)
	ticked := h.ticked != "" && h.ticked == h.apps.Text && look.apps != h.apps.Text && !another
	if h.apps.Text != look.apps {
		h.apps.SetText(look.apps)
		h.ticked = ""
	}
	h.few.Set(lang.L("You have {{.Tools}} in all. AI apps can have them from the start, without opening a toolbox.",
		map[string]any{"Tools": live.ToolCount(look.few)}))
	kit.SetVisible(h.keepAll, look.few > 0)
	for _, button := range []*kit.Button{h.startAll, h.stopAll} {
		kit.SetVisible(button, look.servers > 0)
	}
	kit.SetEnabled(h.startAll, look.start)
	kit.SetEnabled(h.stopAll, look.stop)
	kit.Relayout(h.content)
	if ticked {
		h.apps.ShowMenu(h.appsMenu())
	}
}

// choice returns the toolbox that is shown, by the name that it has now: another program may have renamed it.
func (h *header) choice() model.Choice { return model.Choice{Toolbox: h.toolbox.Name} }

// rename lets the user edit the name in place. The field begins with typed, or with the name if typed is empty.
func (h *header) rename(typed string) {
	h.name.Edit(kit.NameEdit{
		Text: h.toolbox.Name, Typed: typed,
		Check: func(text string) string { return h.screen.view.CheckName(h.choice(), text) },
		Done: func(text string, saved, _ bool) {
			if saved {
				h.screen.renamed(h.choice(), text)
			}
		},
	})
}

// describe lets the user edit the description in place.
func (h *header) describe(typed string) {
	h.description.Edit(kit.NameEdit{
		Text: h.toolbox.Description, Typed: typed,
		Done: func(text string, saved, _ bool) {
			if saved {
				h.screen.describe(h.toolbox.Name, text)
			}
		},
	})
}

// cancel discards what is being typed, because another toolbox is shown.
func (h *header) cancel() {
	h.name.Field.Cancel()
	h.description.Field.Cancel()
}

// CreateRenderer implements [fyne.Widget].
func (h *header) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.content) }
