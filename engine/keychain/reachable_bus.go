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

// onBus calls ask with a connection to the session bus, and reports what it returns; false if there is none.
func onBus(ask func(ctx context.Context, bus *dbus.Conn) bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), busPatience)
	defer cancel()
	bus, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return false
	}
	defer bus.Close()
	return ask(ctx, bus)
}

// Absent reports whether there is certainly no keychain: no session, or no program on its bus that is a
// keychain or would be started as one. It asks only the bus, so nobody is asked for a password. If the bus
// does not answer it returns false: asking the keychain gives the error.
func Absent() bool {
	return reachable() != nil || onBus(func(ctx context.Context, bus *dbus.Conn) bool {
		for _, ask := range []string{"ListNames", "ListActivatableNames"} {
			var names []string
			err := bus.BusObject().CallWithContext(ctx, "org.freedesktop.DBus."+ask, 0).Store(&names)
			if err != nil || slices.Contains(names, service) {
				return false
			}
		}
		return true
	})
}

// The collections whose passwords the keychain asks for: that of the login, or else the usual one.
const (
	servicePath = "/org/freedesktop/secrets"
	loginPath   = servicePath + "/collection/login"
	usualPath   = servicePath + "/aliases/default"
)

// maxNames is how many secrets are listed.
const maxNames = 1000

// Names returns the names of the user's secrets in the keychain, in no order. Nobody is asked for a password. all is
// false if the keychain does not tell them, or not all of them.
func Names() (names []string, all bool) {
	if reachable() != nil {
		return nil, false
	}
	all = onBus(func(ctx context.Context, bus *dbus.Conn) bool {
		var items []dbus.ObjectPath
		search := func(path dbus.ObjectPath) error {
			return bus.Object(service, path).CallWithContext(ctx, "org.freedesktop.Secret.Collection.SearchItems", 0,
				map[string]string{"service": Service}).Store(&items)
		}
		if search(loginPath) != nil && search(usualPath) != nil {
			return false
		}
		for i, path := range items {
			var is dbus.Variant
			err := bus.Object(service, path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0,
				"org.freedesktop.Secret.Item", "Attributes").Store(&is)
			attributes, ok := is.Value().(map[string]string)
			if err != nil || !ok || i == maxNames {
				return false
			}
			if name := attributes["username"]; name != "" {
				names = append(names, name)
			}
		}
		return true
	})
	return names, all
}

// tellsLocked is whether the system says that the keychain is locked without asking for its password.
const tellsLocked = true

// locked reports whether the keychain is locked, so that it would ask for its password. It asks nobody for it. If the
// keychain does not say, locked returns false: asking the keychain gives the error.
func locked() bool {
	return onBus(func(ctx context.Context, bus *dbus.Conn) bool {
		for _, path := range []dbus.ObjectPath{loginPath, usualPath} {
			var is dbus.Variant
			err := bus.Object(service, path).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0,
				"org.freedesktop.Secret.Collection", "Locked").Store(&is)
			if value, ok := is.Value().(bool); err == nil && ok {
				return value
			}
		}
		return false
	})
}
