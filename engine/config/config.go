package config

import (
	"slices"
	"time"
)

// ToolMode says how a client calls downstream tools (contract.md, section 4).
type ToolMode string

// The tool modes.
const (
	ModeAuto    ToolMode = "auto"    // dynamic for clients known to follow changes of the list of tools, else proxy
	ModeProxy   ToolMode = "proxy"   // tools are called through use_tool
	ModeDynamic ToolMode = "dynamic" // tools are registered one by one
)

// Transport is how a downstream server is reached.
type Transport string

// The transports, as a Config spells them. The file may spell them differently.
const (
	TransportStdio Transport = "stdio"
	TransportHTTP  Transport = "http" // streamable HTTP
	TransportSSE   Transport = "sse"
)

// Config is the content of a workbench-config.json. A parsed Config is shared and must not be changed.
type Config struct {
	// ToolMode is never empty after parsing; the default is [ModeAuto].
	ToolMode ToolMode

	// MetaToolPrefix is put before the names of the meta-tools. The default is empty.
	MetaToolPrefix string

	// Search adds a fourth meta-tool, which searches the tools of all toolboxes.
	Search bool

	// Toolboxes are in the order of the file, with unique names.
	Toolboxes []*Toolbox
}

// Toolbox returns the toolbox with exactly this name.
func (c *Config) Toolbox(name string) (*Toolbox, bool) {
	for _, t := range c.Toolboxes {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Toolbox is a named group of downstream servers that are opened and closed together.
type Toolbox struct {
	Name        string
	Description string // as in the file; empty if absent

	// AskFirst sets [Server.AskFirst] for all servers of the toolbox.
	AskFirst bool

	// Open shows the tools to clients from the first request. If a server's tools are known, it still starts
	// only on first use.
	Open bool

	// Apps are the ids of the AI apps that see the toolbox, sorted. Nil means all apps; empty but not nil
	// means none. Use [Toolbox.SeenBy].
	Apps []string

	// Folders are the folders that a session must work in to see the toolbox, sorted. Nil means everywhere; empty but
	// not nil means nowhere. Use [Toolbox.SeenIn].
	Folders []string

	// Servers are in the order of the file, including disabled ones, with unique names.
	Servers []*Server
}

// Server returns the server with exactly this name, disabled or not.
func (t *Toolbox) Server(name string) (*Server, bool) {
	for _, s := range t.Servers {
		if s.Name == name {
			return s, true
		}
	}
	return nil, false
}

// Enabled returns the servers that are not disabled, in the order of the file.
func (t *Toolbox) Enabled() []*Server {
	enabled := make([]*Server, 0, len(t.Servers))
	for _, s := range t.Servers {
		if !s.Disabled {
			enabled = append(enabled, s)
		}
	}
	return enabled
}

// SeenBy reports whether an AI app sees the toolbox. id is the app's id in the table of clients, or "" for an
// unknown app.
func (t *Toolbox) SeenBy(id string) bool { return t.Apps == nil || slices.Contains(t.Apps, id) }

// Limits says who sees a toolbox, as [Toolbox.Apps] and [Toolbox.Folders] do.
type Limits struct {
	Apps    []string `json:",omitempty"`
	Folders []string `json:",omitempty"`
}

// Variable is a name with its value: an environment variable of a server or one of its HTTP headers.
type Variable struct {
	Name, Value string
}

// Server is one entry of "mcpServers". Its strings may contain references such as ${HOME} until
// [Server.Expand] replaces them.
type Server struct {
	Name      string
	Transport Transport

	Command    string // stdio only, as are Args, Env, InheritEnv and Cwd
	Args       []string
	Env        []Variable // added to what the server inherits
	InheritEnv bool       // inherits the engine's whole environment, not only the variables that programs need
	Cwd        string     // if empty, the engine's own folder

	URL     string // http and sse only, as are Headers and OAuth
	Headers []Variable
	OAuth   *OAuth // nil if the entry has no such field

	// ToolFilters are the names of the tools that clients may see. Nil means all tools; empty but not nil
	// means none. Use [Server.Allows].
	ToolFilters []string

	Disabled bool

	// TrustToolChanges accepts tools whose definitions change. Otherwise changed tools are withheld until a
	// person approves them.
	TrustToolChanges bool

	// AskFirst makes each call of a tool wait until a person allows it, except for tools that declare
	// themselves read-only. It is also set if the toolbox sets it, so that an entry shows everything that an
	// approval covers.
	AskFirst bool

	// Share says whether several AI apps use one process of the server; see package pool. Nil means that Workbench
	// decides; see [Server.State]. Only servers with the transport stdio have it.
	Share *bool

	// Limits is a copy of what the toolbox says about who sees it, so that an approval covers that, too.
	Limits Limits `json:",omitzero"`

	// StartupTimeout limits the handshake, CallTimeout each call. Nil means not set; 0 means no limit.
	StartupTimeout, CallTimeout *time.Duration

	fromKeychain []string // see FromKeychain
}

// FromKeychain returns the values that [Server.Expand] took from the keychain. Each is a secret, whatever the
// field is called in which it stands.
func (s *Server) FromKeychain() []string { return s.fromKeychain }

// Allows reports whether clients may see and call the tool with this name.
func (s *Server) Allows(tool string) bool {
	return s.ToolFilters == nil || slices.Contains(s.ToolFilters, "*") || slices.Contains(s.ToolFilters, tool)
}

// OAuth says how the user has registered Workbench with the sign-in service of a remote server.
type OAuth struct {
	ClientID, ClientSecret string
	Scope                  string // the scopes to request, separated by spaces; if empty, those that the server wants
	CallbackPort           int    // the local port that the browser returns to; 0 means any
}

// ID returns the client ID, or "" if there is none. The receiver may be nil.
func (o *OAuth) ID() string {
	if o == nil {
		return ""
	}
	return o.ClientID
}
