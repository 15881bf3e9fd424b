package app

import (
	"context"

	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
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
		c.tray.renderer.Update(trayState(c.now, c.model.Login))
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

// trayState returns what the tray shows for a snapshot.
func trayState(now *shown, login model.Login) tray.State {
	state := tray.State{Clients: live.ClientLines(now.Snapshot), Paused: now.Live.Paused, Login: login.On, NoLogin: !login.Known}
	if now.view.Count() > 0 {
		state.Problems = toolboxes.ProblemCount(now.view)
	}
	if now.view.Broken {
		state.Problem = lang.L("The configuration needs attention")
	} else if clients := now.Live.Unreached(); len(clients) > 0 {
		state.Problem = lang.L("{{.Client}} should be restarted", map[string]any{"Client": clients[0]})
	}
	switch {
	case state.Problem != "":
	case len(now.Approval.Waiting) > 0:
		state.Problem = live.WaitingTitle(now.Approval.Waiting)
	case now.Approval.Problem != nil:
		state.Problem = lang.L("What is approved cannot be told")
	}
	for _, toolbox := range now.view.Toolboxes {
		shown := tray.Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			at := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			shown.Servers = append(shown.Servers, trayServer(server, now, at))
		}
		state.Toolboxes = append(state.Toolboxes, shown)
	}
	return state
}

func trayServer(server toolboxes.Server, now *shown, at model.Choice) tray.Server {
	shown := tray.Server{
		Name: server.Name, State: server.State, Text: server.Word,
		Changed: server.Waiting > 0,
		Idle:    server.Status == status.NotStarted, Off: server.Status == status.Disabled,
	}
	start, again := live.RunWords(server.Status, server.State)
	if shown.Start = again; shown.Idle {
		shown.Start = start
	}
	if word := server.FixWord(); word != live.HelpShow.Words() {
		shown.Help = word
	}
	// Texts that change every second are left out, because a menu that is drawn again closes while the user reads it.
	switch problem := now.Server(at).Problem; {
	case server.Status == status.Connected:
		shown.Text = lang.L("{{.State}}, {{.Tools}}", map[string]any{"State": server.Word, "Tools": server.Note})
	case server.State == theme.StateNotice && server.Detail != "":
		shown.Text = lang.L("{{.State}}: {{.Why}}", map[string]any{"State": server.Word, "Why": server.Detail})
	case problem != nil && !shown.Off && !shown.Idle:
		shown.Text = lang.L("{{.State}}: {{.Why}}", map[string]any{"State": server.Word, "Why": kit.Say(problem.Message)})
	}
	return shown
}

// loginOf returns whether the app starts at login, or why that is not known.
func loginOf(on bool, err error) model.Login {
	state := model.Login{Known: err == nil, On: on}
	if err != nil {
		state.Note = kit.ErrorSentence(err)
	}
	return state
}

// Login switches the start at login on and off. Its methods may be slow.
type Login interface {
	On() (bool, error)
	Set(on bool) error
}

// askLogin finds out whether the app starts at login, in the background.
func (c *controller) askLogin() {
	if c.options.Login == nil {
		return
	}
	c.tasks.Background(func() {
		on, err := c.options.Login.On()
		c.tasks.Do(func() { c.showLogin(loginOf(on, err)) })
	})
}

func (c *controller) showLogin(login model.Login) {
	c.model.Login = login
	c.updateTray()
	c.redraw()
}

// toggleLogin switches the start at login.
func (c *controller) toggleLogin() {
	c.setLogin(!c.model.Login.On, func(err error) {
		if err != nil {
			c.open()
			c.window.Fail(err)
		}
	})
}

func (c *controller) setLogin(on bool, done func(error)) {
	if c.options.Login == nil {
		done(nil)
		return
	}
	c.tasks.Background(func() {
		err := c.options.Login.Set(on)
		now, askErr := c.options.Login.On()
		c.tasks.Do(func() {
			c.showLogin(loginOf(now, askErr))
			done(err)
		})
	})
}
