//go:build linux || freebsd || openbsd || netbsd

package tray

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// watcher is a name on the session bus. The program that shows tray icons owns it.
const watcher = "org.kde.StatusNotifierWatcher"

// answerTime is how long a tray may take to answer. A slower one counts as no tray.
const answerTime = time.Second

// Host is the part of the desktop that shows tray icons. Windows and macOS always have one. Other desktops may have
// none, and Fyne does not report that. A window that is closed into a missing tray would be lost, so we ask the
// session bus ourselves.
type Host struct {
	conn *dbus.Conn
}

// ErrNoBus says that there is no session bus, and so no tray.
var ErrNoBus = errors.New("there is no D-Bus session bus")

// NewHost connects to the session bus. Close ends the connection.
func NewHost(env func(string) string) (*Host, error) {
	address := env("DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		// The usual place of the bus. The library's own search would also start a new bus, to which no other program is
		// connected.
		socket := filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")
		if _, err := os.Stat(socket); err != nil {
			return nil, ErrNoBus
		}
		address = "unix:path=" + dbus.EscapeBusAddressValue(socket)
	}
	conn, err := connect(address, connectTime)
	if err != nil {
		return nil, fmt.Errorf("connecting to the session bus: %w", err)
	}
	return &Host{conn}, nil
}

// connectTime is how long the session bus may take to answer at the start of the program.
const connectTime = 3 * time.Second

// connect connects to a bus. The library would wait without a limit for one that accepts and says nothing.
func connect(address string, limit time.Duration) (*dbus.Conn, error) {
	type outcome struct {
		conn *dbus.Conn
		err  error
	}
	connected := make(chan outcome)
	late := make(chan struct{})
	background.Go(func() {
		conn, err := dbus.Connect(address)
		select {
		case connected <- outcome{conn, err}:
		case <-late:
			if err == nil {
				_ = conn.Close() // nobody wants it any more
			}
		}
	})
	select {
	case o := <-connected:
		return o.conn, o.err
	case <-time.After(limit):
		close(late)
		return nil, os.ErrDeadlineExceeded
	}
}

// Bus returns the connection to the session bus. Host closes it.
func (h *Host) Bus() *dbus.Conn { return h.conn }

// Present reports whether there is a tray now. It takes a second at most.
func (h *Host) Present() bool {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	var owned bool
	if err := h.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0,
		watcher).Store(&owned); err != nil || !owned {
		return false
	}
	// A watcher collects the icons, and a host draws them. A desktop may start one without the other. A watcher without
	// this property is a host itself.
	var registered dbus.Variant
	err := h.conn.Object(watcher, "/StatusNotifierWatcher").
		CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, watcher,
			"IsStatusNotifierHostRegistered").Store(&registered)
	answer, isBool := registered.Value().(bool)
	return err != nil || !isBool || answer
}

// Await waits until there is a tray or the context ends, and reports whether there is a tray. At the start of a
// session, programs start in any order, so the tray may come later than this program.
func (h *Host) Await(ctx context.Context) bool {
	match := []dbus.MatchOption{
		dbus.WithMatchSender("org.freedesktop.DBus"),
		dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged"),
		dbus.WithMatchArg(0, watcher),
	}
	if err := h.conn.AddMatchSignalContext(ctx, match...); err != nil {
		return h.Present()
	}
	defer h.conn.RemoveMatchSignal(match...)
	changes := make(chan *dbus.Signal, 8)
	h.conn.Signal(changes)
	defer h.conn.RemoveSignal(changes)
	// A watcher that owns its name may still wait for its host, so ask again and again.
	again := time.NewTicker(answerTime)
	defer again.Stop()
	for {
		if h.Present() {
			return true
		}
		select {
		case <-changes:
		case <-again.C:
		case <-ctx.Done():
			return h.Present()
		}
	}
}

// Close ends the connection to the bus.
func (h *Host) Close() error { return h.conn.Close() }
