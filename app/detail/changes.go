package detail

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/tools"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// readChanges reads the changes of a server's tools from the store. It returns nil if no tool is withheld.
func (t *Detail) readChanges(entry *config.Server, list []status.Tool) *tools.Changes {
	if t.options.Pins == nil || entry == nil || !slices.ContainsFunc(list, func(tool status.Tool) bool {
		return tool.Withheld
	}) {
		return nil
	}
	record, err := t.options.Pins.Load(pin.KeyOf(entry))
	if err != nil || record == nil {
		return nil // the engine may not have written the record yet
	}
	changes := &tools.Changes{Before: record.Version, Now: record.Next, Lost: record.Lost}
	for _, change := range record.Changes() {
		if entry.Allows(change.Tool) || change.Tool == pin.Instructions { // the filter hides the other tools anyway
			changes.List = append(changes.List, change)
		}
	}
	if len(changes.List) == 0 {
		return nil
	}
	return changes
}

// decide stores what the user has decided about changed tools. The engines read the decision from the store.
func (t *Detail) decide(at model.Choice, changes []pin.Change, approved bool) {
	entry := t.options.Model.Entry(at)
	if t.options.Pins == nil || entry == nil {
		return
	}
	t.options.Tasks.After(func() error {
		return t.options.Pins.Decide(t.options.Tasks.Context(), pin.KeyOf(entry), changes, approved)
	}, func(err error) {
		if err != nil {
			t.options.Window.Fail(err)
		}
	})
}
