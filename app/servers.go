package app

import (
	"cmp"
	"context"
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/sharing"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func (c *controller) start(at model.Choice) {
	c.engines.Start(c.now.Snapshot, at)
	c.recheck()
}

func (c *controller) restart(at model.Choice) {
	c.engines.Restart(c.now.Snapshot, at)
	c.recheck()
}

// recheck checks this computer again if a program was missing: the user may have installed it before trying a server
// again.
func (c *controller) recheck() {
	if slices.ContainsFunc(c.now.Warnings, model.NoProgram) {
		c.aggregator.Recheck()
	}
}

// stopServer stops a server until it is started or its toolbox is opened again.
func (c *controller) stopServer(at model.Choice) { c.engines.Stop(c.now.Snapshot, at) }

// stopAll stops servers. If AI apps use some of them, the user is asked first.
func (c *controller) stopAll(servers []model.Choice) {
	stop := func() {
		for _, at := range servers {
			c.stopServer(at)
		}
	}
	used, apps := c.engines.UsedBy(c.now.Snapshot, servers)
	if used == 0 {
		stop()
		return
	}
	c.window.Ask(func() frame.Asked {
		return frame.Asked{Title: lang.L("Stop all?"), Yes: lang.L("Stop all"),
			Text: lang.N("{{.Count}} of these servers are used by {{.Apps}}. What is being done with them ends.", used,
				map[string]any{"Apps": kit.SayList(apps), "Count": used})}
	}, stop)
}

// pause stops all servers and makes engines refuse to start any. If on is false, engines may start servers again.
func (c *controller) pause(on bool) {
	c.tasks.Background(func() {
		c.engines.Hub.SetPaused(on)
		c.aggregator.Again()
	})
}

// fix does what the button says that helps with a server.
func (c *controller) fix(at model.Choice) {
	then := func() {
		if c.now.Server(at).State == status.NotStarted { // gotRuntime restarts servers that have failed
			c.start(at)
		}
	}
	var lack model.Lack
	if found := c.model.Findings.Of(at); found != nil {
		lack = found.Lack
	}
	switch {
	case lack.Page != "":
		c.window.OpenURL(lack.Page)
		return
	case c.runtimes.GetOrCancel(lack.Runtime.ID, then):
		return
	}
	server := c.now.Server(at)
	help := server.Help()
	if help == model.HelpSignIn && c.signing.Begin(at) {
		return
	}
	switch help {
	case model.HelpReview:
		c.approving.Show()
	case model.HelpTools:
		c.showTab(at, model.TabTools)
		c.detail.Tools.ShowChanges()
	case model.HelpAgain, model.HelpTry:
		c.restart(at)
	case model.HelpLog:
		c.showTab(at, model.TabLog)
	case model.HelpTime:
		c.showField(at, "startupTimeout")
	case model.HelpFill:
		c.showField(at, server.ToFill()[0].Path())
	default:
		field := c.model.Findings.Doubtful(at)
		if server.State == status.Disabled { // an import has switched it off, because it needs something first
			field = cmp.Or(field, "env")
		}
		c.showField(at, field)
	}
}

// gotRuntime is called when a runtime was installed. It checks the computer again, and restarts the servers that
// failed without the runtime, except those that the user is trying or has paused.
func (c *controller) gotRuntime(id string) {
	c.aggregator.Recheck()
	if len(c.model.Doctor.Checks) > 0 {
		c.computer.Check()
	}
	for server := range c.now.Live.Servers() {
		at, problem := model.Choice{Toolbox: server.Toolbox, Server: server.Name}, server.Problem
		if problem != nil && problem.Kind == status.KindProgram && config.ProductOf(problem.Program).ID == id &&
			!server.Paused && !c.adding.Trying(at) && c.places.At() != placeWelcome {
			c.restart(at)
		}
	}
}

// share shows the file that a toolbox would be shared as.
func (c *controller) share(toolbox string) {
	c.detail.Editor.Commit()
	if good := c.now.Good; good != nil {
		if box, ok := good.Config.Toolbox(toolbox); ok {
			sharing.Show(c.window, box)
		}
	}
}

// lookPath finds the path of the program that a server runs.
func (c *controller) lookPath(server config.Server, done func(string, error)) {
	here := c.options.surroundings()
	// Leave the keychain out, because it may ask the user, and finding a program is not worth a question.
	here.Lookup.Keyring = func(string) (string, error) { return "", nil }
	task.Ask(c.tasks, func() (string, error) { return here.FindProgram(context.Background(), server) }, done)
}
