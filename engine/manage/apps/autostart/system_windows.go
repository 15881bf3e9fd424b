package autostart

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// Registry keys below HKEY_CURRENT_USER. In the second one the Task Manager stores which entries the user has
// turned off.
const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

func newSystem(func(string) string) (system, error) { return run{runKey, approvedKey}, nil }

// run is the list of programs that Windows starts when the user logs in.
type run struct{ list, approved string }

func (r run) where() string { return `HKEY_CURRENT_USER\` + r.list + `\` + Name }

func (r run) read() (entry, bool, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, r.list, registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return entry{}, false, nil
	}
	if err != nil {
		return entry{}, false, err
	}
	defer key.Close()
	line, _, err := key.GetStringValue(Name)
	switch {
	case errors.Is(err, registry.ErrNotExist):
		return entry{}, false, nil
	case errors.Is(err, registry.ErrUnexpectedType):
		return entry{foreign: true}, true, nil
	case err != nil:
		return entry{}, false, err
	}
	found := parseCommandLine(line)
	found.off = r.switchedOff()
	return found, true, nil
}

// parseCommandLine reads an entry. It is ours when it starts a program of our name without its window.
func parseCommandLine(line string) entry {
	arguments, err := windows.DecomposeCommandLine(line)
	if err != nil || len(arguments) != 2 || arguments[1] != HiddenFlag {
		return entry{foreign: true}
	}
	name := strings.ToLower(filepath.Base(arguments[0]))
	return entry{program: arguments[0], foreign: !strings.HasPrefix(name, "workbench")}
}

// switchedOff reports whether the user has turned the entry off in the Task Manager: its first byte is then
// odd.
func (r run) switchedOff() bool {
	key, err := registry.OpenKey(registry.CURRENT_USER, r.approved, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer key.Close()
	value, _, err := key.GetBinaryValue(Name)
	return err == nil && len(value) > 0 && value[0]&1 == 1
}

func (r run) write(program string) error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, r.list, registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer key.Close()
	// The path is always quoted. Without quotes, a path with spaces could start another program.
	if err := key.SetStringValue(Name, `"`+program+`" `+HiddenFlag); err != nil {
		return err
	}
	return r.forget()
}

// forget removes the Task Manager's note that the user has turned the entry off, since the user has now
// turned it on here.
func (r run) forget() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, r.approved, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer key.Close()
	if err := key.DeleteValue(Name); err != nil && !errors.Is(err, registry.ErrNotExist) {
		return err
	}
	return nil
}

func (r run) remove() error {
	key, err := registry.OpenKey(registry.CURRENT_USER, r.list, registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return fs.ErrNotExist
	}
	if err != nil {
		return err
	}
	defer key.Close()
	if err := key.DeleteValue(Name); err != nil {
		if errors.Is(err, registry.ErrNotExist) {
			return fs.ErrNotExist
		}
		return err
	}
	return r.forget()
}
