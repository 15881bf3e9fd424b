package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// chooser is the first step: four ways to say which server it is.
type chooser struct {
	dialog *Dialog
	root   fyne.CanvasObject
	tabs   *kit.Tabs
	ways   []Way // of the tabs
	body   *fyne.Container

	catalogue *cataloguePage
	paste     *pastePage
	file      *filePage
	hand      *handPage

	hint     *kit.Text
	cancel   *kit.Button
	onwards  *kit.Button
	footRoot fyne.CanvasObject
}

// wayPage is one of the ways.
type wayPage interface {
	object() fyne.CanvasObject
	focus()
	ready() (can bool, hint string) // whether one can go on, and what to do first
	next()
}

func newChooser(d *Dialog) *chooser {
	c := &chooser{dialog: d, body: container.NewStack()}
	c.catalogue, c.paste, c.file, c.hand = newCataloguePage(d), newPastePage(d), newFilePage(d), newHandPage(d)
	c.ways = []Way{WayCatalogue, WayPaste}
	labels := []string{lang.L("Catalogue"), lang.L("Paste")}
	if d.actions.ReadFile != nil {
		c.ways = append(c.ways, WayFile)
		labels = append(labels, lang.L("From a file"))
	}
	c.ways = append(c.ways, WayHand)
	labels = append(labels, lang.L("By hand"))
	c.tabs = kit.NewTabs(labels...)
	c.tabs.OnEscape = d.escape
	c.tabs.OnChosen = func(int) { c.show() }
	// The tabs bring the line below them. The order is that of the Tab key.
	bar := kit.Inset(c.tabs, 0, 8)
	c.root = container.New(layout.NewBorderLayout(bar, nil, nil, nil), bar, c.body)

	c.hint = kit.NewText("", kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	c.cancel = kit.NewButton(lang.L("Cancel"), widget.MediumImportance, d.escape)
	c.onwards = kit.NewButton(lang.L("Continue"), widget.HighImportance, c.next)
	c.footRoot = container.NewBorder(nil, nil, nil, kit.Row(8, kit.NewGap(8, 1), c.cancel, c.onwards), middleLeft(c.hint))
	return c
}

func (c *chooser) way() Way { return c.ways[c.tabs.Chosen()] }

func (c *chooser) page() wayPage {
	switch c.way() {
	case WayPaste:
		return c.paste
	case WayFile:
		return c.file
	case WayHand:
		return c.hand
	}
	return c.catalogue
}

// choose goes to a way; one that is not offered is taken for pasting.
func (c *chooser) choose(way Way) {
	at := 1
	for i, w := range c.ways {
		if w == way {
			at = i
		}
	}
	c.tabs.Choose(at)
	c.show()
}

func (c *chooser) show() {
	c.body.Objects = []fyne.CanvasObject{c.page().object()}
	c.body.Refresh()
	c.update()
}

// update follows what the page has.
func (c *chooser) update() {
	can, hint := c.page().ready()
	c.hint.Set(hint)
	kit.SetEnabled(c.onwards, can)
	// In the catalogue a server is chosen by its row.
	kit.SetVisible(c.onwards, c.way() != WayCatalogue && c.way() != WayFile)
	c.footRoot.Refresh()
}

func (c *chooser) foot() fyne.CanvasObject {
	c.update()
	return c.footRoot
}

func (c *chooser) next() {
	if can, _ := c.page().ready(); can {
		c.page().next()
	}
}

func (c *chooser) focus() { c.page().focus() }

func (c *chooser) typed() bool { return c.paste.typed() || c.hand.typed() }
