package app

import (
	"context"
	"runtime"
	"time"

	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/consent"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
)

// trayPatience is how long a start without a window waits for a tray. When a session starts, programs start in any
// order.
const trayPatience = 20 * time.Second

// findTray returns the tray, or nil if there is none. A start without a window waits for the tray.
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

// startTray shows the app in the tray.
func (c *controller) startTray(host *tray.Host) {
	c.tray.host = host
	bar := tray.NewBar(c.options.App.(desktop.App), c.window.Window, ofTray{c}, c.tasks)
	c.tray.renderer = tray.NewRenderer(bar, c.tasks)
	c.updateTray()
	if c.options.System != nil {
		c.options.System.OnTrayTapped(func() { c.tasks.Do(c.open) })
	}
	c.window.Status.HasTray()
}

// tell shows a notification of the system, unless the user has switched them off. It can be called on any goroutine.
func (c *controller) tell(notice notify.Notice) {
	if c.options.Notices != nil && c.options.Preferences.Get().Notifications {
		c.tasks.Background(func() {
			c.options.Notices.Show(notice, func(answer notify.Answer) { c.tasks.Do(func() { c.answerNotice(notice, answer) }) })
		})
	}
}

// answerNotice handles the answer of the user to a notification.
func (c *controller) answerNotice(notice notify.Notice, answer notify.Answer) {
	if answer == notify.Approve {
		c.approving.Approve(notice.Waiting, c.open)
		return
	}
	c.open()
	switch notice.About {
	case notify.Approval:
		c.approving.Show()
	case notify.Server:
		c.afterSteps(func() { c.fix(notice.At) })
	case notify.Apps:
		c.afterSteps(func() { c.places.Choose(placeClients) })
	}
}

// askCall asks the user whether a call of an AI app may be made. It can be called on any goroutine.
func (c *controller) askCall(q *ipc.Asked) { c.consent.Ask(consent.Call(q)) }

// closeWindow is called by the close button. The app stays in the tray if there is one at this moment. If the tray has
// vanished since the start, the app quits, because the user would have no way back to the window.
func (c *controller) closeWindow() {
	c.settle()
	if c.tray.host == nil {
		c.quit()
		return
	}
	remember := c.keeper()
	// beside the goroutine of the window, which must not wait for the tray
	task.Find(c.tasks, func() bool {
		remember()
		return c.tray.host.Present()
	}, func(present bool) {
		if !present {
			c.quit()
			return
		}
		c.window.Window.Hide()
		c.hidden()
		c.sayWhereItIs()
	})
}

// sayWhereItIs says, when the window is closed for the first time, that the app goes on, and where its icon is.
func (c *controller) sayWhereItIs() {
	now := c.options.Preferences.Get()
	if c.options.Preferences == nil || c.options.Notices == nil || now.Closed || !now.Notifications {
		return
	}
	c.prefer(func(p *model.Preferences) { p.Closed = true }, func(err error) {
		if err == nil { // otherwise it would be said at every close
			c.tell(notify.Notice{Title: lang.L("Workbench keeps running"), Text: whereItIs(runtime.GOOS)})
		}
	})
}

func whereItIs(goos string) string {
	switch goos {
	case "windows":
		return lang.L("Its icon is at the end of the taskbar, behind ^. There you open the window again, or quit.")
	case "darwin":
		return lang.L("Its icon is in the menu bar. There you open the window again, or quit.")
	}
	return lang.L("Its icon is in the panel. There you open the window again, or quit.")
}

// handleRequests handles requests until ctx ends, and then ends the app. It calls heard before each request.
func (c *controller) handleRequests(ctx context.Context, asked *requests.Requests, heard func()) {
	asked.Handle(ctx, ofRequests{c, heard})
	c.leave.Begin()
	c.tasks.Do(c.quitting)
}

// ofRequests does what another start of the program or the system asks for.
type ofRequests struct {
	*controller
	heard context.CancelFunc // called before each request
}

func (p ofRequests) Show() { p.soon(p.open) }
func (p ofRequests) Quit() { p.soon(p.quit) }

func (p ofRequests) Open(what string, front bool) {
	p.soon(func() {
		switch {
		case front:
			p.open()
		case !p.visible.Load():
			p.adding.SayNotOpened()
			return
		}
		p.openThis(what)
	})
}

// soon does what is asked on the goroutine of the window.
func (p ofRequests) soon(do func()) {
	p.heard()
	p.tasks.Do(do)
}

// openThis opens a file or a link that another program has passed on. It shows what would be added, but not over an
// open dialog, because a click that is meant for the dialog could then add something.
func (c *controller) openThis(what string) {
	if c.window.Window.Canvas().Overlays().Top() == nil {
		c.afterSteps(func() { c.review(what) })
		return
	}
	c.review(what) // which says that something else is open
}

// review shows what a file or a link would add.
func (c *controller) review(what string) {
	if links.Is(what) {
		c.adding.OpenLink(what)
	} else if path := share.Path(what); path != "" {
		c.adding.OpenFile(path)
	}
}
