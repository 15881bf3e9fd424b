//go:build !(linux || freebsd || openbsd || netbsd)

package notify

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// Bell shows notifications through Fyne. Fyne does not report clicks on them: on macOS a click brings the program to the front, on Windows it does
// nothing.
type Bell struct{ app fyne.App }

// NewBell returns a Bell for app.
func NewBell(app fyne.App, _ *tray.Host, _ string) *Bell { return &Bell{app} }

// Ring shows a notification. It ignores the last two arguments, because Fyne has no buttons for notifications and reports no clicks.
func (b *Bell) Ring(title, text string, _ Notice, _ func(Answer)) error {
	b.app.SendNotification(fyne.NewNotification(title, text))
	return nil
}

// Close does nothing; other systems need it.
func (b *Bell) Close() {}
