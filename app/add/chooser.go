package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// chooser is the first step: a tab for each way to say which server to add.
type chooser struct {
	dialog *Dialog
	root   fyne.CanvasObject
	tabs   *kit.Tabs
	body   *fyne.Container

	catalogue *cataloguePage
	paste     *pastePage
	file      *filePage
	hand      *handPage

	hint    *kit.Text
	cancel  *kit.Button
	onwards *kit.Button
	foot    *fyne.Container
}

// wayPage is the content of a tab.
type wayPage interface {
	object() fyne.CanvasObject
	focus()
	// ready returns how to continue. next is nil if the user cannot continue yet; hint then says what to do first.
	ready() (next func(), hint string)
}

func newChooser(d *Dialog) *chooser {
	c := &chooser{dialog: d, body: container.NewStack()}
	c.catalogue, c.paste, c.file, c.hand = newCataloguePage(d), newPastePage(d), newFilePage(d), newHandPage(d)
	// in the order of the constants of Way
	c.tabs = kit.NewTabs(lang.L("Catalogue"), lang.L("Paste"), lang.L("From a file"), lang.L("By hand"))
	c.tabs.OnChosen = func(int) {
		c.show()
		if !c.tabs.Focused() { // focused tabs keep the focus, so that the arrow keys can go on to the next tab
			c.focus()
		}
	}
	c.root = kit.Column(0, kit.Inset(c.tabs, 0, kit.Gap), kit.Rest(c.body)) // the tabs draw the line below them

	c.hint = kit.NewText("", kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	c.cancel = kit.NewButton(lang.L("Cancel"), widget.MediumImportance, d.escape)
	c.onwards = kit.NewButton(lang.L("Continue"), widget.HighImportance, c.next)
	c.foot = kit.Row(kit.Gap, kit.Rest(c.hint), c.cancel, c.onwards)
	return c
}

func (c *chooser) way() Way { return Way(c.tabs.Chosen()) }

func (c *chooser) page() wayPage {
	return []wayPage{WayCatalogue: c.catalogue, WayPaste: c.paste, WayFile: c.file, WayHand: c.hand}[c.way()]
}

// choose goes to the tab of a way.
func (c *chooser) choose(way Way) {
	c.tabs.Choose(int(way))
	c.show()
}

func (c *chooser) show() {
	c.body.Objects = []fyne.CanvasObject{c.page().object()}
	c.body.Refresh()
	c.update()
}

// update adapts the hint and the button to the page.
func (c *chooser) update() {
	next, hint := c.page().ready()
	c.hint.Set(hint)
	kit.SetEnabled(c.onwards, next != nil)
	// On these two pages, choosing a server or a file continues by itself, so there is no button.
	kit.SetVisible(c.onwards, c.way() != WayCatalogue && c.way() != WayFile)
	c.foot.Refresh()
}

func (c *chooser) next() {
	if next, _ := c.page().ready(); next != nil {
		next()
	}
}

func (c *chooser) focus() { c.page().focus() }

func (c *chooser) typed() bool { return c.paste.typed() || c.hand.typed() }
