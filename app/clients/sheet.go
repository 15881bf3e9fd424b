package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// sheet is a dialog of the screen, which shows one page after the other. Esc closes it wherever the keyboard is.
type sheet struct {
	*kit.Question
	screen *Screen
	over   fyne.CanvasObject    // the question in the window
	before func(*fyne.KeyEvent) // what keys did in the window without focus
	closed func()               // called when it goes; may be nil
	gone   bool

	page *kit.Page
	body *fyne.Container
}

// open opens an empty sheet in the place of one that is open.
func (s *Screen) open(title string) *sheet {
	if s.dialog != nil {
		s.dialog.close()
	}
	sh := &sheet{screen: s, body: kit.Column(kit.GapWide)}
	sh.Question, sh.page = kit.NewScrollingQuestion(title, sheetWidth, sh.body, s.window)
	sh.SetOnClosed(sh.hidden)
	s.dialog = sh
	c := s.window.Canvas()
	sh.Show()
	sh.over = c.Overlays().Top()
	sh.before = c.OnTypedKey()
	c.SetOnTypedKey(sh.typedKey)
	return sh
}

// sheetWidth is how wide a sheet is where there is room for that, in pixels.
const sheetWidth = 760

// typedKey is for keys while nothing has the focus. Those over which something else lies, such as a question, are for the window, which
// has opened that.
func (sh *sheet) typedKey(event *fyne.KeyEvent) {
	c := sh.screen.window.Canvas()
	switch {
	case c.Overlays().Top() != sh.over:
		if sh.before != nil {
			sh.before(event)
		}
	case event.Name == fyne.KeyEscape:
		sh.close()
	default:
		kit.ScrollByKey(c, event)
	}
}

func (sh *sheet) close() { sh.Hide() }

// hidden takes up that the sheet was closed.
func (sh *sheet) hidden() {
	sh.gone = true
	sh.screen.window.Canvas().SetOnTypedKey(sh.before)
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
	foot := make([]fyne.CanvasObject, len(buttons))
	for i, button := range buttons {
		foot[i] = button
	}
	sh.SetButtons(foot)
	sh.body.Refresh()
	sh.Refresh()
	sh.page.Arrange()
	if last := buttons[len(buttons)-1]; !last.Disabled() {
		sh.screen.window.Canvas().Focus(last)
	}
}

// copyButton copies a text, and says that it has.
func (sh *sheet) copyButton(text string, importance widget.Importance) *kit.Button {
	var button *kit.Button
	button = kit.NewButton(lang.L("Copy"), importance, func() {
		sh.screen.actions.Copy(text)
		button.SetText(lang.L("Copied"))
		sh.Refresh()
	})
	return button
}

// underWay says what is being done, with a button that gives it up.
func (sh *sheet) underWay(text, giveUp string, more ...fyne.CanvasObject) {
	sh.show(append([]fyne.CanvasObject{kit.NewMarked(theme.StateWorking, text)}, more...), sh.cancel(giveUp))
}

// cancel is the button that closes the sheet.
func (sh *sheet) cancel(text string) *kit.Button {
	return kit.NewButton(text, widget.MediumImportance, sh.close)
}
