package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file is the table of spellings: what the members of an entry are called in other products.

// member is a member of an entry that is being read.
type member struct {
	*jsonc.Node
	path string // its place in the entry
}

// spelling is a row of the table.
type spelling struct {
	names string // without "_" and "-", in lower case
	take  func(*translation, member)
}

// spellings returns the table. A member that is not in it has no meaning here. The names that stand in the
// table of package config, our own and the usual other ones, are added to the rows of their fields.
func spellings() []spelling {
	return []spelling{
		{"command cmd", takeCommand},
		{"args arguments argv commandargs", takeArguments},
		{"env environment envs environmentvariables", takeEnvironment},
		{"envvars", takePassedOn},   // Codex: names of variables to pass on
		{"envkeys", takeStoredKeys}, // Goose: names of secrets that it stores
		{"envfile", takeEnvFile},
		{"cwd workingdirectory workingdir workdir workingfolder directory", takeFolder},

		{"url serverurl uri endpoint baseurl mcpurl remoteurl endpointurl serveruri serveraddress mcpserverurl mcpendpoint",
			addressOf("")},
		{"httpurl streamablehttpurl", addressOf("http")}, // Gemini: its "url" is SSE
		{"sseurl sseendpoint", addressOf("sse")},
		{"type transporttype connectiontype transportmode", takeTransport},
		{"transport connection remote serverparams stdioserverparams stdioparams connectionparams", groupOf("")},
		{"stdio stdiotransport", groupOf("stdio")},
		{"config serverconfig spec server definition", takeWrapped},
		{"http streamablehttp streamablehttptransport streamablehttpparams httptransport", groupOf("http")},
		{"sse ssetransport sseparams", groupOf("sse")},

		{"headers httpheaders requestheaders customheaders extraheaders additionalheaders", takeHeaders},
		{"requestinit requestoptions eventsourceinit fetchoptions httpoptions", takeRequest},
		{"envhttpheaders envheaders", takeEnvHeaders},
		{"bearertokenenvvar apikeyenv apikeyenvvar", takeTokenVariable},
		{"apikeyheader apikeyformat", takeKeyForm},
		{"key", takeKey},
		{"authorization authorizationtoken bearertoken authtoken accesstoken apikey token bearer", takeToken},
		{"oauth auth authentication", takeSignIn},
		{"headershelper httpheadershelper", leftBecause("foreign.headers_helper")},
		{"customuservars", takeOfUser}, // LibreChat: values that it asks its users for

		{"disabled isdisabled", switchOf(func(s *config.Server) *bool { return &s.Disabled }, false)},
		{"enabled active isactive isenabled", switchOf(func(s *config.Server) *bool { return &s.Disabled }, true)},
		{"state status", takeState},
		{"askfirst", switchOf(func(s *config.Server) *bool { return &s.AskFirst }, false)},
		{"inheritenv trusttoolchanges share", leaveLoosening},
		{"toolfilters enabledtools includetools allowedtools allowedtoolnames toolnames tools", takeFilters},
		{"availabletools", takeSomeFilters}, // Goose: an empty list means all tools
		{"toolconfiguration options", groupOf("")},
		{"toolfilter", takeToolFilter},
		{"disabledtools excludetools excludedtools", takeExcluded},

		{"startuptimeout startuptimeoutsec", func(t *translation, m member) {
			t.Server.StartupTimeout = takeSeconds(t, m, 1)
		}},
		{"startuptimeoutms", func(t *translation, m member) { t.Server.StartupTimeout = takeSeconds(t, m, 1000) }},
		{"calltimeout tooltimeoutsec tooltimeout", func(t *translation, m member) {
			t.Server.CallTimeout = takeSeconds(t, m, 1)
		}},
		{"autoapprove alwaysallow trust autoallow approvedtools requireapproval", leftBecause("foreign.approvals")},

		{"name", nameOf(0)},
		{"serverlabel servername", nameOf(1)},
		{"title label displayname", nameOf(2)},
		{"source", takeSource},
	}
}

// timeLimit matches the folded names of time limits, of which every product has others.
var timeLimit = lazyregexp.New(`timeout(?:s|ms|sec|secs|seconds|milliseconds)?$`)

// spelled returns the rows of the table by each of their names.
func spelled() map[string]func(*translation, member) {
	rows := map[string]func(*translation, member){}
	for _, row := range spellings() {
		for name := range strings.FieldsSeq(row.names) {
			rows[name] = row.take
		}
	}
	for _, field := range config.ServerFields() {
		row, known := rows[fold(field.Name)]
		for _, other := range field.Others {
			if _, taken := rows[fold(other)]; known && !taken {
				rows[fold(other)] = row
			}
		}
	}
	return rows
}

