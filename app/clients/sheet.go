package clients

import (
	"fyne.io/fyne/v2"
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
	*kit.Sheet
	screen *Screen
	before func(*fyne.KeyEvent) // what keys did in the window without focus
	closed func()               // called when it goes; may be nil
	gone   bool

	page  *kit.Page
	rest  []fyne.CanvasObject // above and below the page
	inner fyne.CanvasObject   // the content of the page
	body  *fyne.Container
	foot  *fyne.Container
}

// The largest that a sheet becomes, in pixels.
const (
	sheetWidth  = 760
	sheetHeight = 620
	sheetLeast  = 240 // its height
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
	sh.Sheet = kit.NewSheet(content, sh.size)
	s.dialog = sh
	c := s.window.Canvas()
	c.Overlays().Add(sh.Sheet)
	sh.before = c.OnTypedKey()
	c.SetOnTypedKey(sh.typedKey)
	return sh
}

// typedKey is for keys while nothing has the focus. Those over which something else lies, such as a question, are for the window, which
// has opened that.
func (sh *sheet) typedKey(event *fyne.KeyEvent) {
	c := sh.screen.window.Canvas()
	switch {
	case c.Overlays().Top() != sh.Sheet:
		if sh.before != nil {
			sh.before(event)
		}
	case event.Name == fyne.KeyEscape:
		sh.close()
	default:
		kit.ScrollByKey(c, event)
	}
}

// close takes the sheet away.
func (sh *sheet) close() {
	if sh.gone {
		return
	}
	sh.gone = true
	c := sh.screen.window.Canvas()
	kit.TakeOff(c, sh.Sheet)
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

// size is as high as all of it wants to be, as far as there is room.
func (sh *sheet) size(room fyne.Size) fyne.Size {
	width := min(room.Width, sheetWidth)
	return fyne.NewSize(width, min(room.Height, sheetHeight, max(sheetLeast, sh.wants(width))))
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
	return c
}

// selection is a choice from a menu, with the Esc key.
func (sh *sheet) selection(options []string) *kit.Select {
	s := kit.NewSelect(options, nil)
	s.OnEscape = sh.close
	return s
}
