// Package detail shows a server with its four tabs, asks the user what servers want to know, and handles signing in to
// servers.
package detail

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tools"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Options configure a [Detail].
type Options struct {
	Tasks   *task.Tasks
	Engines *engines.Engines
	File    *configfile.File
	Saver   *saving.Saver
	Window  *frame.Window
	Model   *model.Model

	Program Program

	SignIn *SignIn
	Pins   *pin.Store       // nil if changes of tools are not detected
	Logs   engines.KeptLogs // of earlier runs
	// the file that lists the servers with typed text that is not saved; may be empty
	Unapplied string
}

// Program does for the server that is shown what concerns the rest of the app. Its methods are called on the goroutine
// of the window and must not block.
type Program interface {
	Show(model.Choice) // shows another server, or its toolbox
	OpenFile()

	Start(model.Choice)
	Restart(model.Choice)
	Stop(model.Choice)
	Fix(model.Choice)
	AskAgain(model.Choice) // asks for the tools of a server once more

	ShowSetup(model.Choice) // shows the settings of a server
	Trying() bool           // reports whether the Tools tab is shown, where the user tries tools

	LookPath(server config.Server, done func(path string, err error))
	Env(name string) (string, bool)
}

// Detail is the right side of the toolboxes screen while it shows a server: the editor with its four tabs. The Tools
// and Log tabs are updated only while they are visible.
type Detail struct {
	options   Options
	unapplied unapplied
	views     editor.Views
	Editor    *editor.Screen
	Tools     *tools.Tab
	Log       *serverlog.Log
	Feed      *engines.LogFeed

	At model.Choice // the server, or zero

	filling model.Choice // a server that lacked something when an edit of it was saved, until the edit is known

	changes   *tools.Changes // the changes of the tools in changesOf, once they are read
	changesOf *model.Tools
}

// New returns a Detail that shows no server.
func New(options Options) *Detail {
	t := &Detail{options: options}
	t.build()
	t.Feed = engines.NewLogFeed(t.options.Engines.Hub, t.options.Logs, ofLog{t})
	return t
}

// ofLog shows the lines of the log on the goroutine of the window.
type ofLog struct{ *Detail }

func (t ofLog) SetLines(at model.Choice, lines []status.LogLine) {
	t.options.Tasks.Do(func() { t.showLog(at, lines, false) })
}

func (t ofLog) AddLines(at model.Choice, lines []status.LogLine) {
	t.options.Tasks.Do(func() { t.showLog(at, lines, true) })
}

// build creates the tabs in the current language.
func (t *Detail) build() {
	t.Tools = tools.New(ofTools{t})
	t.Log = serverlog.New(t.options.Window)
	t.Editor = editor.New(newOfEditor(t), editor.Slots{Tools: t.Tools.Object(), Log: t.Log.Object()},
		&t.options.Model.Drafts, &t.options.Model.Opened)
}

// Close closes the Tools tab.
func (t *Detail) Close() { t.Tools.Close() }

// Show shows a server, or nothing for the zero Choice. Of a server that works it shows what it can do; Setup is for
// one that does not. A user who goes from log to log stays there.
func (t *Detail) Show(at model.Choice) {
	if at == t.At {
		return
	}
	before := t.At
	t.At = at
	tab := t.Editor.Tab()
	if at.Server != "" && (before.Server == "" || tab != model.TabLog) {
		t.Editor.Choose(t.first())
	}
	t.update()
}

// first returns the tab that the server is opened with.
func (t *Detail) first() model.Tab {
	now := t.options.Model.Snapshot
	if now == nil {
		return model.TabSetup
	}
	server := now.Server(t.At)
	switch shown := live.Words(server, now.Time); {
	case server.State == status.Connected, server.State == status.Starting,
		server.State == status.NotStarted && server.Known > 0 && shown.State == theme.StateIdle:
		return model.TabTools
	}
	return model.TabSetup
}

// Renamed tells that a server has another name or toolbox, so that its tab stays.
func (t *Detail) Renamed(from, to model.Choice) {
	if t.At == from {
		t.At = to
	}
	t.Editor.Renamed(from, to)
}

// List returns the tools of the server that is shown.
func (t *Detail) List() []status.Tool {
	if now := t.options.Model.Snapshot; now != nil && now.Lists[t.At] != nil {
		return now.Lists[t.At].List
	}
	return nil
}

// Shown reports whether a server is shown.
func (t *Detail) Shown() bool { return t.At.Server != "" }

