package app

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// place names a screen.
type place string

// The screens that other code goes to.
const (
	placeToolboxes place = "toolboxes"
	placeClients   place = "clients"
	placeActivity  place = "activity"
	placeUsage     place = "usage"
	placeSettings  place = "settings"
	placeFile      place = "file"
	placeWelcome   place = "welcome"
)

// entry is a screen of the window.
type entry struct {
	at   place
	bar  frame.Entry         // not in the bar if it has no word
	key  fyne.KeyName        // shows the screen with Ctrl; may be empty
	says string              // name in the list of keys; if empty, the word in the bar
	make func() frame.Screen // called when the screen is first shown, and again after a change of the language

	within place // the screen to mark in the bar instead; may be empty
	whole  bool  // the screen takes the whole window
}

// screens returns all screens of the window, in the order of the bar.
func (c *controller) screens() []entry {
	return []entry{
		{at: placeToolboxes, bar: frame.Entry{Icon: base.FolderIcon(), Word: lang.L("Toolboxes")}, key: fyne.Key1, make: c.toolboxesScreen},
		{at: placeClients, bar: frame.Entry{Icon: base.ComputerIcon(), Word: lang.L("AI apps")}, key: fyne.Key2, make: c.clientsScreen},
		{at: placeActivity, bar: frame.Entry{Icon: base.HistoryIcon(), Word: lang.L("Activity")}, key: fyne.Key3, make: c.activityScreen},
		{at: placeUsage, bar: frame.Entry{Icon: theme.ChartIcon(), Word: lang.L("Usage")}, key: fyne.Key6, make: c.usageScreen},
		{at: placeSettings, bar: frame.Entry{Icon: base.SettingsIcon(), Word: lang.L("Settings"), Bottom: true}, key: fyne.Key4, make: c.settingsScreen},
		{at: placeFile, key: fyne.Key5, says: lang.L("The text of the configuration file"), make: c.fileScreen, within: placeToolboxes},
		{at: placeWelcome, make: c.welcomeScreen, whole: true},
	}
}

// bar returns the entries of the bar and their places.
func (c *controller) bar() (entries []frame.Entry, places []place) {
	for _, screen := range c.screens() {
		if screen.bar.Word != "" {
			entries, places = append(entries, screen.bar), append(places, screen.at)
		}
	}
	return entries, places
}

// keys returns the keys that show screens and the names of the screens, sorted by key.
func (c *controller) keys() [][2]string {
	var keys [][2]string
	for _, screen := range c.screens() {
		if screen.key != "" {
			keys = append(keys, [2]string{"Ctrl+" + string(screen.key), cmp.Or(screen.says, screen.bar.Word)})
		}
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return cmp.Compare(a[0], b[0]) })
	return keys
}

// choose shows a screen.
func (c *controller) choose(at place) {
	if before := c.current(); before != nil && at != c.at {
		before.Leave()
	}
	var chosen entry
	for _, chosen = range c.screens() {
		if chosen.at == at {
			break
		}
	}
	screen := c.made[at]
	if screen == nil {
		screen = chosen.make()
		c.made[at] = screen
	}
	c.at = at
	screen.Apply(&c.model)
	marked := -1
	_, places := c.bar()
	for i, other := range places {
		if other == at || other == chosen.within {
			marked = i
		}
	}
	c.window.Status.ShowSaved(at != placeFile)
	c.aggregator.WatchCalls(at == placeActivity)
	c.window.Show(marked, screen.Object(), chosen.whole, welcome.HeadHeight)
	screen.Enter()
}

// current returns the screen that is shown.
func (c *controller) current() frame.Screen { return c.made[c.at] }
