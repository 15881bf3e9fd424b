//go:build !windows && !darwin

package keychain

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// noSession is why there is no keychain if nobody has logged in to a desktop.
const noSession = words.Code("expand.keychain_no_session")

// reachable returns an error if there is no session bus, over which the keychain is reached. The library
// would then start a bus of its own with dbus-launch, which has no keychain and is never ended.
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

// service is the name of the keychain on the session bus.
const service = "org.freedesktop.secrets"

// busPatience is how long the bus may take to list its programs.
const busPatience = 2 * time.Second

// Absent reports whether there is certainly no keychain: no session, or no program on its bus that is a
// keychain or would be started as one. It asks only the bus, so nobody is asked for a password. If the bus
// does not answer it returns false: asking the keychain gives the error.
func Absent() bool {
	if reachable() != nil {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), busPatience)
	defer cancel()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close()
	for _, ask := range []string{"ListNames", "ListActivatableNames"} {
		var names []string
		if err := bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus."+ask, 0).Store(&names); err != nil || slices.Contains(names, service) {
			return false
		}
	}
	return true
}
