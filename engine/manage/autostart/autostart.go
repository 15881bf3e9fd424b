// Package autostart starts the desktop app when the user logs in, in the way of each system: a file in the autostart folder of the
// desktop on Linux, a launch agent on macOS, an entry in the registry on Windows. What another program has put in its place is
// left alone.
package autostart

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Names of the entry towards the system.
const (
	// ID is the name of our file, as in FyneApp.toml.
	ID = "io.github.workbench_mcp.WorkbenchDesktop"

	// Name is what people see in the lists of their system.
	Name = "Workbench"

	// HiddenFlag starts the app in the tray, without its window.
	HiddenFlag = "--hidden"
)

// ErrForeign is the reason when there is an entry in our place that is not ours.
const ErrForeign = words.Code("autostart.foreign")

// Status is whether we are started at login, and by which entry.
type Status struct {
	On bool

	// Where is the entry, for people: a path, or a key of the registry.
	Where string

	// Program is what the entry starts; empty when there is none.
	Program string

	// Moved is set when that is another program than the one that was asked about: this one was moved, or is a second copy.
	// Enable puts it right.
	Moved bool

	// Foreign is set when the entry is not ours. It can then be neither switched on nor off.
	Foreign bool
}

// entry is what a system knows of us.
type entry struct {
	program string
	off     bool // switched off by the system's own settings
	foreign bool
}

// system is where one system keeps entries.
type system interface {
	where() string
	read() (entry, bool, error)
	write(program string) error
	remove() error
}

// Autostart switches the start at login on and off.
type Autostart struct{ system system }

// New returns the one of this system and this user. env is [os.Getenv] or takes its place.
func New(env func(string) string) (*Autostart, error) {
	system, err := newSystem(env)
	if err != nil {
		return nil, words.NewError("autostart.unavailable", "Why", err)
	}
	return &Autostart{system}, nil
}

// Executable is the program to be started at login: this one, or the AppImage that it came in, since what is inside one has
// another path at each start.
func Executable(env func(string) string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", words.NewError("autostart.program_path", "Why", err)
	}
	// A terminal in another app's image has these variables too, for that app.
	folder := env("APPDIR")
	inside := strings.Contains(program, "/.mount_") || filepath.IsAbs(folder) && strings.HasPrefix(program, filepath.Clean(folder)+string(filepath.Separator))
	if image := env("APPIMAGE"); inside && filepath.IsAbs(image) {
		if info, err := os.Stat(image); err == nil && info.Mode().IsRegular() {
			return image, nil
		}
	}
	return program, nil
}

// Status reports whether we are started at login. executable is the program that should be.
func (a *Autostart) Status(executable string) (Status, error) {
	status := Status{Where: a.system.where()}
	found, ok, err := a.system.read()
	if err != nil {
		return status, words.NewError("autostart.unreadable", "Where", status.Where, "Why", paths.Cause(err))
	}
	if !ok {
		return status, nil
	}
	status.Program, status.Foreign = found.program, found.foreign
	status.On = !found.off && !found.foreign
	status.Moved = !found.foreign && !atomicfile.Same(found.program, executable)
	return status, nil
}

// Enable has a program started at login, without its window. What was entered before is replaced if it is ours; else the error is
// [ErrForeign].
func (a *Autostart) Enable(executable string) error {
	switch {
	case !filepath.IsAbs(executable):
		return words.NewError("autostart.path_relative", "Path", executable)
	case strings.ContainsFunc(executable, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return words.NewError("autostart.path_characters", "Path", strconv.Quote(executable))
	}
	if err := a.refuseForeign(); err != nil {
		return err
	}
	if err := a.system.write(executable); err != nil {
		return words.NewError("autostart.not_written", "Where", a.system.where(), "Why", paths.Cause(err))
	}
	return nil
}

// Disable ends that. There may be no entry; when there is one that is not ours, the error is [ErrForeign].
func (a *Autostart) Disable() error {
	if err := a.refuseForeign(); err != nil {
		return err
	}
	if err := a.system.remove(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return words.NewError("autostart.not_removed", "Where", a.system.where(), "Why", paths.Cause(err))
	}
	return nil
}

func (a *Autostart) refuseForeign() error {
	found, ok, err := a.system.read()
	if err != nil {
		return words.NewError("autostart.unreadable", "Where", a.system.where(), "Why", paths.Cause(err))
	}
	if ok && found.foreign {
		return words.NewError("autostart.made_by_another", "Where", a.system.where(), "Why", ErrForeign)
	}
	return nil
}
