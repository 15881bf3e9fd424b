package clients

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Launch is how a client starts us: a program by its whole path, without a shell, and its arguments.
type Launch struct {
	Program string
	Before  []string // arguments before our own, for a program that starts us in turn
	Config  string   // the whole path of the configuration file

	// Window is the program with the window when Program is the engine beside it, else "". Earlier versions entered it, and such entries work.
	Window string
}

// The names of our two programs, on Windows with ".exe". Packages put them into one folder.
const (
	windowName = "workbench-desktop" // everything, with the window; also a build from source, which is alone
	engineName = "workbench-engine"  // the same without the window: it loads no libraries for one, so it starts sooner and is smaller
)

// preferEngine returns a launch of the engine when that is beside the program with the window, else l.
func (s System) preferEngine(l Launch) Launch {
	if engine := s.EngineBeside(l.Program); engine != "" {
		l.Program, l.Window = engine, l.Program
	} else {
		l.Window = s.sibling(l.Program, engineName, windowName)
	}
	return l
}

// EngineBeside returns the engine in the folder of the program with the window, "" when there is none.
func (s System) EngineBeside(program string) string {
	return s.sibling(program, windowName, engineName)
}

// sibling returns the path of the program called other in the folder of program, which must be called name; "" when it is not there.
func (s System) sibling(program, name, other string) string {
	at := strings.LastIndexAny(program, `/\`) + 1
	base, ext := program[at:], ""
	if strings.EqualFold(path.Ext(base), ".exe") {
		base, ext = base[:len(base)-len(".exe")], base[len(base)-len(".exe"):]
	}
	if !strings.EqualFold(base, name) {
		return ""
	}
	found := program[:at] + other + ext
	if info, err := s.Stat(found); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	return found
}

// withWindow is how earlier versions had clients start us; its Program is "" when Window is.
func (l Launch) withWindow() Launch {
	l.Program = l.Window
	return l
}

// flatpak starts programs that came as a Flatpak. A client outside of the sandbox can use no path that we see.
const flatpak = "/usr/bin/flatpak"

// Launch finds out how clients start us: by the engine when that is beside this program, else by this program. executable is what
// [os.Executable] says, config the whole path of the configuration. Programs that will not be there any more when a client wants to start
// them are refused.
func (s System) Launch(executable, config string) (Launch, error) {
	l := Launch{Program: executable, Config: config}
	// A terminal in another app's sandbox or image has these variables too, for that app.
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
	case slices.ContainsFunc(strings.Split(where, "/"), func(part string) bool { return strings.HasPrefix(part, "go-build") }):
		return Launch{}, words.NewError("clients.program_go_run", "Path", l.Program)
	case strings.Contains(where, "/AppTranslocation/"), s.OS == "darwin" && strings.HasPrefix(where, "/Volumes/"):
		return Launch{}, words.NewError("clients.program_translocated", "Path", l.Program)
	case strings.Contains(where, "/.mount_"):
		return Launch{}, words.NewError("clients.program_in_image", "Path", l.Program)
	}
	for _, text := range append([]string{l.Program, l.Config}, l.Before...) {
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return Launch{}, words.NewError("clients.path_characters", "Path", strconv.Quote(text))
		}
	}
	if !s.whole(config) {
		return Launch{}, words.NewError("clients.config_path", "Path", config)
	}
	return l, nil
}

// inImage reports whether a program lies where the AppImage of this process shows what is in it.
func (s System) inImage(executable string) bool {
	folder := s.getenv("APPDIR")
	return strings.Contains(executable, "/.mount_") || s.whole(folder) && strings.HasPrefix(executable, path.Clean(folder)+"/")
}

func ourFlatpak(id string) bool { return strings.HasSuffix(strings.ToLower(id), ".workbenchdesktop") }

// Exists reports whether the program can be found where clients will look for it.
func (s System) exists(l Launch) error {
	if l.Program == flatpak {
		return nil // not to be seen from inside
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

// Args are all arguments for a client.
func (l Launch) Args(client string) []string {
	return append(slices.Clone(l.Before), "stdio", "--client", client, "--config", l.Config)
}

// usualName is what our entry is called, unless another one has that name. It is short, since clients put it before the names of tools.
const usualName = "workbench"

// IsOurs reports whether an entry starts us, from wherever that is.
func IsOurs(command string, args []string) bool {
	name := strings.ToLower(path.Base(strings.ReplaceAll(command, `\`, "/")))
	name = strings.TrimSuffix(name, ".exe")
	ours := name == windowName || name == engineName || strings.HasPrefix(name, "workbench") && strings.HasSuffix(name, ".appimage")
	if name == "flatpak" {
		ours = slices.ContainsFunc(args, ourFlatpak)
	}
	return ours && slices.Contains(args, "stdio")
}
