package workbench

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/pause"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// index finds the registered tools by their names. In dynamic mode these are the tools of open toolboxes; in both modes they include
// the tools of toolboxes that are always open.
type index struct {
	changes uint64
	list    []toolbox.Listed
	byName  map[string]toolbox.ToolID
	byID    map[toolbox.ToolID]string
	unfit   map[string]bool // those whose outputSchema clients of the initialize era don't take

	// kept are tools that are not in the list, since the client would send their schemas to an AI service that may refuse
	// the request, and all tools with it. They are called with use_tool, in dynamic mode too.
	kept map[toolbox.ToolID]bool
}

// mode returns the mode in force for this client and configuration.
func (s *Server) mode() config.ToolMode {
	return resolveMode(s.options.ToolMode, s.manager.Config().ToolMode, s.client.Load())
}

// registered returns the current index, made anew when something has changed since.
func (s *Server) registered() *index {
	changes := s.changes.Load() // before looking, so that a change meanwhile makes the index stale
	if current := s.index.Load(); current != nil && current.changes == changes {
		return current
	}
	next := &index{changes: changes, byName: map[string]toolbox.ToolID{}, byID: map[toolbox.ToolID]string{}, unfit: map[string]bool{}, kept: map[toolbox.ToolID]bool{}}
	registers, mends := s.registering(), s.client.Load().Mends
	if s.client.Load().ID == "" && s.mode() == config.ModeDynamic {
		// A client that is not in the table has this mode only since the user has asked for it: then it gets every tool.
		mends = ^mends
	}
	next.list = slices.DeleteFunc(s.manager.ListTools(s.namer()), func(tool toolbox.Listed) bool { return !registers(tool.Server.Toolbox) })
	next.list = slices.DeleteFunc(next.list, func(tool toolbox.Listed) bool {
		if tool.Item.Refused&^mends == 0 {
			return false
		}
		id := tool.Tool()
		next.byName[tool.Name], next.kept[id] = id, true
		if _, told := s.toldUnfit.LoadOrStore(id, true); !told {
			s.log.Warn("A tool is not in the client's list, since AI services refuse every request with such a schema; it can be called with use_tool",
				"toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool)
		}
		return true
	})
	for _, tool := range next.list {
		id := tool.Tool()
		next.byName[tool.Name] = id
		next.byID[id] = tool.Name
		if err := badOutput(tool.Item.Definition); err != nil {
			next.unfit[tool.Name] = true
			if _, told := s.toldUnfit.LoadOrStore(id.On(), true); !told {
				s.log.Warn("A tool is offered without its outputSchema, for which many clients would refuse all tools",
					"toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool, "problem", err)
			}
		}
	}
	for _, tool := range s.manager.WithheldTools(s.namer()) { // a call of one is told why it fails
		if _, taken := next.byName[tool.Name]; !taken && registers(tool.Server.Toolbox) {
			next.byName[tool.Name] = tool.Tool()
		}
	}
	s.index.Store(next)
	return next
}

// registering returns a function that reports whether the tools of a toolbox are registered when it is open.
func (s *Server) registering() func(toolbox string) bool {
	cfg, dynamic := s.manager.Config(), s.mode() == config.ModeDynamic
	return func(name string) bool {
		toolbox, ok := cfg.Toolbox(name)
		return dynamic || ok && toolbox.Open
	}
}

// registersAny reports whether any tools of servers can be registered.
func (s *Server) registersAny() bool {
	return s.mode() == config.ModeDynamic || alwaysOpen(s.manager.Config())
}

// alwaysOpen reports whether there is a toolbox that is always open.
func alwaysOpen(cfg *config.Config) bool {
	return slices.ContainsFunc(cfg.Toolboxes, func(t *config.Toolbox) bool { return t.Open })
}

// exposed returns the name under which the client sees a tool among its tools, "" when it does not.
func (s *Server) exposed(id toolbox.ToolID) string {
	if !s.registersAny() {
		return ""
	}
	return s.registered().byID[id]
}

// openPatience is how long the first list of tools waits for servers of always open toolboxes whose tools are not known, because not
// every client asks again. A client with less patience gets the tools that are known by then.
const openPatience = 5 * time.Second

// awaitOpen has the toolboxes that are always open kept open. The first time, it waits for their servers.
func (s *Server) awaitOpen(ctx context.Context) {
	s.opening.Add(1) // one announcement for all
	defer s.opening.Add(-1)
	s.manager.KeepOpen(ctx)
	s.manager.AwaitOpen(ctx, s.patience())
	s.keeping.Store(true)
}

// mustAwaitOpen reports whether a request is to wait for [Server.awaitOpen].
func (s *Server) mustAwaitOpen() bool {
	return !s.keeping.Load() && alwaysOpen(s.manager.Config())
}

// awaitLists has the servers of toolboxes that are always open started which have lists of a capability, and waits
// for them, once in a session. Otherwise the first lists would lack their prompts and resources.
func (s *Server) awaitLists(ctx context.Context, capability string) {
	if !alwaysOpen(s.manager.Config()) {
		return
	}
	if _, done := s.roused.LoadOrStore(capability, true); done {
		return
	}
	if s.mustAwaitOpen() {
		s.awaitOpen(ctx)
	}
	s.opening.Add(1)
	s.manager.Rouse(capability)
	s.manager.AwaitOpen(ctx, s.patience())
	s.opening.Add(-1)
	s.knock()
}

// patience is how long the first lists wait for servers.
func (s *Server) patience() time.Duration {
	if c := s.client.Load(); c.Patience > 0 {
		return c.Patience
	}
	return openPatience
}

// listTools answers tools/list: everything on one page, since not every client asks for a second.
func (s *Server) listTools(ctx context.Context, r *request) {
	era := eraOf(r.params)
	if r.refuseEra(era) {
		return
	}
	s.greetModern(era)
	if s.mustAwaitOpen() {
		s.awaitOpen(ctx)
	}
	tools, change := s.markAnnounced(era.modern)
	result := append([]byte(`{"tools":`), tools...)
	if era.modern {
		result = append(result, `,"resultType":"complete","ttlMs":0,"cacheScope":"private","_meta":`...)
		result = s.appendServerMeta(result, nil)
	}
	r.result(append(result, '}'))
	s.hold.give(change)
}

// toolList is the array that tools/list answers with; modern says whether it is for a client of protocol version 2026-07-28
// or later.
func (s *Server) toolList(modern bool) []byte {
	cfg, mode := s.manager.Config(), s.mode()
	list := s.newList()
	for _, tool := range metaTools(cfg, mode) {
		list.add(encoded(tool))
	}
	if s.registersAny() {
		current := s.registered()
		for _, tool := range current.list {
			if !modern && current.unfit[tool.Name] {
				tool = withoutOutput(tool)
			}
			list.add(appendRegistered(nil, tool))
		}
		if mode == config.ModeDynamic && len(current.kept) > 0 {
			list.add(encoded(useToolDefinition(cfg)))
		}
	}
	return list.done(s, downstream.Tools)
}

// appendRegistered appends a downstream tool's definition under its dynamic name: everything as the
// server sent it but for the name, the description's beginning and the origin in _meta
// (contract.md, section 4).
func appendRegistered(dst []byte, tool toolbox.Listed) []byte {
	members := jsonrpc.Split(tool.Item.Definition)
	origin := "[" + tool.Server.Toolbox + "/" + tool.Server.Server + "] "
	meta := jsonrpc.Split(toolbox.OwnPages(tool.Server, member(members, "_meta")))
	members = jsonrpc.With(members, "name", jsonrpc.AppendString(nil, tool.Name))
	members = jsonrpc.With(members, "description", jsonrpc.AppendString(nil, origin+tool.Item.Description))
	members = jsonrpc.With(members, "_meta", jsonrpc.AppendObject(nil, jsonrpc.With(meta, metaOrigin, appendOrigin(nil, tool.Server, "tool", tool.Item.Name))))
	return jsonrpc.AppendObject(dst, members)
}

// metaOrigin is the member of _meta that tells where a tool of dynamic mode comes from.
const metaOrigin = "workbench/tool"

// appendOrigin appends the origin of a thing. kind says what the thing is, such as "tool"; name is the server's name for it.
func appendOrigin(dst []byte, server toolbox.ServerID, kind, name string) []byte {
	dst = append(dst, `{"toolbox":`...)
	dst = jsonrpc.AppendString(dst, server.Toolbox)
	dst = append(dst, `,"server":`...)
	dst = jsonrpc.AppendString(dst, server.Server)
	dst = append(jsonrpc.AppendString(append(dst, ','), kind), ':')
	dst = jsonrpc.AppendString(dst, name)
	return append(dst, '}')
}

// listChanged is called by the manager, from its goroutines.
func (s *Server) listChanged(kind downstream.Kind) {
	if kind == downstream.Tools {
		s.changes.Add(1)
	} else {
		s.others.Or(1 << kind)
	}
	s.knock()
}

// knock wakes the announcer.
func (s *Server) knock() {
	pause.Wake(s.announceCh)
}

// announcer tells the client of changes, those that come together once.
func (s *Server) announcer(ctx context.Context) {
	status, cancel := s.manager.Subscribe()
	defer cancel()
	for {
		select {
		case <-ctx.Done():
			return
		case <-status:
			s.checkOwn()
			continue
		case <-s.announceCh:
		}
		if ctx.Err() != nil {
			return // the tools go with the session, which is no change
		}
		if s.opening.Load() == 0 { // otherwise the opening announces when it is done
			s.announce()
		}
		s.tellUpdates()
		pause := time.NewTimer(updatePause)
		select {
		case <-ctx.Done():
		case <-pause.C:
		}
		pause.Stop()
	}
}

// markAnnounced returns the tool list and takes it as known to the client. change is for [hold.give], once it was written.
func (s *Server) markAnnounced(modern bool) (list []byte, change uint64) {
	s.announceMu.Lock()
	defer s.announceMu.Unlock()
	list = s.toolList(modern)
	s.announced, s.modernList = sha256.Sum256(list), modern
	return list, s.hold.current()
}

// announce sends a list_changed for each kind of list that has changed since the client got it.
func (s *Server) announce() {
	s.announceMu.Lock()
	defer s.announceMu.Unlock()
	notices := map[string]bool{} // two kinds have the same
	others := s.others.Swap(0)
	for kind := range downstream.Kinds {
		notice := kind.List().Notice
		if others&(1<<kind) != 0 && !notices[notice] {
			notices[notice] = true
			s.notify(notice, nil, func(one *stream) bool { return one.kinds[kind] })
		}
	}
	sum := sha256.Sum256(s.toolList(s.modernList))
	if sum == s.announced || s.lifetime.Err() != nil { // the end of the session takes the tools away, which is no change
		return
	}
	// The engine never speaks first, and since 2026-07-28 only to clients that asked for it.
	if !s.isFollowed(downstream.Tools) {
		return
	}
	s.announced = sum
	s.hold.tell()
	s.notify(downstream.Tools.List().Notice, nil, func(one *stream) bool { return one.kinds[downstream.Tools] })
}

// isFollowed reports whether the client wants to be told of changes of a list.
func (s *Server) isFollowed(kind downstream.Kind) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.streams {
		if one.kinds[kind] {
			return true
		}
	}
	return false
}
