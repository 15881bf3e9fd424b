package registry

import (
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind is how a server is run.
type Kind string

// The known kinds.
const (
	KindRemote Kind = "remote" // a server on the web
	KindNPM    Kind = "npm"    // started by npx
	KindPyPI   Kind = "pypi"   // started by uvx
	KindOCI    Kind = "oci"    // started by docker
	KindNuGet  Kind = "nuget"  // started by dnx
	KindMCPB   Kind = "mcpb"   // a desktop extension
)

// Way is one way to run a server: its entry, or why it cannot be added.
type Way struct {
	Kind    Kind
	Entry   foreign.Entry // to be reviewed and added; its blanks are the values that the server asks for
	Problem words.Text    // why there is no entry; zero if there is one
}

// Usable reports whether the server can be added this way.
func (w Way) Usable() bool { return w.Problem.IsZero() }

// Limits of one server.
const (
	maxWays   = 12
	maxInputs = 60   // arguments, variables or headers
	maxValue  = 2000 // bytes of one of them
)

// ways returns entries for the packages and addresses of a server: first those that need nothing on this
// computer, last those that cannot be added.
func ways(from *serverJSON, name string) []Way {
	var all []Way
	for i := range from.Remotes[:min(len(from.Remotes), maxWays)] {
		all = append(all, remoteWay(&from.Remotes[i]))
	}
	for i := range from.Packages[:min(len(from.Packages), maxWays)] {
		all = append(all, packageWay(&from.Packages[i]))
	}
	for i := range all {
		w := &all[i]
		w.Entry.Server.Name = foreign.NameFor(name, &w.Entry.Server)
		if w.Usable() && !sound(&w.Entry.Server) {
			w.Problem = words.New("registry.hidden_characters")
		}
		if !w.Usable() {
			w.Entry = foreign.Entry{}
		}
	}
	slices.SortStableFunc(all, func(a, b Way) int { return rank(a) - rank(b) })
	return all
}

func rank(w Way) int {
	if !w.Usable() {
		return 100
	}
	return slices.Index([]Kind{KindRemote, KindNPM, KindPyPI, KindOCI, KindNuGet}, w.Kind)
}

// sound reports whether an entry has no invisible characters.
func sound(s *config.Server) bool {
	texts := append([]string{s.Command, s.URL}, s.Args...)
	for _, v := range slices.Concat(s.Env, s.Headers) {
		texts = append(texts, v.Name, v.Value)
	}
	return !slices.ContainsFunc(texts, func(text string) bool {
		return len(text) > maxValue || visible.Map(text, func(rune) string { return "" }) != text
	})
}

// remoteWay makes an entry of an address.
func remoteWay(from *transportJSON) Way {
	w := Way{Kind: KindRemote}
	s := &w.Entry.Server
	switch from.Type {
	case "streamable-http", "http", "":
		s.Transport = config.TransportHTTP
	case "sse":
		s.Transport = config.TransportSSE
	default:
		return w.cannot(words.New("registry.unknown_transport", "Type", visible.Short(from.Type, 40)))
	}
	if len(from.Headers) > maxInputs {
		return w.cannot(words.New("registry.too_much"))
	}
	w.url(from)
	sample := s.URL
	for _, blank := range w.Entry.Blanks {
		sample = strings.ReplaceAll(sample, blank.Parts[0].Text, "x")
	}
	if address, err := url.Parse(sample); err != nil || address.Scheme != "https" || address.Host == "" ||
		address.User != nil {
		return w.cannot(words.New("registry.not_https"))
	}
	for _, header := range from.Headers {
		if !headerName.MatchString(header.Name) {
			return w.cannot(words.New("registry.bad_name", "Name", visible.Short(header.Name, 40)))
		}
		w.variable("headers", &s.Headers, header)
	}
	return w
}

var (
	npmName    = lazyregexp.New(`^(?:@[a-z0-9~][a-z0-9._~-]*/)?[a-zA-Z0-9~][a-zA-Z0-9._~-]*$`)
	pypiName   = lazyregexp.New(`^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$`)
	nugetName  = lazyregexp.New(`^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?$`)
	imageName  = lazyregexp.New(`^[a-z0-9](?:[a-zA-Z0-9._/-]*[a-zA-Z0-9])?(?::[0-9]+/[a-zA-Z0-9._/-]+)?(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@sha256:[a-f0-9]{64})?$`)
	version    = lazyregexp.New(`^[0-9A-Za-z][0-9A-Za-z.+_!-]{0,99}$`)
	headerName = lazyregexp.New(`^[A-Za-z0-9!#$%&'*+.^_|~-]{1,100}$`)
	envName    = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]{0,199}$`)
)

// runner says how the packages of one registry are started.
type runner struct {
	name    *lazyregexp.Regexp // matches the name of a package
	homes   []string           // the registry that the program uses, as entries may name it
	command string
	args    []string // before the arguments of the entry
	pinned  string   // the separator between name and version
}

func runnerOf(kind Kind) (runner, bool) {
	switch kind {
	case KindNPM:
		return runner{npmName, []string{"https://registry.npmjs.org"}, "npx", []string{"-y"}, "@"}, true
	case KindPyPI:
		return runner{pypiName, []string{"https://pypi.org", "https://pypi.org/simple"}, "uvx", nil, "=="}, true
	case KindOCI:
		return runner{imageName, []string{"https://docker.io", "https://ghcr.io", "https://quay.io",
			"https://mcr.microsoft.com"}, "docker", []string{"run", "-i", "--rm"}, ":"}, true
	case KindNuGet:
		return runner{nugetName, []string{"https://api.nuget.org", "https://api.nuget.org/v3/index.json"}, "dnx",
			[]string{"--yes"}, "@"}, true
	}
	return runner{}, false
}

// packageWay makes an entry from a package. It ignores the runner that the registry names: packages are
// started only with npx, uvx, docker or dnx.
func packageWay(from *packageJSON) Way {
	w := Way{Kind: Kind(strings.ToLower(from.RegistryType))}
	if w.Kind == KindMCPB {
		return w.cannot(words.New("registry.extension"))
	}
	run, ok := runnerOf(w.Kind)
	home := strings.TrimRight(from.RegistryBaseURL, "/")
	switch {
	case !ok:
		return w.cannot(words.New("registry.unknown_kind", "Kind", visible.Short(from.RegistryType, 40)))
	case from.Transport.Type != "" && from.Transport.Type != "stdio":
		return w.cannot(words.New("registry.listens"))
	case home != "" && !slices.Contains(run.homes, home):
		return w.cannot(words.New("registry.elsewhere", "Address", visible.Short(home, 80)))
	case !run.name.MatchString(from.Identifier) || len(from.Identifier) > 250:
		return w.cannot(words.New("registry.bad_name", "Name", visible.Short(from.Identifier, 60)))
	case from.Version != "" && !version.MatchString(from.Version):
		return w.cannot(words.New("registry.bad_name", "Name", visible.Short(from.Version, 60)))
	case len(from.RuntimeArguments) > maxInputs || len(from.PackageArguments) > maxInputs ||
		len(from.EnvironmentVariables) > maxInputs:
		return w.cannot(words.New("registry.too_much"))
	}
	s := &w.Entry.Server
	s.Transport, s.Command, s.Args = config.TransportStdio, run.command, slices.Clone(run.args)
	for _, in := range from.EnvironmentVariables {
		if !envName.MatchString(in.Name) {
			return w.cannot(words.New("registry.bad_name", "Name", visible.Short(in.Name, 40)))
		}
		w.variable("env", &s.Env, in)
		if w.Kind == KindOCI && !passedOn(from.RuntimeArguments, in.Name) {
			s.Args = append(s.Args, "-e", in.Name)
		}
	}
	for _, in := range from.RuntimeArguments {
		if in.Name == "" && in.Value != "" && slices.Contains(run.args, in.Value) || in.Value == "" &&
			slices.Contains(run.args, in.Name) {
			continue // these arguments are already there
		}
		w.argument(in)
	}
	pinned := from.Identifier
	if tagged := w.Kind == KindOCI &&
		strings.ContainsAny(pinned[strings.LastIndexByte(pinned, '/')+1:], ":@"); from.Version != "" && !tagged {
		pinned += run.pinned + from.Version
	}
	s.Args = append(s.Args, pinned)
	if w.Kind == KindNuGet && len(from.PackageArguments) > 0 {
		s.Args = append(s.Args, "--")
	}
	for _, in := range from.PackageArguments {
		w.argument(in)
	}
	return w
}

// passedOn reports whether the arguments of docker already pass a variable to a container.
func passedOn(args []inputJSON, name string) bool {
	return slices.ContainsFunc(args, func(in inputJSON) bool {
		return (in.Name == "-e" || in.Name == "--env") && (in.Value == name || strings.HasPrefix(in.Value, name+"="))
	})
}

// cannot returns the way with the reason why there is no entry.
func (w Way) cannot(why words.Text) Way {
	w.Problem = why
	return w
}
