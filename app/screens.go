package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// place names a screen.
type place string

// The places to which something else than the bar and the keys leads.
const (
	placeToolboxes place = "toolboxes"
	placeClients   place = "clients"
	placeActivity  place = "activity"
	placeSettings  place = "settings"
	placeFile      place = "file"
	placeWelcome   place = "welcome"
)

// entry is a screen of the window.
type entry struct {
	at   place
	bar  frame.Entry         // without a word it is not in the bar
	key  fyne.KeyName        // that leads to it, with Ctrl; empty: none
	make func() frame.Screen // called when it is shown for the first time, and again after another language was chosen

	within place // the screen that is marked in the bar instead of it; empty: itself
	whole  bool  // it has the window to itself
}

// screens are all screens of the window, in the order of the bar.
func (d *controller) screens() []entry {
	return []entry{
		{at: placeToolboxes, bar: frame.Entry{Icon: base.FolderIcon(), Word: lang.L("Toolboxes")}, key: fyne.Key1, make: d.toolboxesScreen},
		{at: placeClients, bar: frame.Entry{Icon: base.ComputerIcon(), Word: lang.L("AI apps")}, key: fyne.Key2, make: d.clientsScreen},
		{at: placeActivity, bar: frame.Entry{Icon: base.HistoryIcon(), Word: lang.L("Activity")}, key: fyne.Key3, make: d.activityScreen},
		{at: placeSettings, bar: frame.Entry{Icon: base.SettingsIcon(), Word: lang.L("Settings"), Bottom: true}, key: fyne.Key4, make: d.settingsScreen},
		{at: placeFile, key: fyne.Key5, make: d.fileScreen, within: placeToolboxes},
		{at: placeWelcome, make: d.welcomeScreen, whole: true},
	}
}

// bar gives the entries of the bar, and their places.
func (d *controller) bar() (entries []frame.Entry, places []place) {
	for _, screen := range d.screens() {
		if screen.bar.Word != "" {
			entries, places = append(entries, screen.bar), append(places, screen.at)
		}
	}
	return entries, places
}

// choose goes to a screen.
func (d *controller) choose(at place) {
	if before := d.current(); before != nil && at != d.at {
		before.Leave()
	}
	var chosen entry
	for _, chosen = range d.screens() {
		if chosen.at == at {
			break
		}
	}
	screen := d.made[at]
	if screen == nil {
		screen = chosen.make()
		d.made[at] = screen
	}
	d.at = at
	screen.Apply(&d.model)
	marked := -1
	_, places := d.bar()
	for i, other := range places {
		if other == at || other == chosen.within {
			marked = i
		}
	}
	d.window.Status.ShowSaved(at != placeFile)
	d.aggregator.WatchCalls(at == placeActivity)
	d.window.Show(marked, screen.Object(), chosen.whole, welcome.FootHeight)
	screen.Enter()
}

// current is the screen that is shown.
func (d *controller) current() frame.Screen { return d.made[d.at] }

// drawn makes a [frame.Screen] of a screen that draws a view of its own. What is nil it does not do.
type drawn[View any] struct {
	on interface {
		Object() fyne.CanvasObject
		Apply(View)
	}
	view  func(now *model.Model) View
	enter func()
	leave func()
	find  func(fyne.Canvas)
	back  func() bool
	drop  func(fyne.Position, []fyne.URI)
}

func (s *drawn[View]) Object() fyne.CanvasObject { return s.on.Object() }
func (s *drawn[View]) Apply(now *model.Model)    { s.on.Apply(s.view(now)) }
func (s *drawn[View]) Back() bool                { return s.back != nil && s.back() }

func (s *drawn[View]) Enter() {
	if s.enter != nil {
		s.enter()
	}
}

func (s *drawn[View]) Leave() {
	if s.leave != nil {
		s.leave()
	}
}

func (s *drawn[View]) Find(canvas fyne.Canvas) {
	if s.find != nil {
		s.find(canvas)
	}
}

func (s *drawn[View]) Drop(at fyne.Position, uris []fyne.URI) {
	if s.drop != nil {
		s.drop(at, uris)
	}
}
