package config

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind is the kind of a field's value.
type Kind int

// The kinds of fields. References such as ${HOME} are expanded in the first three.
const (
	KindText      Kind = iota // string
	KindTexts                 // []string
	KindVariables             // []Variable
	KindNames                 // []string without references
	KindTransport             // Transport
	KindSwitch                // bool, or *bool if it matters whether it is set
	KindSeconds               // *time.Duration
	KindInteger               // int
	KindGroup                 // fields of its own
)

// expands reports whether references in the values are expanded.
func (k Kind) expands() bool { return k <= KindVariables }

// Field is one member of a server's entry. All code that reads, checks, orders, writes or shows entries uses
// [ServerFields]. To add a field, add a row to that table, a field to [Server], and the code for its effect.
type Field struct {
	Name string
	Kind Kind

	// For is the kind of server that has the field: TransportStdio for programs, TransportHTTP for all
	// servers on the network, "" for both.
	For Transport

	Secret  bool // its values may be secret
	Restart bool // a change of the value restarts a running server
	// NeedsApproval is set if the field affects what runs. A value that another program has written then waits for a
	// person's approval, see package approval.
	NeedsApproval bool

	// Others are the names that other clients use for it, in lower case.
	Others []string

	Default  string     // as JSON; "" if it depends on other things
	Examples []string   // as JSON; the first is shown first
	About    words.Code // what the field is for
	Write    words.Code // what to write, for hints

	Min, Max int // for an integer

	// Members are the fields of a group.
	Members []Field

	of func(*Server) any // returns a pointer to the value
}

