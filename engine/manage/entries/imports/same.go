package imports

import (
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
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
