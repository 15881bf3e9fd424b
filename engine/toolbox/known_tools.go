package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
)

// ServerTools has the known tools of a server. Its toolbox may be closed.
type ServerTools struct {
	Server ServerID
	// Tools are those that clients may see, in the order of the server. They must not be changed.
	Tools []downstream.Item
	// Stamp changes when Tools change.
	Stamp Stamp
}

// Stamp identifies a version of a server's tools. Stamps can be compared with ==.
type Stamp struct {
	entry    *config.Server
	link     *link
	revision int
	record   *pin.Record
}

// KnownTools returns the known tools of all enabled servers, in the order of the file, and the servers whose tools are
// not known. For servers that do not run, it returns the tools of an earlier run. Filters and pins apply. Entries that
// wait for approval are in neither list.
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

// toolsOfLink returns the tools of a server with a link.
func (ls *Lists) toolsOfLink(at ServerID, server *config.Server) (ServerTools, bool) {
	ls.boxes.mu.Lock()
	defer ls.boxes.mu.Unlock()
	l := ls.boxes.link(at)
	if l == nil || l.tools.known == nil {
		return ServerTools{}, false
	}
	return ServerTools{Server: at, Tools: l.offered(server), Stamp: Stamp{server, l, l.tools.revision, nil}}, true
}

// toolsOfPins returns the tools that an earlier run has stored for a server.
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