// fold returns a name as it stands in the table. Products differ in "_", "-" and capitals.
func fold(name string) string { return strings.ToLower(unspaced.Replace(name)) }

var unspaced = strings.NewReplacer("_", "", "-", "", " ", "")

// leftBecause returns a row for members that never come over.
func leftBecause(why words.Code) func(*translation, member) {
	return func(t *translation, m member) { t.leave(m.path, why.Text()) }
}

// switchOf returns a row for a field that is true or false. It is the opposite of the member if opposite is
// set.
func switchOf(field func(*config.Server) *bool, opposite bool) func(*translation, member) {
	return func(t *translation, m member) {
		text, _ := scalar(m.Node)
		text = strings.ToLower(text)
		on := slices.Contains([]string{"true", "yes", "on", "1"}, text)
		if !on && !slices.Contains([]string{"false", "no", "off", "0"}, text) {
			t.leave(m.path, words.New("foreign.no_switch"))
			return
		}
		*field(&t.Server) = on != opposite || *field(&t.Server)
	}
}

// takeState takes a word for whether a server is on.
func takeState(t *translation, m member) {
	switch strings.ToLower(m.Str()) {
	case "disabled", "off", "inactive":
		t.Server.Disabled = true
	case "enabled", "on", "active":
	default:
		t.leave(m.path, words.Text{})
	}
}

// keyHeader returns the header in which an entry has its key sent, and its value for a key: Mistral Vibe and others
// have members for both.
func keyHeader(t *translation, key string) (name, value string) {
	name = cmp.Or(folded(t.At.Value, "apikeyheader").Str(), "Authorization")
	format := folded(t.At.Value, "apikeyformat").Str()
	switch {
	case strings.Contains(format, "{token}"):
		return name, strings.ReplaceAll(format, "{token}", key)
	case name == "Authorization" && (!strings.Contains(key, " ") || strings.HasPrefix(key, "${")):
		return name, "Bearer " + key
	}
	return name, key
}

// takeKeyForm is a row for what says how a key is sent; see keyHeader.
func takeKeyForm(t *translation, m member) {
	key := folded(t.At.Value, "apikey", "apikeyenv", "apikeyenvvar")
	if m.Kind != jsonc.String || key == nil || key.Kind == jsonc.Object || key.Kind == jsonc.Array {
		t.leave(m.path, words.Text{})
	}
}

// takeKey is a row for the token of Open WebUI.
func takeKey(t *translation, m member) {
	if fold(folded(t.At.Value, "authtype").Str()) == "bearer" {
		takeToken(t, m)
	} else {
		t.leave(m.path, words.Text{})
	}
}

// leaveLoosening is a row for a switch that takes protection away. It never comes over: the person can set it in the
// entry.
func leaveLoosening(t *translation, m member) {
	if text, _ := scalar(m.Node); !strings.EqualFold(text, "false") {
		t.leave(m.path, words.New("foreign.loosened"))
	}
}

// nameOf returns a row for the name of a server. Of several names, that with the lowest rank is taken.
func nameOf(rank int) func(*translation, member) {
	return func(t *translation, m member) {
		if m.Kind != jsonc.String {
			t.leave(m.path, words.New("foreign.no_text"))
			return
		}
		t.names = append(t.names, named{rank, m.path, strings.TrimSpace(m.Str())})
	}
}

// named is a name that an entry gives its server.
type named struct {
	rank       int
	path, name string
}

// groupOf returns a row for an object that has some of the members of an entry, or for the name of a
// transport. given is the transport that the member's own name states.
func groupOf(given string) func(*translation, member) {
	return func(t *translation, m member) {
		switch {
		case m.Kind == jsonc.String && isAddress(m.Str()):
			addressOf(given)(t, m)
		case m.Kind == jsonc.String && given == "":
			takeTransport(t, m)
		case m.Kind == jsonc.Object && strings.Count(m.path, ".") < maxGroups:
			if given != "" && t.given == "" {
				t.given = given
			}
			t.read(m.Node, m.path+".")
		default:
			t.leave(m.path, words.Text{})
		}
	}
}

// takeWrapped takes an object with the whole entry beside its name.
func takeWrapped(t *translation, m member) {
	if wraps(t.At.Value) == m.Node {
		t.read(m.Node, m.path+".")
	} else {
		t.leave(m.path, words.Text{})
	}
}

// maxGroups is how deeply groups may be nested.
const maxGroups = 3
