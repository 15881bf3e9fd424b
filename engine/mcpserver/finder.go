package mcpserver

import (
	"slices"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/find"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// finder has the search index of find_tools. The zero value is empty.
type finder struct {
	mu      sync.Mutex
	analyze find.Analyzer
	read    map[toolbox.ServerID]indexed
	order   []toolbox.Stamp // of the servers in index
	tools   []foundTool     // by document of index
	index   *find.Index
}

type indexed struct {
	stamp toolbox.Stamp
	docs  []find.Doc
	tools []foundTool
}

type foundTool struct {
	id          toolbox.ToolID
	description string
}

// search returns the tools that match a query, the best first.
func (f *finder) search(servers []toolbox.ServerTools, query string) []foundTool {
	f.mu.Lock()
	stamps := make([]toolbox.Stamp, len(servers))
	for i, server := range servers {
		stamps[i] = server.Stamp
	}
	if f.index == nil || !slices.Equal(stamps, f.order) {
		f.update(servers)
		f.order = stamps
	}
	index, tools := f.index, f.tools
	f.mu.Unlock()
	var found []foundTool
	for _, at := range index.Find(query, maxFound) {
		found = append(found, tools[at])
	}
	return found
}

// update makes a new index. Servers whose tools have not changed are not analyzed again.
func (f *finder) update(servers []toolbox.ServerTools) {
	read := make(map[toolbox.ServerID]indexed, len(servers))
	var docs []find.Doc
	f.tools = nil
	for _, server := range servers {
		one, ok := f.read[server.Server]
		if !ok || one.stamp != server.Stamp {
			one = f.indexServer(server)
		}
		read[server.Server] = one
		if len(docs)+len(one.docs) <= maxSearchable {
			docs, f.tools = append(docs, one.docs...), append(f.tools, one.tools...)
		}
	}
	f.read, f.index = read, find.NewIndex(docs)
}

func (f *finder) indexServer(server toolbox.ServerTools) indexed {
	one := indexed{stamp: server.Stamp}
	for _, tool := range server.Tools {
		if downstream.Clean(tool.Name, maxFoundText) != tool.Name {
			continue // too long, or not plain text
		}
		one.docs = append(one.docs, f.analyze.Doc(find.Tool{Toolbox: server.Server.Toolbox, Server: server.Server.Server,
			Name: tool.Name, Title: tool.Title, Description: tool.Description,
			Schema: jsonrpc.Lookup(tool.Definition, "inputSchema")}))
		one.tools = append(one.tools, foundTool{
			toolbox.ToolID{Toolbox: server.Server.Toolbox, Server: server.Server.Server, Tool: tool.Name},
			downstream.Clean(firstSentence(tool.Description), maxFoundText)})
	}
	return one
}
