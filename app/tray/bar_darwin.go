package tray

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/systray"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// NewBar returns the program's place in the menu bar. It must be called before the app runs, because Fyne starts the
// tray only then. Clicks reach the goroutine of the window through tasks. macOS blocks that goroutine while the
// menu is open, so an open menu does not change.
func NewBar(app desktop.App, window fyne.Window, actions Actions, tasks *task.Tasks) Bar {
	app.SetSystemTrayWindow(window) // creates the tray, with a menu that Fyne does not touch
	bar := &statusBar{menuBar: menuBar{app: app, actions: actions, tasks: tasks}}
	background.After(settled, func() { tasks.Do(bar.settle) })
	return newLater(bar, tasks.Do)
}

// settled is how long to wait until Fyne has surely made the tray. When it does, it shows the icon with its colours,
// and it does not say when that is.
const settled = 2 * time.Second

// statusBar is a place in the menu bar of macOS. Its icon is a template: macOS takes the shape and gives it the colour
// of the menu bar, dark or light.
type statusBar struct {
	menuBar
	icon    Icon
	settled bool
}

// Icon shows an icon.
func (b *statusBar) Icon(icon Icon) {
	b.icon = icon
	if !b.settled {
		b.menuBar.Icon(icon)
		return
	}
	content := template(icon)
	systray.SetTemplateIcon(content, content)
}

func (b *statusBar) settle() {
	b.settled = true
	b.Icon(b.icon)
}

func template(icon Icon) []byte {
	switch icon {
	case IconWell:
		return assets.TrayTemplateWell
	case IconWorking:
		return assets.TrayTemplateWorking
	case IconAttention:
		return assets.TrayTemplateAttention
	}
	return assets.TrayTemplateIdle
}

// Close does nothing: the icon disappears when the program ends.
func (b *statusBar) Close() {}
