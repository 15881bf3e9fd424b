package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
)

// ofConsent does what a question before a call needs of the rest of the app.
type ofConsent struct{ *controller }

var _ consent.Program = ofConsent{}

func (p ofConsent) Seen(seen bool) {
	if seen {
		p.tasks.Rouse()
	} else if !p.visible.Load() {
		p.tasks.Rest()
	}
}

// Raise brings the window of a question to the front of everything until calm is called. On macOS it may not get
// there, so a notification says it too.
func (p ofConsent) Raise(window fyne.Window, title string) (calm func()) {
	if p.mac != nil {
		p.tell(notify.Notice{Title: lang.L("Workbench asks you"), Text: title})
	}
	return p.mac.Raise(window)
}
