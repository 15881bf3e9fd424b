package app

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/finder"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// ofFinder knows everything that there is in the window, and goes there or does it.
type ofFinder struct{ *controller }

var _ finder.Program = ofFinder{}

// find shows the field that finds everything.
func (c *controller) find() { c.findAgain("") }

// findAgain shows it with what the user has typed before.
func (c *controller) findAgain(typed string) {
	dialog := finder.New(ofFinder{c}, c.window.Window, typed)
	dialog.SetAgain(func() { c.findAgain(dialog.Typed()) })
	c.window.ShowDialog(dialog)
	dialog.Focus()
}

// Things returns what there is: what the program does, its screens and settings, and what is the user's.
func (p ofFinder) Things() []finder.Thing {
	deed := func(id, name, english string) finder.Thing {
		return finder.Thing{Kind: finder.Deed, Name: name, English: english, ID: id}
	}
	things := []finder.Thing{deed("add", lang.L("Add a server"), "Add server"),
		deed("toolbox", lang.L("New toolbox"), "New toolbox"), deed("check", lang.L("Check my computer"), "Check my computer"),
		deed("undo", lang.L("Undo"), "Undo"), deed("keys", lang.L("Keyboard"), "Keyboard")}
	if p.now.Live.Paused {
		things = append(things, deed("resume", lang.L("Resume"), "Resume"))
	} else {
		things = append(things, deed("pause", lang.L("Pause all"), "Pause all"))
	}
	place := func(at frame.Place, name, english string) {
		things = append(things, finder.Thing{Kind: finder.Place, Name: name, English: english, ID: string(at)})
	}
	place(placeToolboxes, lang.L("Toolboxes"), "Toolboxes")
	place(placeClients, lang.L("AI apps"), "AI apps")
	place(placeActivity, lang.L("Activity"), "Activity")
	place(placeUsage, lang.L("Usage"), "Usage")
	place(placeSettings, lang.L("Settings"), "Settings")
	place(placeFile, lang.L("The text of the configuration file"), "The text of the configuration file")
	setting := func(section settings.Section, name, english string) {
		things = append(things, finder.Thing{Kind: finder.Setting, Name: name, English: english, Note: lang.L("Settings"),
			ID: strconv.Itoa(int(section))})
	}
	setting(settings.SectionGeneral, lang.L("General"), "General")
	setting(settings.SectionGeneral, lang.L("Theme"), "Theme: light, dark")
	setting(settings.SectionGeneral, lang.L("Language"), "Language")
	setting(settings.SectionGeneral, lang.L("Start at login"), "Start at login")
	setting(settings.SectionGeneral, lang.L("Notifications"), "Notifications")
	setting(settings.SectionAdvanced, lang.L("How AI apps get your tools"), "How AI apps get your tools")
	setting(settings.SectionSecrets, lang.L("Secrets"), "Secrets")
	setting(settings.SectionDoctor, lang.L("Your computer"), "Your computer")
	setting(settings.SectionAbout, lang.L("About"), "About")
	for _, app := range p.model.Apps.Statuses {
		if app.Installed || app.State != clients.NotConnected {
			things = append(things, finder.Thing{Kind: finder.App, Name: app.Client.Name, Note: lang.L("AI apps"),
				ID: app.Client.ID})
		}
	}
	return append(things, p.own()...)
}

// own returns the toolboxes, servers and tools of the user.
func (p ofFinder) own() []finder.Thing {
	var things []finder.Thing
	for _, toolbox := range p.now.view.Toolboxes {
		things = append(things, finder.Thing{Kind: finder.Toolbox, Name: toolbox.Name,
			Note: toolbox.Description, At: model.Choice{Toolbox: toolbox.Name}})
		for _, server := range toolbox.Servers {
			things = append(things, finder.Thing{Kind: finder.Server, Name: server.Name, Note: kit.Facts(toolbox.Name, server.Word),
				At: model.Choice{Toolbox: toolbox.Name, Server: server.Name}})
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(p.now.Lists), func(a, b model.Choice) int {
		return cmp.Or(cmp.Compare(a.Toolbox, b.Toolbox), cmp.Compare(a.Server, b.Server))
	}) {
		for _, tool := range p.now.Lists[at].List {
			things = append(things, finder.Thing{Kind: finder.Tool, Name: tryit.Define(tool.Definition).Called(tool.Name),
				English: tool.Name, Note: kit.Way(at.Toolbox, at.Server), At: at, ID: tool.Name})
		}
	}
	return things
}

// Choose goes to a thing or does it.
func (p ofFinder) Choose(thing finder.Thing) {
	switch thing.Kind {
	case finder.Deed:
		p.do(thing.ID)
	case finder.Place:
		p.places.Choose(frame.Place(thing.ID))
	case finder.Setting:
		p.places.Choose(placeSettings)
		section, _ := strconv.Atoi(thing.ID)
		p.settings.Show(settings.Section(section))
	case finder.App:
		p.places.Choose(placeClients)
	case finder.Tool:
		p.showTab(thing.At, model.TabTools)
		p.detail.Tools.Open(thing.ID)
	default:
		p.showServer(thing.At)
	}
}

func (p ofFinder) do(deed string) {
	switch deed {
	case "add":
		p.addHere()
	case "toolbox":
		p.places.Choose(placeToolboxes)
		p.toolboxes.NewToolbox()
	case "check":
		ofToolboxes(p).ShowComputer()
		p.computer.Check()
	case "undo":
		p.undo()
	case "keys":
		p.window.ShowKeys()
	case "pause":
		p.pause(true)
	case "resume":
		p.pause(false)
	}
}
