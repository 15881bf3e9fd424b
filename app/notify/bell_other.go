//go:build !(linux || freebsd || openbsd || netbsd)

package notify

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// Bell shows notifications. Fyne does it, and does not tell when somebody clicks one: macOS brings the program to the front then, Windows does
// nothing.
type Bell struct{ app fyne.App }

// NewBell returns what shows the notifications of an app.
func NewBell(app fyne.App, _ *tray.Host, _ string) *Bell { return &Bell{app} }

// Ring shows a notification whose texts are ready for it. Nobody hears of a click on it.
func (b *Bell) Ring(title, text, _ string, _ func()) error {
	b.app.SendNotification(fyne.NewNotification(title, text))
	return nil
}

// Close does nothing.
func (b *Bell) Close() {}