var serverFields = []Field{
	{Name: "transport", Kind: KindTransport, Restart: true, NeedsApproval: true,
		Examples: []string{`"stdio"`, `"http"`, `"sse"`}, Write: "config.transport.write",
		About: "config.transport.about",
		of:    func(s *Server) any { return &s.Transport }},
	{Name: "type", Kind: KindTransport, Restart: true,
		Examples: []string{`"stdio"`, `"http"`, `"sse"`}, Write: "config.transport.write",
		About: "config.type.about",
		of:    func(s *Server) any { return &s.Transport }},
	{Name: "command", Kind: KindText, For: TransportStdio, Restart: true, NeedsApproval: true,
		Others:   []string{"cmd", "program", "executable", "exec"},
		Examples: []string{`"npx"`, `"uvx"`, `"docker"`}, Write: "config.command.write",
		About: "config.command.about",
		of:    func(s *Server) any { return &s.Command }},
	{Name: "args", Kind: KindTexts, For: TransportStdio, Restart: true, NeedsApproval: true,
		Others:   []string{"arguments", "argv"},
		Examples: []string{`["-y","@modelcontextprotocol/server-filesystem","${HOME}"]`},
		Write:    "config.args.write",
		About:    "config.args.about",
		of:       func(s *Server) any { return &s.Args }},
	{Name: "env", Kind: KindVariables, For: TransportStdio, Secret: true, Restart: true, NeedsApproval: true,
		Others:   []string{"environment", "enviroment", "envs", "envvars"},
		Examples: []string{`{"TOKEN":"${keyring:github}"}`}, Write: "config.env.write",
		About: "config.env.about",
		of:    func(s *Server) any { return &s.Env }},
	{Name: "inheritEnv", Kind: KindSwitch, For: TransportStdio, Restart: true, NeedsApproval: true, Default: "false",
		Others: []string{"inherit_env", "inheritenvironment", "inheritenvvars", "passenv"},
		Write:  "config.inheritenv.write",
		About:  "config.inheritenv.about",
		of:     func(s *Server) any { return &s.InheritEnv }},
	{Name: "cwd", Kind: KindText, For: TransportStdio, Restart: true, NeedsApproval: true,
		Others:   []string{"workingdirectory", "working_directory", "workdir", "dir", "directory"},
		Examples: []string{`"${HOME}/projects"`}, Write: "config.cwd.write",
		About: "config.cwd.about",
		of:    func(s *Server) any { return &s.Cwd }},
	{Name: "url", Kind: KindText, For: TransportHTTP, Restart: true, NeedsApproval: true,
		Others:   []string{"serverurl", "httpurl", "endpoint", "uri", "address"},
		Examples: []string{`"https://example.com/mcp"`}, Write: "config.url.write",
		About: "config.url.about",
		of:    func(s *Server) any { return &s.URL }},
	{Name: "headers", Kind: KindVariables, For: TransportHTTP, Secret: true, Restart: true, NeedsApproval: true,
		Others:   []string{"http_headers", "requestheaders"},
		Examples: []string{`{"Authorization":"Bearer ${API_KEY}"}`}, Write: "config.headers.write",
		About: "config.headers.about",
		of:    func(s *Server) any { return &s.Headers }},
	{Name: "oauth", Kind: KindGroup, For: TransportHTTP, Restart: true, NeedsApproval: true,
		Examples: []string{`{"clientId":"workbench-of-our-team","clientSecret":"${keyring:far clientSecret}","callbackPort":8080}`},
		Write:    "config.oauth.write",
		About:    "config.oauth.about",
		Members:  oauthFields,
		of:       func(s *Server) any { return &s.OAuth }},
	{Name: "toolFilters", Kind: KindNames,
		Others:   []string{"tools", "includetools", "allowedtools", "enabledtools", "enabled_tools", "toolfilter"},
		Examples: []string{`["*"]`, `["read_file","list_files"]`},
		Write:    "config.toolfilters.write",
		About:    "config.toolfilters.about",
		of:       func(s *Server) any { return &s.ToolFilters }},
	{Name: "disabled", Kind: KindSwitch, Default: "false", Write: "config.disabled.write",
		About: "config.disabled.about",
		of:    func(s *Server) any { return &s.Disabled }},
	{Name: "trustToolChanges", Kind: KindSwitch, Restart: true, NeedsApproval: true, Default: "false",
		Write: "config.trusttoolchanges.write",
		About: "config.trusttoolchanges.about",
		of:    func(s *Server) any { return &s.TrustToolChanges }},
	{Name: "askFirst", Kind: KindSwitch, NeedsApproval: true, Default: "false", Write: "config.askfirst.write",
		About: "config.askfirst.about",
		of:    func(s *Server) any { return &s.AskFirst }},
	{Name: "share", Kind: KindSwitch, For: TransportStdio, Restart: true, NeedsApproval: true, Write: "config.share.write",
		Examples: []string{"true", "false"},
		About:    "config.share.about",
		of:       func(s *Server) any { return &s.Share }},
	{Name: "startupTimeout", Kind: KindSeconds, Restart: true,
		Others:   []string{"startup_timeout_sec"},
		Examples: []string{"30"}, Write: "config.startuptimeout.write",
		About: "config.startuptimeout.about",
		of:    func(s *Server) any { return &s.StartupTimeout }},
	{Name: "callTimeout", Kind: KindSeconds, Restart: true, Default: "0",
		Others:   []string{"tool_timeout_sec"},
		Examples: []string{"60"}, Write: "config.calltimeout.write",
		About: "config.calltimeout.about",
		of:    func(s *Server) any { return &s.CallTimeout }},
}

