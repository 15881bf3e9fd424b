package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// stored returns the tools that an earlier run has stored for a server. known is false if there are none or the entry
// waits for approval.
func (ps *pins) stored(ctx context.Context, toolbox string, entry *config.Server) (list storedList, known bool) {
	if ps.store == nil || !ps.approve.allows(ctx, toolbox, entry) {
		return storedList{}, false
	}
	list.key = pin.KeyOf(entry)
	if old, ok := ps.cache.get(list.key); ok && ps.store.Current(list.key, old.record) {
		return old, old.tools != nil
	}
	record, err := ps.store.Load(list.key)
	if err != nil || record == nil || record.Lost {
		return storedList{}, false // the error is reported when the server is started
	}
	texts, whole := record.List()
	list.record, list.whole = record, whole
	list.tools = downstream.ToolsOf(texts, checkDefinition)
	list.withheld = record.Judge(definitions(list.tools), record.LatestVersion(), false).Withheld
	ps.cache.put(list)
	return list, list.tools != nil
}
