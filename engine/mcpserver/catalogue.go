package mcpserver

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// catalogue determines which toolboxes and tools the client sees, and under which names.
type catalogue struct {
	log     *slog.Logger
	manager *toolbox.Manager
	peer    *peer
	roots   *roots
	forced  config.ToolMode // see [Options.ToolMode]

	// changes is increased when the tools may have changed. An index is valid for one value.
	changes atomic.Uint64
	index   atomic.Pointer[index]
	logged  sync.Map // what was logged already
	broken  sync.Map // the tools whose results lack what their outputSchema promises

	applying sync.Mutex     // serialises applyVisible
	whole    *config.Config // the configuration with all toolboxes
	viewer   viewer         // for which it was filtered
}

// mode returns the current mode.
func (c *catalogue) mode() config.ToolMode {
	return resolveMode(c.forced, c.manager.Config().ToolMode, c.peer.client.Load())
}

// index has the registered tools, which the client sees as tools of its own. In dynamic mode these are the tools of
// open toolboxes, and in both modes those of toolboxes that are always open.
type index struct {
	changes uint64
	list    []toolbox.Listed
	byName  map[string]toolbox.ToolID
	byID    map[toolbox.ToolID]string
	unfit   map[string]bool // names of tools whose outputSchema clients of the initialize era refuse
	output  map[string]bool // names of tools with an outputSchema

	// unlisted are tools that are not in the list, since the client would send their schemas to an AI service that may
	// refuse the request, and all tools with it. They are called with use_tool, in dynamic mode too.
	unlisted map[toolbox.ToolID]bool
}