// oauthFields are the fields of the group "oauth". They have values only if the group is there.
var oauthFields = []Field{
	{Name: "clientId", Kind: KindText, Others: []string{"client_id", "client-id"},
		Examples: []string{`"workbench-of-our-team"`}, Write: "config.oauth_clientid.write",
		About: "config.oauth_clientid.about",
		of:    func(s *Server) any { return &s.OAuth.ClientID }},
	{Name: "clientSecret", Kind: KindText, Secret: true, Others: []string{"client_secret", "client-secret"},
		Examples: []string{`"${keyring:far clientSecret}"`}, Write: "config.oauth_clientsecret.write",
		About: "config.oauth_clientsecret.about",
		of:    func(s *Server) any { return &s.OAuth.ClientSecret }},
	{Name: "scope", Kind: KindText, Others: []string{"scopes"},
		Examples: []string{`"read write"`}, Write: "config.oauth_scope.write",
		About: "config.oauth_scope.about",
		of:    func(s *Server) any { return &s.OAuth.Scope }},
	{Name: "callbackPort", Kind: KindInteger, Min: 1, Max: 65535,
		Others:   []string{"callback_port", "redirectport", "redirect_port"},
		Examples: []string{"8080"},
		Write:    "config.oauth_callbackport.write",
		About:    "config.oauth_callbackport.about",
		of:       func(s *Server) any { return &s.OAuth.CallbackPort }},
}

// topFields are the fields of the file itself.
var topFields = []Field{
	{Name: "$schema", Kind: KindText, Write: "config.schema.write"},
	{Name: "toolMode", Kind: KindText, Write: "config.toolmode.write"},
	{Name: "metaToolPrefix", Kind: KindText, Write: "config.metatoolprefix.write"},
	{Name: "search", Kind: KindSwitch, Default: "false", Write: "config.search.write", About: "config.search.about"},
	{Name: "toolboxes", Kind: KindGroup, Write: "config.toolboxes.write"},
}

// toolboxFields are the fields of a toolbox.
var toolboxFields = []Field{
	{Name: "description", Kind: KindText, Write: "config.description.write"},
	{Name: "askFirst", Kind: KindSwitch, Default: "false", Write: "config.askfirst.write"},
	{Name: "open", Kind: KindSwitch, Default: "false", Write: "config.open.write", About: "config.open.about"},
	{Name: "apps", Kind: KindNames, NeedsApproval: true,
		Examples: []string{`["claude-desktop","cursor"]`}, Write: "config.apps.write",
		About: "config.apps.about",
		of:    func(s *Server) any { return &s.Limits.Apps }},
	{Name: "folders", Kind: KindNames, NeedsApproval: true,
		Examples: []string{`["~/work/shop"]`}, Write: "config.folders.write",
		About: "config.folders.about",
		of:    func(s *Server) any { return &s.Limits.Folders }},
	{Name: "mcpServers", Kind: KindGroup, Write: "config.mcpservers.write"},
}

// TopFields returns the fields of the file itself, in the usual order. The table is shared and must not be
// changed.
func TopFields() []Field { return topFields }

// ToolboxFields returns the fields of a toolbox, in the usual order. The table is shared and must not be
// changed.
func ToolboxFields() []Field { return toolboxFields }

// Names returns the names of fields in their order.
func Names(fields []Field) []string {
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].Name
	}
	return names
}

// ApprovalFields returns the fields that affect what runs: those of a server's entry, and those of the
// toolbox, of which each of its servers has a copy. The table is shared and must not be changed.
func ApprovalFields() []Field { return approvalFields() }

var approvalFields = sync.OnceValue(func() []Field {
	var fields []Field
	for _, table := range [][]Field{serverFields, toolboxFields} {
		for _, f := range table {
			if f.NeedsApproval {
				fields = append(fields, f)
			}
		}
	}
	return fields
})

// OfToolbox reports whether a field that needs approval is one of the toolbox, and not of a server's entry.
func (f *Field) OfToolbox() bool { return fieldNamed(serverFields, f.Name) == nil }

// ServerFields returns the fields of a server's entry, in the usual order. The table is shared and must not
// be changed.
func ServerFields() []Field { return serverFields }

// ServerField returns the field of a server with exactly this name.
func ServerField(name string) (*Field, bool) { return FieldOf(serverFields, name) }

// FieldOf returns the field with exactly this name.
func FieldOf(fields []Field, name string) (*Field, bool) {
	f := fieldNamed(fields, name)
	return f, f != nil
}

