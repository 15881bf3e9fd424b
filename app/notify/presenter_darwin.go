package notify

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// Presenter shows notifications through Fyne. Fyne does not report clicks on them: a click brings the program to the
// front.
type Presenter struct{ app fyne.App }

// NewPresenter returns a Presenter for app.
func NewPresenter(app fyne.App, _ *tray.Host, _ string) *Presenter { return &Presenter{app} }

// Show shows a notification. It ignores the last two arguments, because Fyne has no buttons for notifications and
// reports no clicks.
func (p *Presenter) Show(title, text string, _ Notice, _ func(Answer)) error {
	p.app.SendNotification(fyne.NewNotification(title, text))
	return nil
}

// Close does nothing; other systems need it.
func (p *Presenter) Close() {}
