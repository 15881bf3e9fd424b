package app

import (
	"context"
	"encoding/json"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/serverlog"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tools"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// detail is the right side of the toolboxes screen when a server is chosen: the editor with its four tabs. What cannot be seen
// of it is not kept up.
type detail struct {
	desk   *controller
	looker editor.Looker
	editor *editor.Screen
	tools  *tools.Tab
	log    *serverlog.Log
	feed   *engines.LogFeed

	at  toolboxes.Choice // zero: none
	tab editor.Tab

	listed    toolVersion   // of the tools that are shown
	list      []status.Tool // those
	asking    toolVersion   // of the tools that an engine is asked for
	stopAsked context.CancelFunc
}

// toolVersion tells the tools of a server at one time from those at another.
type toolVersion struct {
	at            toolboxes.Choice
	engine        string
	state         status.State
	since         time.Time
	all, revision int // engines from before there was a revision tell the number alone
	good          any // the configuration, by which tools are allowed or not
}

func newDetail(d *controller) *detail {
	t := &detail{desk: d, stopAsked: func() {}}
	t.build()
	t.feed = engines.NewLogFeed(d.engines.Hub,
		func(at toolboxes.Choice, lines []status.LogLine) { d.tasks.Do(func() { t.showLog(at, lines, false) }) },
		func(at toolboxes.Choice, lines []status.LogLine) { d.tasks.Do(func() { t.showLog(at, lines, true) }) })
	return t
}

// build makes the tabs, in the language of now.
func (t *detail) build() {
	d := t.desk
	t.tools = tools.New(t.toolsActions())
	t.log = serverlog.New(serverlog.Actions{Copy: d.copy, Save: d.saveAs, Do: d.tasks.Do})
	t.editor = editor.New(t.editorActions(), editor.Slots{Tools: t.tools.Object(), Log: t.log.Object(), OnTab: func(tab editor.Tab) {
		t.tab = tab
		t.apply(d.now)
	}, OnAgain: func(tab editor.Tab) {
		if tab == editor.TabTools {
			t.tools.ShowAll()
		}
	}})
}

// close ends what the tabs have under way and waits for it.
func (t *detail) close() {
	t.stopAsked()
	t.tools.Close()
}

// show shows a server, or with the zero Choice none.
func (t *detail) show(at toolboxes.Choice) {
	if at == t.at {
		return
	}
	if at.Server == "" {
		t.editor.Commit()
	}
	t.at = at
	t.apply(t.desk.now)
}

// renamed takes up that a server is called otherwise now.
func (t *detail) renamed(from, to toolboxes.Choice) {
	t.editor.Renamed(edit.Target{Toolbox: from.Toolbox, Server: from.Server}, edit.Target{Toolbox: to.Toolbox, Server: to.Server})
}

// shown tells whether the settings of a server are what the toolboxes screen shows.
func (t *detail) shown() bool { return t.at.Server != "" }

// open shows one tab of the server.
func (t *detail) open(tab editor.Tab) {
	t.tab = tab
	t.editor.Choose(tab)
	t.apply(t.desk.now)
}

// apply shows a snapshot.
func (t *detail) apply(now *shown) {
	if now == nil {
		return
	}
	if t.at.Server == "" {
		t.feed.Follow(toolboxes.Choice{}, nil)
		return
	}
	server := now.Server(t.at)
	shown := live.Words(server, now.Time)
	t.editor.Apply(t.looker.Look(editor.Source{
		Toolbox: t.at.Toolbox, Server: t.at.Server,
		Now: now.File.Now, Err: now.File.Problem, Warnings: now.Warnings, Live: server, Shown: shown,
	}))
	if t.tab == editor.TabTools {
		server = now.Standing(t.at)
		t.ask(now, server)
		t.tools.Apply(t.toolsView(now, server, live.Words(server, now.Time)))
	}
	if t.tab == editor.TabLog {
		t.log.Apply(serverlog.View{Toolbox: t.at.Toolbox, Server: t.at.Server, Empty: emptyLog(server)})
		t.feed.Follow(t.at, t.desk.engines.Logging(now.Snapshot, t.at))
	} else {
		t.feed.Follow(toolboxes.Choice{}, nil)
	}
}

func emptyLog(server model.Server) string {
	if server.State == status.NotStarted && !server.Held {
		return lang.L("Nothing yet. What the server writes appears here once it has been started.")
	}
	return lang.L("Nothing yet. What the server writes appears here.")
}

func (t *detail) showLog(at toolboxes.Choice, lines []status.LogLine, more bool) {
	switch {
	case at != t.at:
	case more:
		t.log.Append(lines...)
	default:
		t.log.Set(lines)
	}
}

func (t *detail) toolsView(now *shown, server model.Server, shown live.Shown) tools.View {
	view := tools.View{Toolbox: t.at.Toolbox, Server: t.at.Server, Status: server.Server, Shown: shown}
	if t.listed.at == t.at && server.State == status.Connected {
		view.Tools = t.list
	}
	if now.Good != nil {
		if box, ok := now.Good.Config.Toolbox(t.at.Toolbox); ok {
			if entry, ok := box.Server(t.at.Server); ok {
				view.Filters = entry.ToolFilters
			}
		}
	}
	if now.view.Broken {
		view.Locked = lang.L("The configuration has an error that must be corrected first.")
	}
	return view
}

// ask asks the server's engine for the tools, when they may have changed.
func (t *detail) ask(now *shown, server model.Server) {
	version := toolVersion{t.at, server.Engine, server.State, server.Since, server.AllTools, server.Revision, now.Good}
	if server.Engine == "" || server.State != status.Connected || version == t.listed || version == t.asking {
		return
	}
	t.stopAsked()
	var ctx context.Context
	ctx, t.stopAsked = context.WithCancel(t.desk.tasks.Context())
	t.asking = version
	d, at := t.desk, t.at
	d.tasks.Background(func() {
		list, err := d.engines.Tools(ctx, server.Engine, at)
		d.tasks.Do(func() {
			if t.asking != version {
				return
			}
			t.asking = toolVersion{}
			if err == nil {
				t.listed, t.list = version, list
				t.apply(d.now)
			}
		})
	})
}

func (t *detail) toolsActions() tools.Actions {
	d := t.desk
	return tools.Actions{
		Start: func(target edit.Target) { d.start(choiceOf(target)) },
		Edit:  d.edit,
		Run:   t.run,
		Log: func(target edit.Target) {
			d.showServer(choiceOf(target))
			t.open(editor.TabLog)
		},
		Copy: d.copy,
		Save: d.saveAs,
		Do:   d.tasks.Do,
		Now:  time.Now,
	}
}

func choiceOf(target edit.Target) toolboxes.Choice {
	return toolboxes.Choice{Toolbox: target.Toolbox, Server: target.Server}
}

// run calls a tool in the app's own engine, which starts the server alone if it has not got it.
func (t *detail) run(ctx context.Context, target edit.Target, tool string, arguments json.RawMessage,
	show func(done, total float64, message string), done func(json.RawMessage, error),
) {
	d := t.desk
	ctx, stop := d.tasks.Join(ctx) // "Try it" ends with the app
	d.tasks.Background(func() {
		defer stop()
		result, err := d.engines.Call(ctx, toolbox.ToolID{Toolbox: target.Toolbox, Server: target.Server, Tool: tool}, arguments, d.tasks.Do, show)
		d.tasks.Do(func() { done(result, err) })
	})
}

func (t *detail) editorActions() editor.Actions {
	d := t.desk
	at := func(do func(toolboxes.Choice)) func(toolbox, server string) {
		return func(toolbox, server string) { do(toolboxes.Choice{Toolbox: toolbox, Server: server}) }
	}
	return editor.Actions{
		Check: configfile.NewPreview(d.configFile, d.tasks).Ask,
		Edit:  d.edit,
		NotSaved: func(_, server string, err error) {
			d.say(lang.L("What you typed for “{{.Name}}” is not saved: {{.Why}}", map[string]any{"Name": server, "Why": kit.ErrorSentence(err)}))
		},
		Show:       at(d.showServer),
		Start:      at(d.start),
		Restart:    at(d.restart),
		Stop:       at(d.stopServer),
		Fix:        at(d.fix),
		SignOut:    at(d.signOut),
		SignedIn:   d.hasSignIn,
		OpenFile:   d.showFile,
		LookPath:   d.lookPath,
		PickFile:   d.pickFile,
		PickFolder: d.pickFolder,
		Env:        d.options.Lookup.Env,
		After:      d.tasks.Later,
		HasSecret: func(name string, done func(bool, error)) {
			d.tasks.Background(func() {
				has, err := keychain.Has(keychain.System(), name)
				d.tasks.Do(func() { done(has, err) })
			})
		},
		KeepSecret: func(name, value string, done func(string, error)) {
			d.tasks.Background(func() {
				kept, _, err := keychain.Keep(keychain.System(), name, value)
				d.tasks.Do(func() { done(kept, err) })
			})
		},
		ReadSecret: func(name string, done func(string, error)) {
			d.tasks.Background(func() {
				value, err := keychain.System().Get(name)
				d.tasks.Do(func() { done(value, err) })
			})
		},
	}
}
