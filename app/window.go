package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
)

// The size of the window at first, in pixels. It works down to 800 × 560.
const (
	windowWidth  = 1100
	windowHeight = 720
)

// windowActions are what the window's controls do.
type windowActions struct {
	openFile, openFolder, quit func()
}

// window is the main window: a screen, and a status line under it.
type window struct {
	window  fyne.Window
	screen  *toolboxes.Screen
	state   *widget.Icon
	word    *kit.Text
	path    *kit.Text
	count   *kit.Text
	trayTip *kit.Text
}

func newWindow(app fyne.App, actions windowActions) *window {
	w := &window{
		window:  app.NewWindow(Name),
		screen:  toolboxes.New(toolboxes.Actions{OpenFile: actions.openFile, OpenFolder: actions.openFolder}),
		state:   widget.NewIcon(nil),
		word:    statusText("", theme.ColorText),
		path:    kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}),
		count:   statusText("", theme.ColorMuted),
		trayTip: statusText(lang.L("No tray here: closing the window quits"), theme.ColorMuted),
	}
	w.window.SetIcon(Icon())
	w.window.SetPadded(false)
	ground := kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, w.screen.Object())
	w.window.SetContent(kit.NewDock(ground, w.statusLine()))
	w.window.Resize(fyne.NewSize(windowWidth, windowHeight))
	w.window.CenterOnScreen()

	canvas := w.window.Canvas()
	canvas.AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyF, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
		w.screen.FocusSearch(canvas)
	})
	canvas.AddShortcut(&desktop.CustomShortcut{KeyName: fyne.KeyQ, Modifier: fyne.KeyModifierShortcutDefault}, func(fyne.Shortcut) {
		actions.quit()
	})
	return w
}

func statusText(text string, color fyne.ThemeColorName) *kit.Text {
	return kit.NewText(text, kit.TextStyle{Size: theme.SizeSmall, Color: color})
}

// statusLine is the line at the bottom: how the configuration is, which file it is, and what else is worth knowing.
func (w *window) statusLine() fyne.CanvasObject {
	left := kit.Row(8, container.NewGridWrap(fyne.NewSquareSize(14), w.state), w.word, kit.NewGap(4, 0))
	right := kit.Row(20, kit.NewGap(0, 0), w.trayTip, w.count)
	line := container.NewBorder(nil, nil, left, right, w.path)
	return kit.Column(0, kit.NewLine(), kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Inset(line, 8, 16)))
}

// apply shows a view.
func (w *window) apply(view toolboxes.View) {
	w.screen.Apply(view)
	worst := view.Worst()
	w.state.SetResource(worst.Icon())
	color := theme.ColorText
	if worst == theme.StateWrong {
		color = theme.ColorWrong
	}
	w.word.SetStyle(toolboxes.ProblemCount(view), kit.TextStyle{Size: theme.SizeSmall, Color: color})
	w.path.Set(view.Path)
	setVisible(w.count, len(view.Toolboxes) > 0)
	w.count.Set(lang.L("{{.Servers}} in {{.Toolboxes}}", map[string]any{
		"Servers":   toolboxes.Count(view.Servers()),
		"Toolboxes": lang.N("{{.Count}} toolboxes", len(view.Toolboxes), map[string]any{"Count": len(view.Toolboxes)}),
	}))
	w.window.Content().Refresh()
}

// choose selects a toolbox, or a server of it.
func (w *window) choose(toolbox, server string) {
	w.screen.Select(toolboxes.Choice{Toolbox: toolbox, Server: server})
}

// noTray says in the status line that there is no tray, or leaves that out.
func (w *window) noTray(none bool) { setVisible(w.trayTip, none) }

func setVisible(object fyne.CanvasObject, visible bool) {
	if visible {
		object.Show()
	} else {
		object.Hide()
	}
}

// onClose sets what the close button of the window does.
func (w *window) onClose(f func()) { w.window.SetCloseIntercept(f) }

// fail shows what could not be done.
func (w *window) fail(err error) { dialog.ShowError(err, w.window) }
