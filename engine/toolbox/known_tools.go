package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// ServerTools has the known tools of one server, whether its toolbox is open or not.
type ServerTools struct {
	Server ServerID
	// Tools are those that clients may see, in the order of the server. They must not be changed.
	Tools []downstream.Item
	// Stamp is another one when Tools are others. Stamps can be compared.
	Stamp Stamp
}

// Stamp tells the lists of a server apart.
type Stamp struct {
	entry    *config.Server
	link     *link
	revision int
	record   *pin.Record
}

// KnownTools returns the known tools of all enabled servers, in the order of the file, and the servers whose tools are
// not known. For servers that do not run, it returns the tools of an earlier run. Filters and pins apply. An entry
// that waits for approval is in neither list.
func (ls *Lists) KnownTools(ctx context.Context) (known []ServerTools, unknown []ServerID) {
	cfg := ls.boxes.configuration()
	for _, toolbox := range cfg.Toolboxes {
		for _, server := range toolbox.Enabled() {
			at := ServerID{toolbox.Name, server.Name}
			list, ok := ls.toolsOfLink(at, server)
			if !ok {
				list, ok = ls.toolsOfPins(ctx, at, server)
			}
			switch {
			case ok:
				known = append(known, list)
			case ls.pins.approve.allows(ctx, toolbox.Name, server):
				unknown = append(unknown, at)
			}
		}
	}
	return known, unknown
}

// toolsOfLink returns what a server of an open toolbox has.
func (ls *Lists) toolsOfLink(at ServerID, server *config.Server) (ServerTools, bool) {
	ls.boxes.mu.Lock()
	defer ls.boxes.mu.Unlock()
	l := ls.boxes.link(at)
	if l == nil || l.tools.known == nil {
		return ServerTools{}, false
	}
	return ServerTools{Server: at, Tools: l.offered(server), Stamp: Stamp{server, l, l.tools.revision, nil}}, true
}

// toolsOfPins returns what a server that does not run had in an earlier run.
func (ls *Lists) toolsOfPins(ctx context.Context, at ServerID, server *config.Server) (ServerTools, bool) {
	list, ok := ls.pins.stored(ctx, at.Toolbox, server)
	if !ok {
		return ServerTools{}, false
	}
	known := ServerTools{Server: at, Stamp: Stamp{server, nil, 0, list.record}}
	for _, tool := range list.tools {
		if _, withheld := list.withheld[tool.Name]; (!withheld || server.TrustToolChanges) && server.Allows(tool.Name) {
			known.Tools = append(known.Tools, tool)
		}
	}
	return known, true
}
