package clients

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// sheet is a dialog that shows one page after another. Esc closes it, whatever has the focus.
type sheet struct {
	*kit.Question
	screen *Screen
	over   fyne.CanvasObject    // the overlay of the sheet
	before func(*fyne.KeyEvent) // the key handler of the canvas before the sheet was opened
	closed func()               // called when the sheet closes; may be nil
	gone   bool

	page *kit.Page
	body *fyne.Container
}

// open opens an empty sheet. It closes the one that is open.
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

// sheetWidth is the width of a sheet if there is room, in pixels.
const sheetWidth = 760

// typedKey handles the keys that the focused control does not use. If something else, such as a question, is over the sheet, the window handles the keys.
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

// hidden is called when the sheet has closed.
func (sh *sheet) hidden() {
	sh.gone = true
	sh.screen.window.Canvas().SetOnTypedKey(sh.before)
	sh.screen.dialog = nil
	sh.screen.restoreFocus()
	if sh.closed != nil {
		sh.closed()
	}
}

// show shows a page and its buttons, and focuses the last button that is not disabled.
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

// copyButton returns a button that copies a text and then says "Copied".
func (sh *sheet) copyButton(text string, importance widget.Importance) *kit.Button {
	var button *kit.Button
	button = kit.NewButton(lang.L("Copy"), importance, func() {
		sh.screen.actions.Copy(text)
		button.SetText(lang.L("Copied"))
		sh.Refresh()
	})
	return button
}

// underWay says what is in progress, with a button to cancel it.
func (sh *sheet) underWay(text, giveUp string, more ...fyne.CanvasObject) {
	sh.show(append([]fyne.CanvasObject{kit.NewMarked(theme.StateWorking, text)}, more...), sh.cancel(giveUp))
}

// cancel returns a button that closes the sheet.
func (sh *sheet) cancel(text string) *kit.Button {
	return kit.NewButton(text, widget.MediumImportance, sh.close)
}
