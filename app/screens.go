package app

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/file"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/usage"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// screens returns all screens of the window, in the order of the bar.
func (c *controller) screens() []frame.Listed {
	return []frame.Listed{
		{At: placeToolboxes, Bar: frame.Entry{Icon: base.FolderIcon(), Word: lang.L("Toolboxes")}, Key: fyne.Key1,
			Make: c.toolboxesScreen},
		{At: placeClients, Bar: frame.Entry{Icon: base.ComputerIcon(), Word: lang.L("AI apps")}, Key: fyne.Key2,
			Make: c.clientsScreen},
		{At: placeActivity, Bar: frame.Entry{Icon: base.HistoryIcon(), Word: lang.L("Activity")}, Key: fyne.Key3,
			Make: c.activityScreen},
		{At: placeUsage, Bar: frame.Entry{Icon: theme.ChartIcon(), Word: lang.L("Usage")}, Key: fyne.Key6,
			Make: c.usageScreen},
		{At: placeSettings, Bar: frame.Entry{Icon: base.SettingsIcon(), Word: lang.L("Settings"), Bottom: true},
			Key: fyne.Key4, Make: c.settingsScreen},
		{At: placeFile, Key: fyne.Key5, Says: lang.L("The text of the configuration file"), Make: c.fileScreen,
			Within: placeToolboxes},
		{At: placeWelcome, Make: c.welcomeScreen, Head: welcome.HeadHeight},
	}
}

// toolboxesScreen makes the screen of the toolboxes and the selected server.
func (c *controller) toolboxesScreen() frame.Screen {
	c.toolboxes = toolboxes.New(ofToolboxes{c}, c.detail.Editor.Object())
	return &frame.Drawn[toolboxes.View]{
		On: allOfToolboxes{c},
		View: func(now *model.Model) toolboxes.View {
			view := c.now.view
			view.Apps, view.AppsKnown = now.Apps.For(now.GoodConfig()), now.Apps.Known
			return view
		},
		Deeds: frame.Deeds{
			OnEnter: func() {
				if !c.model.Apps.Known { // a toolbox can be limited to some apps
					c.apps.Find()
				}
			},
			OnLeave: func() { c.detail.Editor.Commit() },
			OnFind:  c.findHere,
			OnBack:  func() bool { return c.detail.Shown() && c.detail.Editor.Escape() || c.toolboxes.Back() },
			OnDrop:  func(at fyne.Position, uris []fyne.URI) { c.toolboxes.Dropped(at, uris) },
		},
	}
}

// allOfToolboxes draws the toolboxes and the selected server.
type allOfToolboxes struct{ *controller }

func (t allOfToolboxes) Object() fyne.CanvasObject { return t.toolboxes.Object() }

func (t allOfToolboxes) Apply(view toolboxes.View) {
	t.toolboxes.Apply(view)
	t.detail.Apply(t.now.Snapshot)
}

// findHere focuses the search field of the part that the user is looking at.
func (c *controller) findHere(canvas fyne.Canvas) {
	switch {
	case c.detail.Shows(editor.TabTools) && c.detail.Tools.FocusSearch(canvas):
	case c.detail.Shows(editor.TabLog):
		c.detail.Log.FocusSearch(canvas)
	default:
		c.toolboxes.FocusSearch(canvas)
	}
}

// clientsScreen makes the screen of the AI apps.
func (c *controller) clientsScreen() frame.Screen {
	c.clients = clients.New(c.window.Window, c.apps.Actions())
	return &frame.Drawn[clients.View]{On: c.clients, View: c.apps.View,
		Deeds: frame.Deeds{OnEnter: c.apps.Find, OnDrop: func(_ fyne.Position, uris []fyne.URI) {
			if c.options.Apps != nil && len(uris) > 0 {
				c.clients.BringFile(filepath.FromSlash(uris[0].Path()))
			}
		}}}
}

// activityScreen makes the screen of the calls. Snapshots have calls only while the screen is visible. Until the first
// of them comes, the screen shows the calls that it had before.
func (c *controller) activityScreen() frame.Screen {
	c.activity = activity.New(ofActivity{c})
	calls, older := []model.Call(nil), 0
	return &frame.Drawn[activity.View]{
		On: c.activity,
		View: func(now *model.Model) activity.View {
			if now.Watched {
				calls, older = now.Calls, now.OlderCalls
			}
			return activity.View{Calls: calls, Dropped: older, Changed: changedServers(now), Engines: now.Live.Engines,
				Version: c.options.Version, Now: now.Time}
		},
		Deeds: frame.Deeds{OnFind: c.activity.FocusSearch, OnBack: c.activity.Escape},
	}
}

// changedServers returns the servers whose tools have changed and wait for approval.
func changedServers(now *model.Model) []model.Server {
	var changed []model.Server
	for server := range now.Live.Servers() {
		if server.Waiting > 0 {
			changed = append(changed, server)
		}
	}
	return changed
}

// usageScreen makes the Usage screen.
func (c *controller) usageScreen() frame.Screen {
	return &frame.Drawn[usage.View]{
		On: usage.New(usage.Actions{
			ShowUnused: func() {
				c.places.Choose(placeToolboxes)
				c.toolboxes.ShowUnused()
			},
			ShowSettings: func() { c.places.Choose(placeSettings) },
		}),
		View:  usage.NewView,
		Deeds: frame.Deeds{OnEnter: c.aggregator.LookAtUsage},
	}
}

// settingsScreen makes the screen of the settings.
func (c *controller) settingsScreen() frame.Screen {
	c.settings = settings.New(ofSettings{c.computer, c})
	return &frame.Drawn[settings.View]{On: c.settings, View: func(now *model.Model) settings.View {
		view := c.computer.View(now)
		view.Problems = c.now.view.Count()
		return view
	}, Deeds: frame.Deeds{OnEnter: c.computer.Entered}}
}

// fileScreen makes the screen with the text of the file.
func (c *controller) fileScreen() frame.Screen {
	c.file = file.New(ofFile{c})
	return &frame.Drawn[file.View]{On: c.file, View: c.fileView,
		Deeds: frame.Deeds{OnLeave: c.file.Leave, OnFind: c.file.Find, OnBack: func() bool {
			if !c.file.Back() {
				c.places.Choose(placeToolboxes)
			}
			return true
		}}}
}

func (c *controller) fileView(now *model.Model) file.View {
	view := file.View{
		Path: c.options.Location.Path, Now: now.File.Now, Problem: now.File.Problem,
		Unsaved: now.File.Pending != nil, Edits: now.File.Edits, More: now.Warnings,
	}
	if c.options.Apps != nil {
		view.Home = c.options.Apps.System.Home
	}
	return view
}
