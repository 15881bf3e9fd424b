package userpath

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows/registry"
)

// key is where Windows keeps the user's variables, below HKEY_CURRENT_USER.
const key = "Environment"

// Run does what the installer asks for. ok is false if args are for something else.
func Run(args []string, complaints io.Writer) (status int, ok bool) {
	if len(args) != 2 || args[0] != Command || args[1] != "add" && args[1] != "remove" {
		return 0, false
	}
	program, err := os.Executable()
	if err == nil {
		err = change(key, filepath.Dir(program), args[1] == "add")
	}
	if err != nil {
		fmt.Fprintf(complaints, "PATH was not changed: %v\n", err)
		return 1, true
	}
	return 0, true
}

// change puts the folder into PATH, or takes it out. The kind of the value stays: with the other one, Windows
// would not replace the variables in it.
func change(key, folder string, add bool) error {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, key, registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return err
	}
	defer k.Close()
	path, kind, err := k.GetStringValue("Path")
	missing := errors.Is(err, registry.ErrNotExist)
	if err != nil && !missing {
		return err // also for a value that is no text, which is left alone
	}
	changed := without(path, folder)
	if add {
		if changed, err = with(path, folder); err != nil {
			return err
		}
	}
	switch {
	case changed == path:
		return nil
	case changed == "":
		return k.DeleteValue("Path")
	case kind == registry.SZ && !missing:
		return k.SetStringValue("Path", changed)
	}
	return k.SetExpandStringValue("Path", changed)
}
