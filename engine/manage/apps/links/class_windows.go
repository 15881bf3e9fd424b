package links

import (
	"errors"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newSystem(func(string) string) (system, error) { return class{ClassKey}, nil }

// class is the registry key, among the user's classes, of the program that opens a scheme.
type class struct{ key string }

func (c class) command() string { return c.key + ClassCommand }

func (c class) status(program string) (Status, error) {
	key, err := registry.OpenKey(registry.CURRENT_USER, c.command(), registry.QUERY_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return Status{}, nil
	}
	if err != nil {
		return Status{}, words.NewError("links.unreadable", "Where", `HKEY_CURRENT_USER\`+c.key, "Why", err)
	}
	defer key.Close()
	line, _, err := key.GetStringValue("")
	if err != nil {
		return Status{}, nil
	}
	arguments, err := windows.DecomposeCommandLine(line)
	switch {
	case err != nil || len(arguments) == 0:
		return Status{Other: line}, nil
	case len(arguments) == 3 && strings.EqualFold(arguments[0], program) && arguments[1] == "--" && arguments[2] == "%1":
		return Status{On: true, Own: true}, nil
	}
	return Status{Other: arguments[0]}, nil
}

func (c class) register(program string) error {
	for _, value := range ClassValues(c.key, program) {
		key, _, err := registry.CreateKey(registry.CURRENT_USER, value[0], registry.SET_VALUE)
		if err == nil {
			err = key.SetStringValue(value[1], value[2])
			_ = key.Close()
		}
		if err != nil {
			return words.NewError("links.not_written", "Where", `HKEY_CURRENT_USER\`+value[0], "Why", err)
		}
	}
	return nil
}

func (c class) remove() error {
	for _, key := range []string{c.command(), c.key + `\shell\open`, c.key + `\shell`, c.key} {
		if err := registry.DeleteKey(registry.CURRENT_USER, key); err != nil && !errors.Is(err, registry.ErrNotExist) {
			return words.NewError("links.not_written", "Where", `HKEY_CURRENT_USER\`+key, "Why", err)
		}
	}
	return nil
}
