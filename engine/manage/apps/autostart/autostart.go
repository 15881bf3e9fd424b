// Package autostart starts the desktop app when the user logs in. Each system has its own way: a file in the
// desktop's autostart folder on Linux, a launch agent on macOS, a registry value on Windows. An entry that
// another program has put in our place is left alone.
package autostart

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Names under which the system knows the entry.
const (
	// ID is the name of our file, as in FyneApp.toml.
	ID = "io.github.workbench_mcp.WorkbenchDesktop"

	// Name is what people see in the lists of their system.
	Name = "Workbench"

	// HiddenFlag starts the app in the tray, without its window.
	HiddenFlag = "--hidden"
)

// ErrForeign means that the entry in our place was not written by us.
const ErrForeign = words.Code("autostart.foreign")

// Status reports whether the app starts at login, and by which entry.
type Status struct {
	On bool

	// Where is the place of the entry, for people: a path, or a registry key.
	Where string

	// Moved is set when the entry starts another program than the one that was asked about: the app was
	// moved, or this is a second copy. Enable corrects the entry.
	Moved bool

	// Foreign is set when the entry is not ours. Enable and Disable then fail with [ErrForeign].
	Foreign bool
}

// entry is what the system has stored about us.
type entry struct {
	program string
	off     bool // switched off by the system's own settings
	foreign bool
}

// system stores the entry in the way of one system.
type system interface {
	where() string
	read() (entry, bool, error)
	write(program string) error
	remove() error
}

// Autostart turns the start at login on and off.
type Autostart struct {
	system system
	here   paths.Folders
}

// New returns the Autostart of this system and this user. env is [os.Getenv] or a replacement.
func New(env func(string) string) (*Autostart, error) {
	system, err := newSystem(env)
	if err != nil {
		return nil, words.NewError("autostart.unavailable", "Why", err)
	}
	return &Autostart{system, paths.Here(env)}, nil
}

// Executable returns the path of the program to start at login. Inside an AppImage that is the path of the
// image, since the path of the program in it is different at each start.
func Executable(env func(string) string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", words.NewError("autostart.program_path", "Why", err)
	}
	// A terminal that runs in another app's AppImage has these variables too. They then belong to that app.
	folder := env("APPDIR")
	inside := strings.Contains(program, "/.mount_") || filepath.IsAbs(folder) &&
		strings.HasPrefix(program, filepath.Clean(folder)+string(filepath.Separator))
	if image := env("APPIMAGE"); inside && filepath.IsAbs(image) {
		if info, err := os.Stat(image); err == nil && info.Mode().IsRegular() {
			return image, nil
		}
	}
	return program, nil
}

// Status reports whether the app starts at login. executable is the program that the entry should start.
func (a *Autostart) Status(executable string) (Status, error) {
	status := Status{Where: a.system.where()}
	found, ok, err := a.system.read()
	if err != nil {
		return status, words.NewError("autostart.unreadable", "Where", status.Where, "Why", paths.Cause(err))
	}
	if !ok {
		return status, nil
	}
	status.Foreign = found.foreign
	status.On = !found.off && !found.foreign
	status.Moved = !found.foreign && !atomicfile.Same(found.program, executable)
	return status, nil
}

// Enable makes the system start executable at login, without its window. It replaces an entry of ours. The
// error is [ErrForeign] if there is an entry that is not ours.
func (a *Autostart) Enable(executable string) error {
	switch {
	case !filepath.IsAbs(executable):
		return words.NewError("autostart.path_relative", "Path", words.Quoted(executable))
	case strings.ContainsFunc(executable, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return words.NewError("autostart.path_characters", "Path", words.Quoted(executable))
	}
	if err := a.here.Stays(executable); err != nil {
		return err
	}
	if err := a.refuseForeign(); err != nil {
		return err
	}
	if err := a.system.write(executable); err != nil {
		return words.NewError("autostart.not_written", "Where", a.system.where(), "Why", paths.Cause(err))
	}
	return nil
}

// Disable removes our entry. It is no error if there is none. The error is [ErrForeign] if the entry is not
// ours.
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
