package review

import (
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Use is a value of the user's that a server gets: a reference such as ${AWS_SECRET_ACCESS_KEY} in its entry.
// Two uses are equal if the same value goes to the same place.
type Use struct {
	Name     string // of the variable, or of the secret in the keychain
	Keychain bool

	Host    string // the host that gets the value, for a server on the web
	Program string // the program that gets the value, for a server that is started here
}

// Text returns a sentence that says what the server gets.
func (u Use) Text() words.Text {
	name := Visible(u.Name).String()
	host, program := Visible(u.Host).String(), Visible(u.Program).String()
	switch {
	case u.Host != "" && u.Keychain:
		return words.New("review.sends_secret", "Name", name, "Host", host)
	case u.Host != "":
		return words.New("review.sends", "Name", name, "Host", host)
	case u.Keychain:
		return words.New("review.gives_secret", "Name", name, "Program", program)
	}
	return words.New("review.gives", "Name", name, "Program", program)
}

// Known reports whether every program that is started here gets the value anyway, such as the path of the
// home folder. Nobody needs to agree to that.
func (u Use) Known() bool {
	if u.Keychain || u.Host != "" {
		return false
	}
	switch strings.ToUpper(u.Name) {
	case "HOME", "USER", "LOGNAME", "LANG", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "USERNAME", "HOMEDRIVE", "HOMEPATH",
		"APPDATA", "LOCALAPPDATA", "PROGRAMDATA",
		"PROGRAMFILES", "PROGRAMFILES(X86)", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATH":
		return true
	}
	return false
}

// ToAgree returns the uses that a person must agree to before the server is added. Each must be agreed to
// separately, since it is another secret or goes to another place.
func (r *Review) ToAgree() []Use {
	return slices.DeleteFunc(slices.Clone(r.Uses), Use.Known)
}

// uses returns the references of an entry.
func uses(server *config.Server) []Use {
	var found []Use
	var to Use
	if server.Transport != config.TransportStdio && server.Transport != "" {
		to.Host = hostOf(server.URL)
	} else {
		to.Program = programOf(server)
	}
	seen := map[Use]bool{}
	look := func(variable, value string) {
		if !strings.Contains(value, "${") {
			return
		}
		for _, r := range config.References(value) {
			if _, own := server.Variable(r.Name); own && !r.Keyring && !config.SameVariable(r.Name, variable) {
				continue
			}
			u := to
			u.Name, u.Keychain = r.Name, r.Keyring
			if !seen[u] {
				seen[u] = true
				found = append(found, u)
			}
		}
	}
	look("", server.Command)
	for _, arg := range server.Args {
		look("", arg)
	}
	for _, v := range server.Env {
		look(v.Name, v.Value)
	}
	for _, h := range server.Headers {
		look("", h.Value)
	}
	look("", server.Cwd)
	look("", server.URL)
	if o := server.OAuth; o != nil {
		look("", o.ClientID)
		look("", o.ClientSecret)
		look("", o.Scope)
	}
	return found
}

// hostOf returns the host of an address. Text before an "@" is a user name, even if it looks like a host. If
// the address cannot be parsed, hostOf returns everything that could be the host.
func hostOf(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address
	}
	if end := strings.IndexAny(strings.ReplaceAll(rest, "${", "__"), `/?#\`); end >= 0 {
		rest = rest[:end]
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = rest[at+1:]
	}
	for strings.HasSuffix(rest, "}") && strings.Count(rest, "}") > strings.Count(rest, "{") {
		rest = rest[:len(rest)-1] // the address is the default of a reference
	}
	if rest == "" {
		return address
	}
	return rest
}

// programOf returns the name of the program that gets the referenced values: "npx @x/server" instead of
// "npx", which passes them on.
func programOf(server *config.Server) string {
	_, programs := secret.InCommand(server.Command, server.Args)
	first, last := programs[0], programs[len(programs)-1]
	if i := strings.LastIndexAny(first, `/\`); i >= 0 && i+1 < len(first) {
		first = first[i+1:]
	}
	if len(programs) == 1 {
		return first
	}
	return first + " " + last
}

// Keyed reports whether the program that a server starts gets a secret. Programs use such a key when a tool
// is called, so a wrong key does not keep them from starting.
func Keyed(server *config.Server) bool {
	r := Of(server)
	masked := func(t Text) bool { return slices.ContainsFunc(t, func(p Piece) bool { return p.Kind == Masked }) }
	return !r.Remote && (masked(r.Runs) ||
		slices.ContainsFunc(r.Settings, func(s Setting) bool { return masked(s.Value) }) ||
		slices.ContainsFunc(r.Uses, func(u Use) bool { return u.Keychain || secret.Key(u.Name) }))
}
