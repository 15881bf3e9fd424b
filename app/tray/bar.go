package tray

import (
	"strings"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// Actions are what the entries of the menu do. They are called on the goroutine of the window and must not block, since
// clicks that come meanwhile are lost.
type Actions struct {
	Do   func(Action)
	Quit func()
}

// run does what an item is for.
func (a Actions) run(item Item) {
	if item.Kind == KindQuit {
		a.Quit()
		return
	}
	a.Do(item.Action)
}

// plain writes a label so that the menu shows it as it is. Menus take one character as the mark of a keyboard shortcut and
// leave it out: "&" on Windows, "_" in the D-Bus menus of Linux. Doubled it stands for itself, and names of servers are
// full of underscores.
func plain(label, goos string) string {
	switch goos {
	case "windows":
		return strings.ReplaceAll(label, "&", "&&")
	case "darwin":
		return label
	}
	return strings.ReplaceAll(label, "_", "__")
}

func resource(icon Icon) fyne.Resource {
	switch icon {
	case IconWell:
		return fyne.NewStaticResource("tray-well.png", assets.TrayWell)
	case IconWorking:
		return fyne.NewStaticResource("tray-working.png", assets.TrayWorking)
	case IconAttention:
		return fyne.NewStaticResource("tray-attention.png", assets.TrayAttention)
	}
	return fyne.NewStaticResource("tray-idle.png", assets.TrayIdle)
}
