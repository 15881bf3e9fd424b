package config

import (
	"slices"
	"time"
)

// ToolMode says how a client gets at downstream tools (contract.md, section 4).
type ToolMode string

// The tool modes.
const (
	ModeAuto    ToolMode = "auto"    // dynamic for clients known to follow list changes, else proxy
	ModeProxy   ToolMode = "proxy"   // tools are called through use_tool
	ModeDynamic ToolMode = "dynamic" // tools are registered one by one
)

// Transport is how a downstream server is reached.
type Transport string

// The transports, in the spelling that a Config uses whatever the file says.
const (
	TransportStdio Transport = "stdio"
	TransportHTTP  Transport = "http" // streamable HTTP
	TransportSSE   Transport = "sse"
)

// Config is what a workbench-config.json says. Once parsed it is shared and must not be changed.
type Config struct {
	// ToolMode is never empty after parsing; the default is [ModeAuto].
	ToolMode ToolMode

	// MetaToolPrefix stands before the names of the meta-tools. Empty by default.
	MetaToolPrefix string

	// Search offers clients a fourth meta-tool, which finds tools in all toolboxes.
	Search bool

	// Toolboxes are in the order of the file, and their names differ.
	Toolboxes []*Toolbox
}

// Toolbox returns the toolbox of that exact name.
func (c *Config) Toolbox(name string) (*Toolbox, bool) {
	for _, t := range c.Toolboxes {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Toolbox is a named group of downstream servers that is opened and closed as one.
type Toolbox struct {
	Name        string
	Description string // as configured; empty when absent

	// AskFirst sets [Server.AskFirst] for all servers of the toolbox.
	AskFirst bool

	// Open has clients see the tools from the first request. The servers still start on first use where their tools are known.
	Open bool

	// Apps are the ids of the AI apps that see the toolbox, sorted. Nil means all of them; empty but not nil means none. Use [Toolbox.SeenBy].
	Apps []string

	// Servers are in the order of the file, disabled ones included, and their names differ.
	Servers []*Server
}

// Server returns the server of that exact name, disabled or not.
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

// SeenBy reports whether an AI app sees the toolbox. id is that of the table of clients, "" for one that is not known.
func (t *Toolbox) SeenBy(id string) bool { return t.Apps == nil || slices.Contains(t.Apps, id) }

// Variable is a name with its value: one of a server's environment or one of its HTTP headers.
type Variable struct {
	Name, Value string
}

// Server is one entry of "mcpServers". Its strings may hold references such as ${HOME} until
// [Server.Expand] has replaced them.
type Server struct {
	Name      string
	Transport Transport

	Command    string // stdio only, as are Args, Env, InheritEnv and Cwd
	Args       []string
	Env        []Variable // added to what the server inherits
	InheritEnv bool       // it inherits the engine's whole environment, and not only what programs need
	Cwd        string     // empty: the engine's own folder

	URL     string // http and sse only, as are Headers and OAuth
	Headers []Variable
	OAuth   *OAuth // nil: nothing is said about signing in

	// ToolFilters are the names of the tools that clients may see. Nil means all of them; empty but
	// not nil means none. Use [Server.Allows].
	ToolFilters []string

	Disabled bool

	// TrustToolChanges has tools that change taken up. Else they are withheld until a person approves them.
	TrustToolChanges bool

	// AskFirst makes each call of a tool that does not say that it only reads wait for the person to allow it. It is also
	// set when the toolbox has it, so that an entry tells all that an approval covers.
	AskFirst bool

	// Apps are those of the toolbox, for the same reason.
	Apps []string `json:",omitempty"`

	// StartupTimeout limits the handshake and CallTimeout each call. Nil means not set, 0 no limit.
	StartupTimeout, CallTimeout *time.Duration
}

// Allows reports whether clients may see and call the tool of that name.
func (s *Server) Allows(tool string) bool {
	return s.ToolFilters == nil || slices.Contains(s.ToolFilters, "*") || slices.Contains(s.ToolFilters, tool)
}

// OAuth is how the user has registered Workbench with the sign-in service of a remote server.
type OAuth struct {
	ClientID, ClientSecret string
	Scope                  string // what to ask for, with spaces between; empty: what the server wants
	CallbackPort           int    // of this computer, which the browser comes back to; 0: any
}

// ID returns the client ID, "" when there is none. The receiver may be nil.
func (o *OAuth) ID() string {
	if o == nil {
		return ""
	}
	return o.ClientID
}
