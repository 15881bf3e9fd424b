package clients

import (
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Launch says how a client starts Workbench: a program by its absolute path, without a shell, and its
// arguments.
type Launch struct {
	Program string
	Before  []string // arguments before our own, for a program that then starts Workbench
	Config  string   // the absolute path of the configuration file

	// Window is the path of the program with the window if Program is the engine beside it, else "". Entries
	// of earlier versions name it, and still work.
	Window string
}

// The names of our programs; on Windows they end in ".exe". Packages put them into one folder, and on macOS the engine
// into an app inside the app, see [paths.Beside].
const (
	windowName = "workbench-desktop" // the complete program, with the window; a build from source has only this one
	// the program without the window: it loads no libraries for windows, so it starts sooner and is smaller
	engineName  = process.Engine
	consoleName = "workbench" // on Windows, the engine that prints at a terminal
)

// preferEngine returns a launch of the engine if that is beside another program of ours, else l.
func (s System) preferEngine(l Launch) Launch {
	if engine := s.EngineBeside(l.Program); engine != "" {
		l.Program = engine
	}
	l.Window = s.sibling(l.Program, engineName, windowName)
	return l
}

// EngineBeside returns the path of the engine in the package of another program of ours, or "" if it is
// not there.
func (s System) EngineBeside(program string) string {
	if engine := s.sibling(program, windowName, engineName); engine != "" || s.OS != "windows" {
		return engine
	}
	return s.sibling(program, consoleName, engineName)
}

// sibling returns the path of the program named other in the package of program, whose name must be name. It
// returns "" if there is none.
func (s System) sibling(program, name, other string) string {
	at := strings.LastIndexAny(program, `/\`) + 1
	base, ext := program[at:], ""
	if strings.EqualFold(path.Ext(base), ".exe") {
		base, ext = base[:len(base)-len(".exe")], base[len(base)-len(".exe"):]
	}
	if !strings.EqualFold(base, name) {
		return ""
	}
	for _, found := range paths.Beside(program, other+ext) {
		if info, err := s.Stat(found); err == nil && info.Mode().IsRegular() {
			return found
		}
	}
	return ""
}

// withWindow returns the launch that earlier versions wrote. Its Program is "" if Window is.
func (l Launch) withWindow() Launch {
	l.Program = l.Window
	return l
}

// flatpak starts programs that are installed as a Flatpak. A client outside the sandbox cannot use the paths
// that we see.
const flatpak = "/usr/bin/flatpak"

// Launch returns how clients start Workbench: with the engine if that is beside this program, else with this
// program. executable is the result of [os.Executable], config the absolute path of the configuration. It is
// an error if the program will not exist any more when a client starts it later.
func (s System) Launch(executable, config string) (Launch, error) {
	l := Launch{Program: s.unversioned(executable), Config: config}
	// A terminal in another app's sandbox or AppImage has these variables too. They then belong to that app.
	if id := s.getenv("FLATPAK_ID"); ourFlatpak(id) {
		l.Program, l.Before = flatpak, []string{"run", id}
	} else if image := s.getenv("APPIMAGE"); s.whole(image) && s.inImage(executable) {
		if info, err := s.Stat(image); err == nil && info.Mode().IsRegular() {
			l.Program = image
		}
	}
	l = s.preferEngine(l)
	where := strings.ReplaceAll(l.Program, `\`, "/")
	switch {
	case !s.whole(l.Program):
		return Launch{}, words.NewError("clients.program_path", "Path", l.Program)
	case slices.ContainsFunc(strings.Split(where, "/"), func(part string) bool {
		return strings.HasPrefix(part, "go-build")
	}):
		return Launch{}, words.NewError("clients.program_go_run", "Path", l.Program)
	case strings.Contains(where, "/.mount_"):
		return Launch{}, words.NewError("clients.program_in_image", "Path", l.Program)
	}
	if err := (paths.Folders{OS: s.OS, Home: s.Home}).Stays(l.Program); err != nil {
		return Launch{}, err
	}
	for _, text := range append([]string{l.Program, l.Config}, l.Before...) {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return Launch{}, words.NewError("clients.path_characters", "Path", words.Quoted(text))
		}
	}
	if !s.whole(config) {
		return Launch{}, words.NewError("clients.config_path", "Path", config)
	}
	return l, nil
}

// unversioned returns the path of a program that stays when a package manager installs another version. Homebrew puts
// each version into a folder of its own, which goes with the next one, and keeps a link without the version. So does
// Scoop.
func (s System) unversioned(program string) string {
	split, stays := "/Cellar/", "/opt/"
	if s.OS == "windows" {
		split, stays = `\scoop\apps\`, `\scoop\apps\`
	}
	above, below, ok := strings.Cut(program, split)
	if !ok {
		return program
	}
	slash := split[:1]
	name, below, _ := strings.Cut(below, slash)
	_, below, _ = strings.Cut(below, slash) // the version
	if s.OS == "windows" {
		name += `\current`
	}
	if found := above + stays + name + slash + below; s.exists(Launch{Program: found}) == nil {
		return found
	}
	return program
}

// inImage reports whether a program is inside the mounted AppImage of this process.
func (s System) inImage(executable string) bool {
	folder := s.getenv("APPDIR")
	return strings.Contains(executable, "/.mount_") || s.whole(folder) &&
		strings.HasPrefix(executable, path.Clean(folder)+"/")
}

func ourFlatpak(id string) bool { return strings.HasSuffix(strings.ToLower(id), ".workbenchdesktop") }

// exists returns an error if clients would not find the program.
func (s System) exists(l Launch) error {
	if l.Program == flatpak {
		return nil // the sandbox hides it from us
	}
	info, err := s.Stat(l.Program)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrInvalid
	}
	if err != nil {
		return words.NewError("clients.no_program", "Path", l.Program)
	}
	return nil
}

// Args returns all arguments for a client.
func (l Launch) Args(client string) []string {
	return append(slices.Clone(l.Before), "stdio", "--client", client, "--config", l.Config)
}

// usualName is the name of our entry, unless another entry has it. It is short, since clients put it before
// the names of tools.
const usualName = "workbench"

// IsOurs reports whether an entry starts Workbench, wherever the program is.
func IsOurs(command string, args []string) bool {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	windows := strings.HasSuffix(name, ".exe") || runtime.GOOS == "windows" // elsewhere, "workbench" is another program
	name = strings.TrimSuffix(name, ".exe")
	ours := name == windowName || name == engineName || windows && name == consoleName ||
		strings.HasPrefix(name, "workbench") && strings.HasSuffix(name, ".appimage")
	switch name {
	case "flatpak":
		ours = slices.ContainsFunc(args, ourFlatpak)
	case "flatpak-spawn":
		i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
		return i >= 0 && IsOurs(args[i], args[i+1:])
	}
	return ours && slices.Contains(args, "stdio")
}
