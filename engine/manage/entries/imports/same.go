package imports

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
)

// connectsAs reports whether two entries start the same program in the same way, or use the same address with
// the same headers, as the same client. Their names and the settings of their tools do not matter. same
// compares two values.
func connectsAs(a, b *config.Server, same func(a, b string) bool) bool {
	if a.Transport != b.Transport {
		return false
	}
	if a.Transport != config.TransportStdio {
		return same(address(a.URL), address(b.URL)) && sameValues(a.Headers, b.Headers, same, strings.ToLower) &&
			a.OAuth.ID() == b.OAuth.ID()
	}
	return program(a.Command) == program(b.Command) && a.Cwd == b.Cwd &&
		slices.EqualFunc(a.Args, b.Args, same) && sameValues(ownValues(a.Env), ownValues(b.Env), same, strings.Clone)
}

// ownValues returns the variables except those that only pass on a variable of the environment, since apps
// pass these on anyway.
func ownValues(env []config.Variable) []config.Variable {
	return slices.DeleteFunc(slices.Clone(env), func(v config.Variable) bool { return v.Value == "${"+v.Name+"}" })
}

// program returns a command in a form in which equal commands have equal texts.
func program(command string) string {
	command = strings.ReplaceAll(command, `\`, "/")
	for _, ending := range []string{".exe", ".cmd"} {
		if n := len(command) - len(ending); n > 0 && strings.EqualFold(command[n:], ending) {
			return command[:n]
		}
	}
	return command
}

// address returns an address in a form in which equal addresses have equal texts.
func address(text string) string {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" {
		return text
	}
	parsed.Scheme, parsed.Host = strings.ToLower(parsed.Scheme), strings.ToLower(parsed.Host)
	parsed.Path, parsed.RawPath = strings.TrimSuffix(parsed.Path, "/"), strings.TrimSuffix(parsed.RawPath, "/")
	parsed.Fragment = ""
	return parsed.String()
}

func sameValues(a, b []config.Variable, same func(a, b string) bool, fold func(string) string) bool {
	if len(a) != len(b) {
		return false
	}
	values := make(map[string]string, len(b))
	for _, v := range b {
		values[fold(v.Name)] = v.Value
	}
	for _, v := range a {
		if value, ok := values[fold(v.Name)]; !ok || !same(v.Value, value) {
			return false
		}
	}
	return true
}

func equal(a, b string) bool { return a == b }

// isLater reports whether later is what became of an entry with the same name that was imported: its blanks were
// filled in, or it was repaired because it could not start.
func isLater(entry, later *config.Server) bool {
	if entry.Name != later.Name {
		return false
	}
	filled := fillFrom(entry, later)
	if connectsAs(filled, later, equal) {
		return true
	}
	if builtIn, ok := config.BuiltInInstead(filled); ok {
		filled = builtIn
	} else if base := path.Base(program(later.Command)); len(filled.Args) > 0 || path.Base(program(filled.Command)) == base {
		filled.Command = later.Command // another program takes the same arguments
	}
	return connectsAs(filled, later, equal)
}

// fillFrom returns a copy of an entry in which what is missing has the values of another entry.
func fillFrom(entry, other *config.Server) *config.Server {
	filled := *entry
	filled.Args, filled.Env = slices.Clone(entry.Args), withNames(entry.Env, other.Env)
	filled.Headers = withNames(entry.Headers, other.Headers)
	missing := foreign.MissingIn(&filled)
	values := map[foreign.Part]string{}
	where := func(place foreign.Part) foreign.Part {
		if place.Field != "args" {
			place.Index = 0 // the order of variables and headers means nothing
		}
		return place
	}
	foreign.Each(other, func(place foreign.Part, value *string) { values[where(place)] = *value })
	foreign.Each(&filled, func(place foreign.Part, value *string) {
		asked := strings.Contains(*value, "${keyring:") // for what the app asks for
		if asked || slices.ContainsFunc(missing, func(m foreign.Missing) bool {
			return m.Field == place.Field && m.Name == place.Name && (m.Blank || *value == "")
		}) {
			*value = cmp.Or(values[where(place)], *value)
		}
	})
	return &filled
}

// withNames returns values and, with their values, the names that only others have.
func withNames(values, others []config.Variable) []config.Variable {
	values = slices.Clone(values)
	for _, other := range others {
		if !slices.ContainsFunc(values, func(v config.Variable) bool { return v.Name == other.Name }) {
			values = append(values, other)
		}
	}
	return values
}

// complete reports whether a server is switched on and has all values that it needs.
func complete(server *config.Server) bool {
	return !server.Disabled && len(foreign.MissingIn(server)) == 0
}

// equalOrKept compares two values. A part of b that refers to the keychain matches any text in a, since an
// earlier import may have moved it there.
func equalOrKept(a, b string) bool {
	if a == b {
		return true
	}
	before, rest, ok := strings.Cut(b, "${keyring:")
	if !ok {
		return false
	}
	_, after, ok := strings.Cut(rest, "}")
	return ok && len(a) >= len(before)+len(after) && strings.HasPrefix(a, before) && strings.HasSuffix(a, after)
}

// isOurs reports whether an entry starts Workbench itself.
func isOurs(s *config.Server) bool {
	return s.Transport == config.TransportStdio && clients.IsOurs(s.Command, s.Args)
}
