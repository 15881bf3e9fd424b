package welcome

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// FactsOf returns the facts of a model. usable reports whether any of its servers can probably be started.
func FactsOf(now *model.Model, usable bool) Facts {
	facts := Facts{Known: now.Apps.Known, Sources: now.Apps.Sources, Problem: now.Apps.Problem,
		Servers: now.ServerCount(), Usable: usable, Updates: now.Updates.Allowed}
	for _, found := range now.Apps.Statuses {
		if !found.Installed && found.State == engine.NotConnected {
			continue
		}
		id, guarded := found.Client.ID, found.Client.ByHand != ""
		facts.Apps = append(facts.Apps, App{
			ID: id, Name: found.Client.Name, ByHand: now.Apps.ByHand[id], Guarded: guarded,
			Next:   kit.Words().Texts(found.Client.Next()),
			Linked: found.State == engine.Connected, Problem: kit.Together(kit.Words().Texts(found.Policy)...),
			// the entry of a guarded app may be where Workbench does not look
			Proven: found.Proven() || guarded && startedBy(now, id),
		})
	}
	return facts
}

// startedBy reports whether the app with an ID has started an engine that still runs and that uses the configuration
// of the window.
func startedBy(now *model.Model, id string) bool {
	return slices.ContainsFunc(now.Live.Engines, func(running model.Engine) bool {
		return running.ClientID == id && !running.Initialized.IsZero() && !running.Elsewhere
	})
}
