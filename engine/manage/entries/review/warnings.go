package review

import (
	"net"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// judge collects warnings, each once.
type judge struct {
	loud, quiet []Warning
}

func (j *judge) warn(text words.Text) {
	if !slices.ContainsFunc(j.loud, func(w Warning) bool { return w.Text.Equal(text) }) && len(j.loud) < maxWarnings {
		j.loud = append(j.loud, Warning{text, true})
	}
}

func (j *judge) note(text words.Text) { j.quiet = append(j.quiet, Warning{Text: text}) }

// maxWarnings is the largest number of loud warnings for one server. More would not tell anybody more.
const maxWarnings = 50

// warnings returns the warnings about an entry.
func warnings(server *config.Server, r *Review) []Warning {
	j := &judge{}
	if r.Remote {
		j.address(server.URL)
	} else {
		s := server.WithDefaults() // what runs if the variables are not set
		j.command(s.Command, s.Args)
		for _, v := range s.Env {
			if v.Value != "${"+v.Name+"}" { // otherwise the server only inherits the variable
				j.variable(v.Name)
			}
		}
	}
	if server.InheritEnv && !r.Remote {
		j.warn(words.New("review.inherits"))
	}
	if server.TrustToolChanges {
		j.warn(words.New("review.trusts"))
	}
	hidden := r.Runs.unseen()
	for _, s := range r.Settings {
		hidden = hidden || s.Name.unseen() || s.Value.unseen()
	}
	if hidden {
		j.warn(words.New("review.unseen"))
	}
	return append(j.loud, j.quiet...)
}

// command judges a command with its arguments.
func (j *judge) command(command string, args []string) {
	arguments, programs := secret.InCommand(command, args)
	for _, program := range programs {
		if launcher.IsShell(program) {
			j.warn(words.New("review.shell"))
		}
	}
	for i, a := range arguments {
		arg, before := args[i], ""
		if i > 0 {
			before = args[i-1]
		}
		program := launcher.Base(a.Program)
		switch {
		case a.Code && launcher.Is(a.Program, launcher.Interpreter):
			j.warn(words.New("review.code", "Program", Visible(program).String()))
		case a.Code && launcher.Of(a.Program).CodeInShell && before != "-p" && before != "-e":
			j.warn(words.New("review.shell"))
		case a.Code && (before == "-S" || before == "--split-string" || strings.HasPrefix(arg, "--split-string=")):
			j.warn(words.New("review.shell"))
		}
		if a.Code && before != "-p" && len(programs) == 1 && launcher.Is(a.Program, launcher.Unknown) &&
			strings.ContainsAny(arg, ";|&`$(\n") {
			j.warn(words.New("review.code", "Program", Visible(program).String()))
		}
		j.flag(a.Program, before, arg)
	}
	j.container(args, arguments)
	switch {
	case launcher.Is(command, launcher.Container):
		j.note(words.New("review.downloads_image"))
	case launcher.MayInstall(command, args):
		j.note(words.New("review.downloads"))
	}
}

// flag judges one argument of a command.
func (j *judge) flag(program, before, arg string) {
	name, value, inline := strings.Cut(arg, "=")
	if !inline {
		name, value = before, arg
	}
	switch p := launcher.Of(program); {
	case p.Sets:
		if inline && !strings.HasPrefix(name, "-") {
			j.variable(name)
		}
	case p.Kind == launcher.Container:
		if before == "-e" || before == "--env" {
			name, _, _ = strings.Cut(arg, "=")
			j.variable(name)
		} else if set, ok := strings.CutPrefix(arg, "--env="); ok {
			name, _, _ = strings.Cut(set, "=")
			j.variable(name)
		}
		return
	case p.Kind == launcher.Interpreter:
		switch {
		case before == "-r" || before == "-M" || before == "-I",
			name == "--require" || name == "--import" || name == "--loader" || name == "--experimental-loader" ||
				name == "--preload":
			j.warn(words.New("review.preload", "Program", Visible(launcher.Base(program)).String(), "File",
				Visible(value).String()))
		}
	}
	switch name {
	case "--registry", "--index-url", "--extra-index-url", "--default-index", "--index", "--find-links", "--userconfig",
		"--globalconfig":
		j.warn(words.New("review.registry", "Name", name))
	case "--node-options", "--script-shell", "--shell", "--node-arg":
		if p := launcher.Base(program); p == "npx" || p == "npm" || p == "pnpm" || p == "yarn" {
			j.warn(words.New("review.language", "Name", name, "Language", "npm"))
		}
	}
}

// container judges what of this computer a container gets.
func (j *judge) container(args []string, arguments []secret.Argument) {
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if !launcher.Is(arguments[i].Program, launcher.Container) || !strings.HasPrefix(arg, "-") {
			continue
		}
		name, value, inline := strings.Cut(arg, "=")
		if !strings.HasPrefix(name, "--") { // forms such as -v/:/host and -itv /:/host
			if at := strings.IndexByte(name, 'v'); at > 0 && shortFlags.MatchString(name[1:at]) {
				value, inline = strings.TrimPrefix(arg[at+1:], "="), len(arg) > at+1
				name = "-v"
			}
		}
		if !inline && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "--entrypoint":
			if launcher.IsShell(value) {
				j.warn(words.New("review.shell"))
			}
		case "--privileged":
			if value != "false" || !inline {
				j.warn(words.New("review.privileged", "Flag", name))
			}
		case "--cap-add", "--security-opt", "--device", "--device-cgroup-rule":
			j.warn(words.New("review.privileged", "Flag", name))
		case "--pid", "--ipc", "--userns", "--uts", "--cgroupns":
			if value == "host" {
				j.warn(words.New("review.privileged", "Flag", name+"=host"))
			}
		case "--network", "--net":
			if value == "host" {
				j.warn(words.New("review.host_network"))
			}
		case "-v", "--volume":
			j.mount(source(value))
		case "--mount":
			for _, part := range strings.Split(value, ",") {
				key, from, _ := strings.Cut(strings.Trim(part, `"`), "=")
				if key = strings.ToLower(strings.TrimSpace(key)); key == "source" || key == "src" {
					j.mount(from)
				}
			}
		case "-H", "--host", "--context":
			j.warn(words.New("review.language", "Name", name, "Language", "Docker"))
		}
	}
}

