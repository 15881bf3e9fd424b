package toolboxes

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// header is the upper part of a page: the name and the description of the toolbox, who can use how many of its
// servers, and how much of an AI app's memory it takes. Name and description can be edited in place. It has at most
// five things to press.
type header struct {
	screen      *Screen
	name        *kit.InPlace
	description *kit.InPlace
	state       *widget.Icon
	reach       *kit.Lines
	reachRow    fyne.CanvasObject
	connect     *kit.Button // in place of askFirst as long as no AI app has the toolbox
	askFirst    *kit.Switch
	load        *load
	share       *kit.Button
	more        *kit.Button
	root        *fyne.Container
	toolbox     Toolbox
	look        headLook
	drawn       bool // look is shown
}

func newHeader(screen *Screen) *header {
	h := &header{screen: screen, state: widget.NewIcon(nil), reach: kit.NewLines(3, kit.TextStyle{}), load: newLoad()}
	h.name = kit.NewInPlace(kit.NewText("", kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}),
		lang.L("Rename"),
		func() { h.rename("") }, h.resized)
	h.description = kit.NewInPlace(kit.NewLines(2, kit.TextStyle{Color: theme.ColorMuted}),
		lang.L("Change the description"),
		func() { h.describe("") }, h.resized)
	h.share = kit.NewButton(lang.L("Share…"), widget.MediumImportance, func() { screen.program.Share(h.toolbox.Name) })
	h.more = kit.NewMenuButton(lang.L("More"), func() *fyne.Menu { return screen.menuFor(h.choice()) })
	h.askFirst = kit.NewNamedSwitch(lang.L("Ask me before its tools act"), func(on bool) {
		screen.editThen(edit.Turn(h.choice(), "askFirst", on), model.Choice{}, func() {
			h.askFirst.Follow(h.toolbox.AskFirst)
		})
	})
	h.connect = kit.NewButton(lang.L("Connect AI apps"), widget.HighImportance, func() { screen.program.Import() })
	h.reachRow = kit.Row(kit.Gap, kit.Sized(markSize, markSize, h.state), kit.Rest(h.reach), h.connect)
	// The buttons are above the description, but come after it in the tab order.
	title := kit.NewBeside(headNameLeast, h.name.Root, kit.Row(kit.Gap, h.share, h.more))
	h.root = kit.Column(kit.Gap, kit.Column(0, title, h.description.Root), h.reachRow,
		kit.NewFlow(kit.GapWide, h.askFirst, h.load))
	return h
}

const (
	headNameLeast = 120 // the least width of a toolbox's name next to the buttons, in pixels
	markSize      = 16  // the size of the icon that shows a state
)

// resized lays the page out again after a text has become a field or a field a text.
func (h *header) resized() {
	h.root.Refresh()
	h.screen.page.arrange()
}

// headLook is the content of the header, as a plain value.
type headLook struct {
	name, description string
	servers           int
	reach             string // who can use how many of the servers
	state             theme.State
	cost              Cost
	askFirst          bool
	alone             bool // no AI app has the toolbox, though one could be connected
}

// show shows a toolbox. Text being typed is kept as long as the toolbox is the same.
func (h *header) show(toolbox Toolbox) {
	reach, state := h.screen.view.reach(toolbox)
	look := headLook{toolbox.Name, toolbox.Description, len(toolbox.Servers), reach, state,
		toolbox.Cost, toolbox.AskFirst, h.screen.view.alone(toolbox) && h.screen.program.CanImport()}
	h.toolbox = toolbox
	if h.drawn && look == h.look {
		return
	}
	h.drawn, h.look = true, look
	h.name.Set(toolbox.Name)
	h.description.Set(cmp.Or(look.description, purpose()))
	h.state.SetResource(look.state.Icon())
	h.reach.Set(look.reach)
	kit.SetVisible(h.reachRow, look.reach != "")
	h.askFirst.Follow(look.askFirst)
	h.load.show(look.cost)
	kit.SetVisible(h.connect, look.alone)
	kit.SetVisible(h.askFirst, look.servers > 0 && !look.alone)
	kit.SetVisible(h.share, look.servers > 0)
	kit.Relayout(h.root)
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
	h.description.Field.SetPlaceHolder(purpose())
	h.description.Edit(kit.NameEdit{
		Text: h.toolbox.Description, Typed: typed,
		Done: func(text string, saved, _ bool) {
			if saved {
				h.screen.describe(h.toolbox.Name, text)
			}
		},
	})
}

func purpose() string { return lang.L("What is it for? The AI reads this.") }

// cancel discards what is being typed, because another toolbox is shown.
func (h *header) cancel() {
	h.name.Field.Cancel()
	h.description.Field.Cancel()
}
