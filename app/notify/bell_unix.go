//go:build linux || freebsd || openbsd || netbsd

package notify

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// The part of a desktop that shows notifications, on the session bus.
const (
	bellName   = "org.freedesktop.Notifications"
	bellPath   = "/org/freedesktop/Notifications"
	bellAnswer = 5 * time.Second // how long it may take to answer
	mostRung   = 64              // notifications whose clicks are listened for; older ones are only shown
)

// Bell shows notifications, and hears of clicks on them.
type Bell struct {
	conn   *dbus.Conn
	name   string // of the program
	id     string // of the program
	icon   string // a file
	heard  chan *dbus.Signal
	closed chan struct{}
	ended  chan struct{}

	mu   sync.Mutex
	rung []rung
}

// rung is a notification that can be clicked.
type rung struct {
	id     uint32
	tapped func()
}

// NewBell returns what shows the notifications of an app, with the picture in the file icon. Close ends its listening; the host is closed after it.
func NewBell(app fyne.App, host *tray.Host, icon string) *Bell {
	b := &Bell{conn: host.Bus(), name: app.Metadata().Name, id: app.UniqueID(), icon: icon, heard: make(chan *dbus.Signal, 16), closed: make(chan struct{}), ended: make(chan struct{})}
	b.conn.Signal(b.heard)
	go b.listen()
	return b
}

// signals are those of whoever shows notifications.
func signals() []dbus.MatchOption {
	return []dbus.MatchOption{dbus.WithMatchSender(bellName), dbus.WithMatchInterface(bellName), dbus.WithMatchObjectPath(bellPath)}
}

// listen hears of clicks until the bell is closed.
func (b *Bell) listen() {
	defer close(b.ended)
	_ = b.conn.AddMatchSignal(signals()...) // without it notifications are only shown
	for {
		select {
		case <-b.closed:
			return
		case signal, more := <-b.heard:
			if !more {
				return // the bus has gone
			}
			b.hear(signal)
		}
	}
}

func (b *Bell) hear(signal *dbus.Signal) {
	var id uint32
	if len(signal.Body) == 0 || dbus.Store(signal.Body[:1], &id) != nil {
		return
	}
	switch signal.Name {
	case bellName + ".ActionInvoked":
		if tapped := b.forget(id); tapped != nil {
			tapped()
		}
	case bellName + ".NotificationClosed":
		b.forget(id)
	}
}

// forget forgets a notification, and returns what a click on it does, which is nil when it is not known.
func (b *Bell) forget(id uint32) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.rung, func(r rung) bool { return r.id == id })
	if i < 0 {
		return nil
	}
	tapped := b.rung[i].tapped
	b.rung = slices.Delete(b.rung, i, i+1)
	return tapped
}

// Ring shows a notification whose texts are ready for it. tapped is called when somebody clicks it, on any goroutine; whatever happens there
// comes from another program, so it must do no more than show something. look is what its button says; empty: it has none.
func (b *Bell) Ring(title, text, look string, tapped func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), bellAnswer)
	defer cancel()
	bell := b.conn.Object(bellName, bellPath)
	var can, actions []string
	// A desktop that cannot show buttons may show a dialog instead, as one did.
	if bell.CallWithContext(ctx, bellName+".GetCapabilities", 0).Store(&can) == nil && slices.Contains(can, "actions") {
		actions = []string{"default", title}
		if look != "" {
			actions = append(actions, "look", look)
		}
	}
	b.mu.Lock() // a click may be heard before the answer has come
	defer b.mu.Unlock()
	var id uint32
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant(b.id)}
	err := bell.CallWithContext(ctx, bellName+".Notify", 0, b.name, uint32(0), b.icon, title, text, actions, hints, int32(0)).Store(&id)
	if err != nil {
		return fmt.Errorf("showing a notification: %w", err)
	}
	if len(actions) > 0 {
		b.rung = append(b.rung[max(0, len(b.rung)-mostRung+1):], rung{id, tapped})
	}
	return nil
}

// Close ends the listening, and waits for its end.
func (b *Bell) Close() {
	b.conn.RemoveSignal(b.heard)
	close(b.closed)
	<-b.ended
}
