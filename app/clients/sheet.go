package clients

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// sheet is a dialog that shows one page after another.
type sheet struct {
	*kit.Question
	screen *Screen
	ctx    context.Context // ends when the sheet closes
	stop   context.CancelFunc
	gone   bool

	draw func() // draws the page that is shown, and sets the title
	page *kit.Page
	body *fyne.Container
}

// open opens an empty sheet. It closes the one that is open.
func (s *Screen) open() *sheet {
	if s.dialog != nil {
		s.dialog.close()
	}
	sh := &sheet{screen: s}
	sh.ctx, sh.stop = context.WithCancel(context.Background())
	s.dialog = sh
	sh.build()
	return sh
}

// build shows the dialog with an empty page, and after a change of the language with the page that was shown.
func (sh *sheet) build() {
	sh.body = kit.Column(kit.GapWide)
	sh.Question, sh.page = kit.NewScrollingQuestion("", sheetWidth, sh.body, sh.screen.window)
	sh.SetOnClosed(sh.hidden)
	sh.SetAgain(func() {
		sh.build()
		sh.draw()
	})
	sh.screen.actions.ShowDialog(sh.Question)
}

// turn goes to a page. It is drawn again after a change of the language.
func (sh *sheet) turn(draw func()) {
	if !sh.gone {
		sh.draw = draw
		draw()
	}
}

// sheetWidth is the width of a sheet if there is room, in pixels.
const sheetWidth = 760

func (sh *sheet) close() { sh.Hide() }

// hidden is called when the sheet has closed.
func (sh *sheet) hidden() {
	sh.gone = true
	sh.screen.dialog = nil
	sh.screen.restoreFocus()
	sh.stop()
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

// cancel returns a button that closes the sheet.
func (sh *sheet) cancel(text string) *kit.Button {
	return kit.NewButton(text, widget.MediumImportance, sh.close)
}
