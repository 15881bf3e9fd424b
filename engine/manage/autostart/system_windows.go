package autostart

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// Keys of the registry, below HKEY_CURRENT_USER. In the second one the task manager notes what the user has switched off.
const (
	runKey      = `Software\Microsoft\Windows\CurrentVersion\Run`
	approvedKey = `Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run`
)

func newSystem(func(string) string) (system, error) { return run{runKey, approvedKey}, nil }

// run is the list of what Windows starts when the user logs in.
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

// parseCommandLine reads an entry. One of ours starts a program of our name without its window.
func parseCommandLine(line string) entry {
	arguments, err := windows.DecomposeCommandLine(line)
	if err != nil || len(arguments) != 2 || arguments[1] != HiddenFlag {
		return entry{foreign: true}
	}
	name := strings.ToLower(filepath.Base(arguments[0]))
	return entry{program: arguments[0], foreign: !strings.HasPrefix(name, "workbench")}
}

// switchedOff reports whether the user has switched us off in the task manager: the first byte is odd then.
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
	// Always in quotes: without them a path with spaces might start another program.
	if err := key.SetStringValue(Name, `"`+program+`" `+HiddenFlag); err != nil {
		return err
	}
	return r.forget()
}

// forget takes back that the user has switched us off: now the user has switched us on.
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
