package finder

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Program knows what there is, and goes there or does it. Its methods are called on the goroutine of the window.
type Program interface {
	Things() []Thing
	Choose(Thing)
}

// Dialog is the field with what it has found.
type Dialog struct {
	*kit.Question
	program Program
	things  []Thing
	found   []Thing
	at      int // the thing that Enter chooses
	field   *kit.Input
	list    *kit.List
	nothing *kit.Text
}

// The size of the dialog, in pixels.
const (
	width      = 600
	listHeight = 312
	rowHeight  = 36
)

// New returns a dialog that is not shown yet. typed is what it looks for at first.
func New(program Program, window fyne.Window, typed string) *Dialog {
	d := &Dialog{program: program, things: program.Things()}
	d.field = kit.NewSearch(lang.L("Search"), func(string) {
		d.fill()
		d.list.ScrollToTop()
	})
	d.field.OnArrow(func(by int) { d.move(d.at + by) })
	d.field.OnSubmitted = func(string) { d.choose(d.at) }
	d.field.OnEscape = func() { d.Hide() }
	d.list = kit.NewList(func() int { return len(d.found) }, newRow, func(id int, r *row) {
		if id < len(d.found) {
			r.show(d.found[id], id == d.at)
		}
	})
	d.list.OnChosen = d.choose
	d.nothing = kit.NewText("", kit.TextStyle{Color: theme.ColorMuted, Align: fyne.TextAlignCenter})
	content := kit.Column(kit.Gap, d.field,
		kit.Sized(0, listHeight, container.NewStack(d.list, kit.Column(0, kit.NewGap(0, kit.GapEdge), d.nothing))))
	d.Question = kit.NewQuestion(lang.L("Find anything"), width, content, window)
	d.SetButtons([]fyne.CanvasObject{kit.NewButton(lang.L("Close"), widget.MediumImportance, d.Hide)})
	d.field.Follow(typed)
	d.fill()
	return d
}

// Typed returns what the dialog looks for.
func (d *Dialog) Typed() string { return d.field.Text }

// Focus gives the field the keyboard. Call it when the dialog is shown.
func (d *Dialog) Focus() { kit.Focus(d.field) }

func (d *Dialog) fill() {
	d.found, d.at = Find(d.things, d.field.Text), 0
	d.nothing.Set("")
	if len(d.found) == 0 {
		d.nothing.Set(lang.L("Nothing matches"))
	}
	d.list.Refresh()
}

// move marks another row.
func (d *Dialog) move(to int) {
	before := d.at
	d.at = max(0, min(to, len(d.found)-1))
	d.list.RefreshItem(before)
	d.list.RefreshItem(d.at)
	d.list.ScrollTo(d.at)
}

func (d *Dialog) choose(at int) {
	if at < 0 || at >= len(d.found) {
		return
	}
	chosen := d.found[at]
	d.Hide()
	d.program.Choose(chosen)
}

// row shows one thing.
type row struct {
	widget.BaseWidget
	ground  *kit.Box
	icon    *widget.Icon
	name    *kit.Text
	note    *kit.Text
	content fyne.CanvasObject
}

func newRow() *row {
	r := &row{ground: kit.NewBox(kit.BoxStyle{Fill: theme.ColorTint, Radius: theme.SizeFieldRadius}, nil),
		icon: widget.NewIcon(nil), name: kit.NewText("", kit.TextStyle{Bold: true, Shrinks: true}),
		note: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})}
	r.content = kit.Sized(0, rowHeight, container.NewStack(r.ground,
		kit.Inset(kit.Row(kit.GapWide, kit.Sized(18, 18, r.icon), r.name, kit.Rest(r.note)), 0, kit.GapWide)))
	r.ExtendBaseWidget(r)
	return r
}

func (r *row) show(thing Thing, marked bool) {
	kit.SetVisible(r.ground, marked)
	r.icon.SetResource(base.NewColoredResource(iconOf(thing.Kind), theme.ColorMuted))
	r.name.SetStyle(kit.Line(thing.Name), kit.TextStyle{Bold: true, Shrinks: true})
	r.note.SetStyle(kit.Line(thing.Note), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true})
	r.content.Refresh()
}

func iconOf(kind Kind) fyne.Resource {
	switch kind {
	case Deed:
		return base.NavigateNextIcon()
	case Place:
		return base.HomeIcon()
	case Toolbox:
		return base.FolderIcon()
	case Server:
		return base.StorageIcon()
	case App:
		return base.ComputerIcon()
	case Setting:
		return base.SettingsIcon()
	}
	return base.MediaPlayIcon()
}

// CreateRenderer implements [fyne.Widget].
func (r *row) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(r.content) }
