package app

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/activity"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
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
		{At: placeToolboxes, Bar: frame.Entry{Icon: base.FolderIcon(), Word: lang.L("Toolboxes")}, Key: fyne.Key1},
		{At: placeClients, Bar: frame.Entry{Icon: base.ComputerIcon(), Word: lang.L("AI apps")}, Key: fyne.Key2},
		{At: placeActivity, Bar: frame.Entry{Icon: base.HistoryIcon(), Word: lang.L("Activity")}, Key: fyne.Key3},
		{At: placeUsage, Bar: frame.Entry{Icon: theme.ChartIcon(), Word: lang.L("Usage")}, Key: fyne.Key6},
		{At: placeSettings, Bar: frame.Entry{Icon: base.SettingsIcon(), Word: lang.L("Settings"), Bottom: true},
			Key: fyne.Key4},
		{At: placeFile, Key: fyne.Key5, Says: lang.L("The text of the configuration file"), Within: placeToolboxes},
		{At: placeWelcome, Head: welcome.HeadHeight},
	}
}

// newScreen makes one of the screens.
func (c *controller) newScreen(at frame.Place) frame.Screen {
	switch at {
	case placeClients:
		c.clients = clients.New(c.window.Window, c.apps.Actions(), &c.model.Opened)
		return clientsScreen{controller: c}
	case placeActivity:
		c.activity = activity.New(ofActivity{c}, &c.model.Opened.Calls)
		return &activityScreen{controller: c}
	case placeUsage:
		return usageScreen{controller: c, on: usage.New(ofUsage{c})}
	case placeSettings:
		c.settings = settings.New(ofSettings{c.computer, c}, &c.model.Opened)
		return settingsScreen{controller: c}
	case placeFile:
		c.file = file.New(ofFile{c}, &c.model.Opened)
		return fileScreen{controller: c}
	case placeWelcome:
		return c.newWelcome()
	}
	c.toolboxes = toolboxes.New(ofToolboxes{c}, c.detail.Editor.Object(), &c.model.Opened.Toolboxes)
	return toolboxesScreen{controller: c}
}

// toolboxesScreen is the screen of the toolboxes and the selected server.
type toolboxesScreen struct {
	frame.Passive
	*controller
}

func (s toolboxesScreen) Object() fyne.CanvasObject { return s.toolboxes.Object() }

func (s toolboxesScreen) Apply(now *model.Model) {
	view := s.now.view
	view.Apps, view.AppsKnown = now.Apps.For(now.GoodConfig()), now.Apps.Known
	view.Using = s.now.Live.Using()
	s.toolboxes.Apply(view)
	s.detail.Apply(s.now.Snapshot)
}

func (s toolboxesScreen) Enter() {
	if !s.model.Apps.Known { // a toolbox can be limited to some apps
		s.apps.Find()
	}
}

func (s toolboxesScreen) Scrolled() float32                      { return s.toolboxes.Scrolled() }
func (s toolboxesScreen) Scroll(y float32)                       { s.toolboxes.Scroll(y) }
func (s toolboxesScreen) Leave()                                 { s.detail.Editor.Commit() }
func (s toolboxesScreen) Find(canvas fyne.Canvas)                { s.findHere(canvas) }
func (s toolboxesScreen) Drop(at fyne.Position, uris []fyne.URI) { s.toolboxes.Dropped(at, uris) }

func (s toolboxesScreen) Back() bool {
	return s.detail.Shown() && s.detail.Editor.Escape() || s.toolboxes.Back()
}

// findHere focuses the search field of the part that the user is looking at.
func (c *controller) findHere(canvas fyne.Canvas) {
	switch {
	case c.detail.Shows(model.TabTools) && c.detail.Tools.FocusSearch(canvas):
	case c.detail.Shows(model.TabLog):
		c.detail.Log.FocusSearch(canvas)
	default:
		c.toolboxes.FocusSearch(canvas)
	}
}

// clientsScreen is the screen of the AI apps.
type clientsScreen struct {
	frame.Passive
	*controller
}

func (s clientsScreen) Object() fyne.CanvasObject { return s.clients.Object() }
func (s clientsScreen) Apply(now *model.Model)    { s.clients.Apply(s.apps.View(now)) }
func (s clientsScreen) Scrolled() float32         { return s.clients.Page().Scrolled() }
func (s clientsScreen) Scroll(y float32)          { s.clients.Page().Scroll(y) }
func (s clientsScreen) Enter()                    { s.apps.Find() }

func (s clientsScreen) Drop(_ fyne.Position, uris []fyne.URI) {
	if s.options.Apps != nil && len(uris) > 0 {
		s.clients.BringFile(filepath.FromSlash(uris[0].Path()))
	}
}

// activityScreen is the screen of the calls. Snapshots have calls only while the screen is visible. Until the first of
// them comes, the screen shows the calls that it had before.
type activityScreen struct {
	frame.Passive
	*controller
	calls []model.Call
	older int
}

func (s *activityScreen) Object() fyne.CanvasObject { return s.activity.Object() }

func (s *activityScreen) Apply(now *model.Model) {
	if now.Watched {
		s.calls, s.older = now.Calls, now.OlderCalls
	}
	s.activity.Apply(activity.View{Calls: s.calls, Dropped: s.older, Changed: changedServers(now),
		Engines: now.Live.Engines, Version: s.options.Version, Now: now.Time})
}

func (s *activityScreen) Find(canvas fyne.Canvas) { s.activity.FocusSearch(canvas) }
func (s *activityScreen) Scrolled() float32       { return s.activity.Scrolled() }
func (s *activityScreen) Scroll(y float32)        { s.activity.Scroll(y) }
func (s *activityScreen) Back() bool              { return s.activity.Escape() }

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

// usageScreen is the Usage screen.
type usageScreen struct {
	frame.Passive
	*controller
	on *usage.Screen
}

func (s usageScreen) Object() fyne.CanvasObject { return s.on.Object() }
func (s usageScreen) Apply(now *model.Model)    { s.on.Apply(usage.NewView(now)) }
func (s usageScreen) Scrolled() float32         { return s.on.Page().Scrolled() }
func (s usageScreen) Scroll(y float32)          { s.on.Page().Scroll(y) }
func (s usageScreen) Enter()                    { s.aggregator.LookAtUsage() }

// settingsScreen is the screen of the settings.
type settingsScreen struct {
	frame.Passive
	*controller
}

func (s settingsScreen) Object() fyne.CanvasObject { return s.settings.Object() }

func (s settingsScreen) Apply(now *model.Model) {
	view := s.computer.View(now)
	view.Problems = now.Findings.Count()
	s.settings.Apply(view)
}

func (s settingsScreen) Scrolled() float32 { return s.settings.Page().Scrolled() }
func (s settingsScreen) Scroll(y float32)  { s.settings.Page().Scroll(y) }
func (s settingsScreen) Enter()            { s.computer.Entered() }

// fileScreen is the screen with the text of the file.
type fileScreen struct {
	frame.Passive
	*controller
}

func (s fileScreen) Object() fyne.CanvasObject { return s.file.Object() }
func (s fileScreen) Apply(now *model.Model)    { s.file.Apply(s.fileView(now)) }
func (s fileScreen) Leave()                    { s.file.Leave() }
func (s fileScreen) Find(canvas fyne.Canvas)   { s.file.Find(canvas) }

func (s fileScreen) Back() bool {
	if !s.file.Back() {
		s.places.Choose(placeToolboxes)
	}
	return true
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