// shortFlags matches flags of one letter and without a value that are written together.
var shortFlags = lazyregexp.New(`^[ditPq]*$`)

// source returns the folder of this computer in the value of "-v". A Windows drive and a reference contain
// colons that must be skipped.
func source(value string) string {
	at := 0
	if drive.MatchString(value) {
		at = 2
	}
	if strings.HasPrefix(value, "${") {
		at = max(0, strings.IndexByte(value, '}'))
	}
	if end := strings.IndexByte(value[at:], ':'); end >= 0 {
		return value[:at+end]
	}
	return value
}

// drive matches the beginning of a Windows path with a drive.
var drive = lazyregexp.New(`^[A-Za-z]:(?:[/\\]|$)`)

// mount judges a folder of this computer that is mounted into a container.
func (j *judge) mount(from string) {
	from = strings.TrimSpace(from)
	clean := path.Clean(strings.ReplaceAll(from, `\`, "/"))
	switch {
	case from == "":
	case clean == "/" || drive.MatchString(clean) && len(clean) <= 3 || clean == "/host_mnt" || clean == "/mnt/c":
		j.warn(words.New("review.mount_all", "Folder", Visible(from).String()))
	case strings.HasSuffix(clean, "docker.sock") || strings.HasSuffix(clean, "podman.sock") ||
		strings.HasSuffix(clean, "containerd.sock"):
		j.warn(words.New("review.docker_socket", "Folder", Visible(from).String()))
	case clean == "${HOME}" || clean == "${USERPROFILE}" || clean == "~" || clean == "$HOME" || homes.MatchString(clean):
		j.warn(words.New("review.mount_home", "Folder", Visible(from).String()))
	case clean == "/etc" || clean == "/root" || clean == "/usr" || clean == "/var" || clean == "/home" ||
		clean == "/Users" || clean == "/proc" || clean == "/sys" || clean == "/dev" || clean == "/boot":
		j.warn(words.New("review.mount_system", "Folder", Visible(from).String()))
	}
}

// homes matches a user's home folder.
var homes = lazyregexp.New(`^(?:/home|/Users|[A-Za-z]:/Users)/[^/]+$`)

// address judges an address on the web.
func (j *judge) address(address string) {
	if u, err := url.Parse(address); err == nil && strings.EqualFold(u.Scheme, "http") && !local(u.Hostname()) {
		j.warn(words.New("review.not_encrypted"))
	}
	if authority, _, _ := strings.Cut(afterScheme(address), "/"); strings.Contains(authority, "@") {
		j.warn(words.New("review.host", "Host", Visible(hostOf(address)).String()))
	}
}

func afterScheme(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return rest
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".local") || ip != nil && (ip.IsLoopback() || ip.IsPrivate())
}