// registered returns the current index. It makes a new one if something has changed.
func (c *catalogue) registered() *index {
	changes := c.changes.Load() // read first, so that a later change makes the index invalid
	if current := c.index.Load(); current != nil && current.changes == changes {
		return current
	}
	next := &index{changes: changes, byName: map[string]toolbox.ToolID{}, byID: map[toolbox.ToolID]string{},
		unfit: map[string]bool{}, output: map[string]bool{}, unlisted: map[toolbox.ToolID]bool{}}
	registers, mends := c.registering(), c.peer.client.Load().Mends
	if c.peer.client.Load().ID == "" && c.mode() == config.ModeDynamic {
		// The user has chosen this mode for a client that is not in the table, so it gets all tools.
		mends = ^mends
	}
	next.list = slices.DeleteFunc(c.manager.Lists.Tools(c.namer()), func(tool toolbox.Listed) bool {
		return !registers(tool.Server.Toolbox)
	})
	next.list = slices.DeleteFunc(next.list, func(tool toolbox.Listed) bool {
		if tool.Item.Refused&^mends == 0 {
			return false
		}
		id := tool.Tool()
		next.byName[tool.Name], next.unlisted[id] = id, true
		if _, told := c.logged.LoadOrStore(id, true); !told {
			c.log.Warn("A tool is not in the client's list, since AI services refuse every request with such a schema; it "+
				"can be called with use_tool",
				"toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool)
		}
		return true
	})
	for i, tool := range next.list {
		id := tool.Tool()
		if _, broken := c.broken.Load(id); broken {
			tool = withoutOutput(tool)
			next.list[i] = tool
		}
		next.output[tool.Name] = jsonrpc.Lookup(tool.Item.Definition, "outputSchema") != nil
		next.byName[tool.Name] = id
		next.byID[id] = tool.Name
		if err := badOutput(tool.Item.Definition); err != nil {
			next.unfit[tool.Name] = true
			if _, told := c.logged.LoadOrStore(id.On(), true); !told {
				c.log.Warn("A tool is offered without its outputSchema, for which many clients would refuse all tools",
					"toolbox", id.Toolbox, "server", id.Server, "tool", id.Tool, "problem", err)
			}
		}
	}
	for _, tool := range c.manager.Lists.WithheldTools(c.namer()) { // so that a call of one fails with the reason
		if _, taken := next.byName[tool.Name]; !taken && registers(tool.Server.Toolbox) {
			next.byName[tool.Name] = tool.Tool()
		}
	}
	c.index.Store(next)
	return next
}

// registering returns a function that reports whether the tools of a toolbox are registered while it is open.
func (c *catalogue) registering() func(toolbox string) bool {
	cfg, dynamic := c.manager.Config(), c.mode() == config.ModeDynamic
	return func(name string) bool {
		toolbox, ok := cfg.Toolbox(name)
		return dynamic || ok && toolbox.Open
	}
}

// registersAny reports whether any tools of servers can be registered.
func (c *catalogue) registersAny() bool {
	return c.mode() == config.ModeDynamic || alwaysOpen(c.manager.Config())
}

// exposed returns the name of a registered tool, or "" if it is not registered.
func (c *catalogue) exposed(id toolbox.ToolID) string {
	if !c.registersAny() {
		return ""
	}
	return c.registered().byID[id]
}

// namer returns the namer for this client.
func (c *catalogue) namer() *toolbox.Namer {
	cfg := c.manager.Config()
	budget := c.peer.client.Load().NameBudget
	if budget == 0 {
		budget = toolbox.DefaultNameBudget
	}
	return toolbox.NewNamer(cfg, budget, metaToolNames(cfg)...)
}

// target returns the server's tool that a call is for, and the tool's arguments. It reports false if there is none.
func (c *catalogue) target(called string,
	given json.RawMessage) (id toolbox.ToolID, arguments json.RawMessage, ok bool) {
	if name, isMeta := strings.CutPrefix(called, c.manager.Config().MetaToolPrefix); c.mode() == config.ModeDynamic ||
		!isMeta || name != useTool {
		if c.registersAny() {
			id, ok = c.registered().byName[called]
		}
		if !ok && !slices.Contains(metaToolNames(c.manager.Config()), called) {
			id, ok = c.manager.Lists.PageTool(called, c.namer())
		}
		return id, given, ok
	}
	id, arguments, err := parseUseTool(given)
	return id, arguments, err == nil
}

// applyVisible gives the manager the part of cfg that the session may see. If the app or its folders may have changed,
// cfg is nil, and applyVisible uses the last one. It reports whether the session sees other toolboxes than before.
func (c *catalogue) applyVisible(cfg *config.Config) (others bool) {
	c.applying.Lock()
	defer c.applying.Unlock()
	who := viewer{apps: c.peer.appIDs(), folders: c.roots.folders(), lookup: c.viewer.lookup}
	if cfg == nil {
		if cfg = c.whole; slices.Equal(who.apps, c.viewer.apps) && slices.Equal(who.folders, c.viewer.folders) {
			return false
		}
	}
	c.whole, c.viewer = cfg, who
	old, next := c.manager.Config(), who.visible(cfg)
	if old == next {
		return false
	}
	c.manager.SetConfig(next)
	return !slices.EqualFunc(old.Toolboxes, next.Toolboxes, func(a, b *config.Toolbox) bool {
		return a.Name == b.Name && a.Description == b.Description
	})
}

// limitsFolders reports whether a toolbox of the configuration is limited to some folders.
func (c *catalogue) limitsFolders() bool {
	c.applying.Lock()
	defer c.applying.Unlock()
	return slices.ContainsFunc(c.whole.Toolboxes, func(t *config.Toolbox) bool { return t.Folders != nil })
}

// viewer is who sees a configuration: an app, at work in some folders.
type viewer struct {
	apps    []string      // its ids
	folders []string      // in which it works
	lookup  config.Lookup // for the folders of toolboxes
}

// visible returns the part of cfg that a session may see, or cfg itself if that is everything. A toolbox can be
// limited to some apps and to some folders. The manager gets a configuration without the others, so no list, answer
// or error can mention them. An app that is known by several ids must be allowed by all of them. An unknown app sees
// the toolboxes without a limit.
func (v viewer) visible(cfg *config.Config) *config.Config {
	hidden := func(t *config.Toolbox) bool {
		return t.Apps != nil && (len(v.apps) == 0 || slices.ContainsFunc(v.apps, func(id string) bool { return !t.SeenBy(id) })) ||
			!t.SeenIn(v.lookup, v.folders)
	}
	if !slices.ContainsFunc(cfg.Toolboxes, hidden) {
		return cfg
	}
	narrow := *cfg
	narrow.Toolboxes = slices.DeleteFunc(slices.Clone(cfg.Toolboxes), hidden)
	return &narrow
}
