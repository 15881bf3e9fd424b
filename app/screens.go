package app

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// The screens that other code goes to.
const (
	placeToolboxes frame.Place = "toolboxes"
	placeClients   frame.Place = "clients"
	placeActivity  frame.Place = "activity"
	placeUsage     frame.Place = "usage"
	placeSettings  frame.Place = "settings"
	placeFile      frame.Place = "file"
	placeWelcome   frame.Place = "welcome"
)

// screens returns all screens of the window, in the order of the bar.
func (c *controller) screens() []frame.Listed {
	return []frame.Listed{
		{At: placeToolboxes, Bar: frame.Entry{Icon: base.FolderIcon(), Word: lang.L("Toolboxes")}, Key: fyne.Key1, Make: c.toolboxesScreen},
		{At: placeClients, Bar: frame.Entry{Icon: base.ComputerIcon(), Word: lang.L("AI apps")}, Key: fyne.Key2, Make: c.clientsScreen},
		{At: placeActivity, Bar: frame.Entry{Icon: base.HistoryIcon(), Word: lang.L("Activity")}, Key: fyne.Key3, Make: c.activityScreen},
		{At: placeUsage, Bar: frame.Entry{Icon: theme.ChartIcon(), Word: lang.L("Usage")}, Key: fyne.Key6, Make: c.usageScreen},
		{At: placeSettings, Bar: frame.Entry{Icon: base.SettingsIcon(), Word: lang.L("Settings"), Bottom: true}, Key: fyne.Key4, Make: c.settingsScreen},
		{At: placeFile, Key: fyne.Key5, Says: lang.L("The text of the configuration file"), Make: c.fileScreen, Within: placeToolboxes},
		{At: placeWelcome, Make: c.welcomeScreen, Head: welcome.HeadHeight},
	}
}

// moved is called before another screen is shown.
func (c *controller) moved(to frame.Place) {
	c.window.Status.ShowSaved(to != placeFile)
	c.aggregator.WatchCalls(to == placeActivity)
}
