package model

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// App is an AI app that can see toolboxes.
type App struct {
	ID, Name  string
	Connected bool
}

// Seeing returns the names of the connected apps that see a toolbox. seen are the IDs of those that may see it, nil for
// all.
func Seeing(here []App, seen []string) []string {
	var names []string
	for _, app := range here {
		if app.Connected && (seen == nil || slices.Contains(seen, app.ID)) && !slices.Contains(names, app.Name) {
			names = append(names, app.Name)
		}
	}
	return names
}

// Using returns the apps that use the window's configuration now. They may be others than those that Workbench has
// connected, because people also write entries by hand. An app that Workbench does not know has no ID.
func (s *Live) Using() []App {
	var apps []App
	for _, engine := range s.Engines {
		if engine.Own || engine.Elsewhere || engine.Initialized.IsZero() {
			continue
		}
		app := App{Name: engine.Client, Connected: true}
		if at := slices.IndexFunc(client.All(), func(c client.Client) bool { return c.Name == engine.Client }); at >= 0 {
			app.ID = client.All()[at].ID
		}
		apps = append(apps, app)
	}
	return apps
}

// For returns the AI apps to choose from for a toolbox: those on this computer and those that toolboxes name already,
// and those with a token for HTTP.
// Before Workbench has looked for apps, it returns all apps that it knows.
func (a Apps) For(cfg *config.Config) []App {
	var apps []App
	named := func(id string) bool {
		return cfg != nil && slices.ContainsFunc(cfg.Toolboxes, func(t *config.Toolbox) bool {
			return slices.Contains(t.Apps, id)
		})
	}
	for _, c := range client.All() {
		here, connected := false, false
		if at := slices.IndexFunc(a.Statuses, func(s clients.Status) bool { return s.Client.ID == c.ID }); at >= 0 {
			found := a.Statuses[at]
			here = found.Installed || found.State != clients.NotConnected
			connected = found.State == clients.Connected || found.State == clients.Outdated
		}
		if here || !a.Known || named(c.ID) {
			apps = append(apps, App{c.ID, c.Name, connected})
		}
	}
	for _, name := range a.HTTP.Apps {
		if at := slices.IndexFunc(apps, func(app App) bool { return app.ID == name }); at >= 0 {
			apps[at].Connected = true
		} else {
			apps = append(apps, App{name, name, true})
		}
	}
	return apps
}

// ShowTo returns the operations that show a toolbox to an AI app, or hide it. seen are the apps that see it now, nil
// for all. here are the apps to choose from: if all apps see the toolbox and one is excluded, the others have to be
// named.
func ShowTo(toolbox string, seen []string, here []App, id string, on bool) []edit.Op {
	if on && seen == nil || seen != nil && slices.Contains(seen, id) == on {
		return nil
	}
	list := slices.Clone(seen)
	if seen == nil {
		list = appIDs(here)
	}
	if on {
		list = append(list, id)
	} else {
		list = slices.DeleteFunc(list, func(other string) bool { return other == id })
	}
	return appsOf(toolbox, list)
}

// ShowToAll returns the operations that show a toolbox to all AI apps, including later ones, or only to the apps to
// choose from.
func ShowToAll(toolbox string, here []App, on bool) []edit.Op {
	if on {
		return []edit.Op{edit.ClearField{Target: edit.Target{Toolbox: toolbox}, Field: []string{"apps"}}}
	}
	return appsOf(toolbox, appIDs(here))
}

// InFolder returns the operations that show a toolbox in a folder, or no longer there. seen are the folders in which it
// is seen now. Without any, it is seen everywhere.
func InFolder(toolbox string, seen []string, folder string, on bool) []edit.Op {
	if slices.Contains(seen, folder) == on {
		return nil
	}
	list := append(slices.Clone(seen), folder)
	if !on {
		list = slices.DeleteFunc(slices.Clone(seen), func(other string) bool { return other == folder })
	}
	if len(list) == 0 {
		return Everywhere(toolbox)
	}
	return []edit.Op{edit.SetField{Target: edit.Target{Toolbox: toolbox}, Field: []string{"folders"},
		Value: jsonc.Value(list)}}
}

// Everywhere returns the operations that show a toolbox in all folders.
func Everywhere(toolbox string) []edit.Op {
	return []edit.Op{edit.ClearField{Target: edit.Target{Toolbox: toolbox}, Field: []string{"folders"}}}
}

func appsOf(toolbox string, ids []string) []edit.Op {
	if ids == nil {
		ids = []string{}
	}
	return []edit.Op{edit.SetField{Target: edit.Target{Toolbox: toolbox}, Field: []string{"apps"},
		Value: jsonc.Value(ids)}}
}

func appIDs(apps []App) []string {
	var ids []string
	for _, app := range apps {
		ids = append(ids, app.ID)
	}
	return ids
}