// Shows reports whether a tab of a server is shown.
func (t *Detail) Shows(tab model.Tab) bool { return t.Shown() && t.Editor.Tab() == tab }

// Open shows a tab of the server.
func (t *Detail) Open(tab model.Tab) {
	t.Editor.Choose(tab)
	t.update()
}

// Follow gets what the visible tab needs besides the snapshot: the log, or how the tools have changed. A server that
// has got what it lacked is started.
func (t *Detail) Follow(now *model.Snapshot) {
	if t.At.Server != "" {
		t.tryFilled(now.Server(t.At))
	}
	if t.Shows(model.TabLog) {
		t.Feed.Follow(t.At, t.options.Engines.Logging(now, t.At))
	} else {
		t.Feed.Follow(model.Choice{}, nil)
	}
	if t.Shows(model.TabTools) {
		t.compare(now.Lists[t.At])
	}
}

// tryFilled starts a server once the user has given it what it lacked, so that it says at once whether it works.
func (t *Detail) tryFilled(server model.Server) {
	if at := t.filling; at != t.At || len(server.ToFill()) > 0 || server.Changed { // until the edit has arrived
		return
	}
	t.filling = model.Choice{}
	if server.State == status.NotStarted && !server.Paused {
		t.options.Program.Start(t.At)
	}
}

// Apply shows a snapshot.
func (t *Detail) Apply(now *model.Snapshot) {
	if t.At.Server == "" {
		return
	}
	server := now.Server(t.At)
	view := t.views.Of(editor.Source{
		At: t.At, Now: now.File.Now, Err: now.File.Problem, Warnings: now.Warnings, Live: server,
		Shown: live.Words(server, now.Time), Runtimes: t.options.Model.Runtimes,
	})
	t.Editor.Apply(view)
	switch t.Editor.Tab() {
	case model.TabTools:
		server = now.Standing(t.At)
		shown := live.Words(server, now.Time)
		if view.Lack != (model.Lack{}) {
			shown = view.Shown
		}
		t.Tools.Apply(t.toolsView(now, server, shown))
	case model.TabLog:
		t.Log.Apply(serverlog.View{Toolbox: t.At.Toolbox, Server: t.At.Server,
			Empty: lang.L("New lines appear here.")})
	}
}

// update draws the newest snapshot again, for example after another tab was chosen. It may be called while the window
// is drawn. The engines must not be asked then, so it calls Follow later.
func (t *Detail) update() {
	if now := t.options.Model.Snapshot; now != nil {
		t.Apply(now)
		t.options.Tasks.Do(func() { t.Follow(t.options.Model.Snapshot) })
	}
}

func (t *Detail) showLog(at model.Choice, lines []status.LogLine, more bool) {
	switch {
	case at != t.At:
	case more:
		t.Log.Append(lines...)
	default:
		t.Log.Set(lines)
	}
}

func (t *Detail) toolsView(now *model.Snapshot, server model.Server, shown live.Shown) tools.View {
	view := tools.View{Toolbox: t.At.Toolbox, Server: t.At.Server, Status: server.Server, Shown: shown}
	if list := now.Lists[t.At]; list != nil && server.State != status.Disabled && !server.Changed {
		view.Tools, view.Err = list.List, list.Err
		if list == t.changesOf {
			view.Changes = t.changes
		}
	}
	if entry := now.Entry(t.At); entry != nil {
		view.Filters = entry.ToolFilters
	}
	if now.Broken() {
		view.Locked = lang.L("The configuration has an error that must be corrected first.")
	}
	return view
}

// compare reads in the background how the tools of the server have changed.
func (t *Detail) compare(list *model.Tools) {
	if list == nil || list == t.changesOf {
		return
	}
	t.changesOf, t.changes = list, nil
	entry := t.options.Model.Entry(t.At)
	t.options.Tasks.Background(func() {
		changes := t.readChanges(entry, list.List)
		t.options.Tasks.Do(func() {
			if changes != nil && list == t.changesOf {
				t.changes = changes
				t.update()
			}
		})
	})
}

// Rebuild creates the tabs again, in the current language. The Tools tab keeps what it showed. The other tabs are
// empty until a server is shown.
func (t *Detail) Rebuild() {
	before := t.Tools
	t.options.Tasks.Background(before.Close)
	t.Editor.Close()
	t.At, t.views = model.Choice{}, editor.Views{}
	t.build()
	t.Tools.Continue(before)
}