func fieldNamed(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// meant returns the field that an unknown name probably means: another client's name for it, or a misspelt
// name. It returns nil if there is none.
func meant(fields []Field, name string) *Field {
	folded := strings.ToLower(name)
	for i := range fields {
		if slices.Contains(fields[i].Others, folded) {
			return &fields[i]
		}
	}
	return fieldNamed(fields, nearest(name, Names(fields)))
}

// Meant returns the name of the field that an unknown name probably means; "" if there is none.
func Meant(fields []Field, name string) string {
	if f := meant(fields, name); f != nil {
		return f.Name
	}
	return ""
}

// Example returns a value as JSON.
func (f *Field) Example() string {
	if len(f.Examples) == 0 {
		return f.Default
	}
	return f.Examples[0]
}

// Value returns the field's value of a server, in the form in which encoding/json writes it to the file, and
// whether it is set. Times are in seconds.
func (f *Field) Value(s *Server) (value any, set bool) {
	switch v := f.of(s).(type) {
	case *string:
		return *v, *v != ""
	case *[]string:
		return *v, *v != nil && (f.Kind == KindNames || len(*v) > 0)
	case *[]Variable:
		return *v, len(*v) > 0
	case *Transport:
		return *v, *v != ""
	case *bool:
		return *v, *v
	case **bool:
		return *v != nil && **v, *v != nil
	case *int:
		return *v, *v != 0
	case **time.Duration:
		if *v == nil {
			return nil, false
		}
		return (*v).Seconds(), true
	case **OAuth:
		return *v, *v != nil
	}
	return nil, false
}

// Same reports whether two servers have the same value for the field. The order of variables does not matter.
func (f *Field) Same(a, b *Server) bool {
	switch x := f.of(a).(type) {
	case *string:
		return *x == *f.of(b).(*string)
	case *[]string:
		y := *f.of(b).(*[]string)
		return slices.Equal(*x, y) && (f.Kind != KindNames || (*x == nil) == (y == nil))
	case *[]Variable:
		return sameVariables(*x, *f.of(b).(*[]Variable))
	case *Transport:
		return *x == *f.of(b).(*Transport)
	case *bool:
		return *x == *f.of(b).(*bool)
	case *int:
		return *x == *f.of(b).(*int)
	case **bool:
		return sameValue(*x, *f.of(b).(**bool))
	case **time.Duration:
		return sameValue(*x, *f.of(b).(**time.Duration))
	case **OAuth:
		return sameValue(*x, *f.of(b).(**OAuth))
	}
	return false
}

func sameValue[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func sameVariables(a, b []Variable) bool {
	if slices.Equal(a, b) {
		return true
	}
	byName := func(a, b Variable) int { return strings.Compare(a.Name, b.Name) }
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortStableFunc(a, byName)
	slices.SortStableFunc(b, byName)
	return slices.Equal(a, b)
}

// Equal reports whether two entries have the same values.
func (s *Server) Equal(o *Server) bool { return s.sameFields(o, func(*Field) bool { return true }) }

// SameProcess reports whether two entries start or reach the same server in the same way, so that the server can
// continue to run when one replaces the other.
func (s *Server) SameProcess(o *Server) bool {
	return s.sameFields(o, func(f *Field) bool { return f.Restart })
}

// SameApproval reports whether the fields that need approval are the same in two entries, so that an approval of one
// covers the other.
func (s *Server) SameApproval(o *Server) bool {
	return !slices.ContainsFunc(ApprovalFields(), func(f Field) bool { return !f.Same(s, o) })
}

func (s *Server) sameFields(o *Server, counts func(*Field) bool) bool {
	if s == nil || o == nil {
		return s == o
	}
	fields := ServerFields()
	for i := range fields {
		if f := &fields[i]; counts(f) && !f.Same(s, o) {
			return false
		}
	}
	return s.Name == o.Name
}
