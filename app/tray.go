package app

import (
	"context"

	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// trayPart is the app's icon in the tray. Without a tray, its fields are nil.
type trayPart struct {
	host     *tray.Host // the app stays here when its window closes
	renderer *tray.Renderer
}

// findTray returns the tray, or nil. A start without a window waits for it.
func (c *controller) findTray(ctx context.Context) *tray.Host {
	host := c.options.Host
	if _, can := c.options.App.(desktop.App); host == nil || !can {
		return nil
	}
	if c.options.Hidden {
		patience, cancel := context.WithTimeout(ctx, trayPatience)
		defer cancel()
		if !host.Await(patience) {
			return nil
		}
		return host
	}
	if !host.Present() {
		return nil
	}
	return host
}

// updateTray shows the model in the tray.
func (c *controller) updateTray() {
	if c.tray.renderer != nil {
		c.tray.renderer.Update(tray.StateOf(c.now.Snapshot, c.now.view, c.model.Login))
	}
}

// startTray shows the app in the tray.
func (c *controller) startTray(host *tray.Host) {
	c.tray.host = host
	bar := tray.NewBar(c.options.App.(desktop.App), c.window.Window, tray.Actions{Do: c.trayDo, Quit: c.quit}, c.tasks.Do)
	c.tray.renderer = tray.NewRenderer(bar, c.tasks.Do)
	c.updateTray()
	if c.options.OnTrayTapped != nil {
		c.options.OnTrayTapped(func() { c.tasks.Do(c.open) })
	}
	c.window.Status.HasTray()
}

// trayDo does what an entry of the tray's menu says.
func (c *controller) trayDo(action tray.Action) {
	at := model.Choice{Toolbox: action.Toolbox, Server: action.Server}
	switch action.Verb {
	case tray.VerbRestart:
		c.restart(at)
	case tray.VerbStop:
		c.stopServer(at)
	case tray.VerbPause:
		c.pause(true)
	case tray.VerbResume:
		c.pause(false)
	case tray.VerbLogin:
		c.toggleLogin()
	case tray.VerbLog:
		c.open()
		c.showTab(at, editor.TabLog)
	case tray.VerbFix:
		c.open()
		c.toolboxes.Mend(at)
	default:
		c.open()
		if at.Toolbox != "" {
			c.showServer(at)
		}
	}
}

// toggleLogin switches the start at login.
func (c *controller) toggleLogin() {
	c.computer.SetLogin(!c.model.Login.On, func(err error) {
		if err != nil {
			c.open()
			c.window.Fail(err)
		}
	})
}
