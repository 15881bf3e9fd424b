//go:build !windows && !darwin

package keychain

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// noSession is why there is no keychain where nobody has logged in to a desktop.
const noSession = words.Code("expand.keychain_no_session")

// reachable returns an error where there is no session bus, on which the keychain is asked. The library would start a bus of its own then,
// with dbus-launch: nobody is on it, and nobody ends it.
func reachable() error {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return nil
	}
	folder := filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return nil
		}
	}
	return noSession
}
