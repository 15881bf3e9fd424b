package clients

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// sheet is a dialog over the window: a title, a page, and a line of buttons. Esc closes it wherever the keyboard is.
type sheet struct {
	widget.BaseWidget
	screen *Screen
	before func(*fyne.KeyEvent) // what keys did in the window without focus
	closed func()               // called when it goes; may be nil
	gone   bool

	panel *kit.Box
	page  *kit.Page
	rest  []fyne.CanvasObject // above and below the page
	inner fyne.CanvasObject   // the content of the page
	body  *fyne.Container
	foot  *fyne.Container
}

// The largest that a sheet becomes, and the least space around it, in pixels.
const (
	sheetWidth  = 760
	sheetHeight = 620
	sheetLeast  = 240 // its height
	sheetMargin = 20
)

// open opens an empty sheet in the place of one that is open.
func (s *Screen) open(title string) *sheet {
	if s.dialog != nil {
		s.dialog.close()
	}
	sh := &sheet{screen: s, body: kit.Column(12), foot: kit.Row(8)}
	sh.inner = kit.Inset(sh.body, 4, 24)
	sh.page = kit.NewPage(sh.inner)
	closing := kit.NewIconButton(base.CancelIcon(), lang.L("Close"), sh.close)
	top := kit.Inset(container.NewBorder(nil, nil, nil, closing, kit.Inset(kit.NewText(title, kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true}), 4, 8)), 14, 16)
	bottom := kit.Column(0, kit.NewLine(), kit.Inset(container.NewBorder(nil, nil, nil, sh.foot), 12, 20))
	sh.rest = []fyne.CanvasObject{top, bottom}
	// The order is that of the Tab key.
	content := container.New(layout.NewBorderLayout(top, bottom, nil, nil), sh.page, bottom, top)
	sh.panel = kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, content)
	sh.ExtendBaseWidget(sh)
	s.dialog = sh
	c := s.window.Canvas()
	c.Overlays().Add(sh)
	sh.before = c.OnTypedKey()
	c.SetOnTypedKey(func(event *fyne.KeyEvent) {
		if event.Name == fyne.KeyEscape {
			sh.close()
			return
		}
		kit.ScrollByKey(c, event)
	})
	return sh
}

// close takes the sheet away.
func (sh *sheet) close() {
	if sh.gone {
		return
	}
	sh.gone = true
	c := sh.screen.window.Canvas()
	c.Overlays().Remove(sh)
	c.SetOnTypedKey(sh.before)
	sh.screen.dialog = nil
	sh.screen.keep()
	if sh.closed != nil {
		sh.closed()
	}
}

// show shows a page and buttons, and gives the keyboard to the last of these.
func (sh *sheet) show(body []fyne.CanvasObject, buttons ...*kit.Button) {
	if sh.gone {
		return
	}
	sh.body.Objects = body
	sh.foot.Objects = nil
	for _, button := range buttons {
		sh.foot.Add(button)
	}
	sh.body.Refresh()
	sh.Refresh()
	sh.page.Arrange()
	if len(buttons) > 0 {
		if last := buttons[len(buttons)-1]; !last.Disabled() {
			sh.screen.window.Canvas().Focus(last)
		}
	}
}

// wants is how high the sheet is when all of it can be seen at a width.
func (sh *sheet) wants(width float32) float32 {
	height := sh.inner.Size().Height
	for range 4 { // each round may make texts wrap differently
		sh.inner.Resize(fyne.NewSize(width, height))
		height = sh.inner.MinSize().Height
	}
	for _, part := range sh.rest {
		height += part.MinSize().Height
	}
	return height + 16
}

// underWay says what is being done, with a button that gives it up.
func (sh *sheet) underWay(text, giveUp string, more ...fyne.CanvasObject) {
	sh.show(append([]fyne.CanvasObject{kit.NewMarked(theme.StateWorking, text)}, more...), sh.cancel(giveUp))
}

// cancel is the button that closes the sheet.
func (sh *sheet) cancel(text string) *kit.Button {
	return kit.NewButton(text, widget.MediumImportance, sh.close)
}

// check is a box to be ticked, with the Esc key.
func (sh *sheet) check(label string, changed func(bool)) *kit.Check {
	c := kit.NewCheck(label, changed)
	c.OnEscape = sh.close
	c.OnFocus = func(focused bool) {
		if focused {
			sh.page.Reveal(c)
		}
	}
	return c
}

// selection is a choice from a menu, with the Esc key.
func (sh *sheet) selection(options []string) *kit.Select {
	s := kit.NewSelect(options, nil)
	s.OnEscape = sh.close
	return s
}

// Tapped does nothing: a click beside the dialog neither closes it nor reaches what is below.
func (sh *sheet) Tapped(*fyne.PointEvent) {}

// Parts is for [kit.ScrollByKey].
func (sh *sheet) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{sh.panel} }

// CreateRenderer is for Fyne.
func (sh *sheet) CreateRenderer() fyne.WidgetRenderer {
	return &sheetRenderer{sheet: sh, shade: canvas.NewRectangle(color.NRGBA{A: 0x70})}
}

type sheetRenderer struct {
	sheet *sheet
	shade *canvas.Rectangle
}

func (r *sheetRenderer) Destroy() {}

func (r *sheetRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.shade, r.sheet.panel}
}

func (r *sheetRenderer) MinSize() fyne.Size { return r.sheet.panel.MinSize() }

func (r *sheetRenderer) Layout(size fyne.Size) {
	r.shade.Resize(size)
	width := min(size.Width-2*sheetMargin, sheetWidth)
	panel := fyne.NewSize(width, min(size.Height-2*sheetMargin, sheetHeight, max(sheetLeast, r.sheet.wants(width))))
	r.sheet.panel.Resize(panel)
	r.sheet.panel.Move(fyne.NewPos((size.Width-panel.Width)/2, (size.Height-panel.Height)/2))
}

func (r *sheetRenderer) Refresh() {
	r.Layout(r.sheet.Size())
	r.shade.Refresh()
	r.sheet.panel.Refresh()
}
