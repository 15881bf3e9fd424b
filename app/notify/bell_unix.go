//go:build linux || freebsd || openbsd || netbsd

package notify

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/app/tray"
)

// The notification service of the desktop, on the session bus.
const (
	bellName   = "org.freedesktop.Notifications"
	bellPath   = "/org/freedesktop/Notifications"
	bellAnswer = 5 * time.Second // how long Bell waits for an answer
	mostRung   = 64              // the number of notifications whose clicks are handled; older ones are only shown
)

// settling is how long a new notification accepts no approval. Nobody can have read it yet, so the click was meant for something else.
const settling = time.Second

// The names of the actions of a notification. Some desktops let any program replace the texts and buttons of our notification, so the name of the
// button that approves ends in a random text.
const (
	clicked       = "default" // a click on the notification itself; the desktops know this name
	lookButton    = "look"
	approveButton = "approve-"
)

// Bell shows notifications and handles clicks on them.
type Bell struct {
	conn   *dbus.Conn
	name   string // of the program
	id     string // of the program
	icon   string // a file
	heard  chan *dbus.Signal
	closed chan struct{} // closed by Close
	ended  chan struct{} // closed when listen has returned

	mu   sync.Mutex
	rung []*rung // the oldest first
}

// rung is a notification that the user may click.
type rung struct {
	id       uint32
	owner    string    // the connection that shows it
	since    time.Time // when it was shown
	asks     bool      // it asks the user something
	approve  string    // the name of the button that approves; empty if there is none
	answered func(Answer)
	stop     func() bool // keeps the end of notice.Context from closing the notification; nil if there is no such Context
}

// NewBell returns a Bell for app. The notifications show the picture in the file icon. Close the Bell before host.
func NewBell(app fyne.App, host *tray.Host, icon string) *Bell {
	b := &Bell{conn: host.Bus(), name: app.Metadata().Name, id: app.UniqueID(), icon: icon, heard: make(chan *dbus.Signal, 16), closed: make(chan struct{}), ended: make(chan struct{})}
	b.conn.Signal(b.heard)
	go b.listen()
	return b
}

// signals matches the signals of the notification service.
func signals() []dbus.MatchOption {
	return []dbus.MatchOption{dbus.WithMatchSender(bellName), dbus.WithMatchInterface(bellName), dbus.WithMatchObjectPath(bellPath)}
}

// listen handles signals until the Bell is closed.
func (b *Bell) listen() {
	defer close(b.ended)
	_ = b.conn.AddMatchSignal(signals()...) // if this fails, notifications are shown but clicks do nothing
	for {
		select {
		case <-b.closed:
			return
		case signal, more := <-b.heard:
			if !more {
				return // the bus is closed
			}
			b.hear(signal)
		}
	}
}

// hear handles a signal. Any program can send us a signal, so one counts only if it comes from the connection that shows the notification. A program
// cannot fake this, because the bus itself writes the sender into a signal.
func (b *Bell) hear(signal *dbus.Signal) {
	var id uint32
	if len(signal.Body) == 0 || dbus.Store(signal.Body[:1], &id) != nil {
		return
	}
	switch signal.Name {
	case bellName + ".ActionInvoked":
		var action string
		if len(signal.Body) < 2 || dbus.Store(signal.Body[1:2], &action) != nil {
			return
		}
		r := b.forget(func(r *rung) bool { return r.id == id && r.owner == signal.Sender })
		switch {
		case r == nil:
		case action == r.approve && action != "" && time.Since(r.since) >= settling:
			r.answered(Approve)
		default:
			r.answered(Look)
		}
	case bellName + ".NotificationClosed":
		b.forget(func(r *rung) bool { return r.id == id && r.owner == signal.Sender })
	}
}

// forget removes a notification from b.rung and returns it. It returns nil if there is none.
func (b *Bell) forget(is func(*rung) bool) *rung {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.rung, is)
	if i < 0 {
		return nil
	}
	r := b.rung[i]
	b.rung = slices.Delete(b.rung, i, i+1)
	if r.stop != nil {
		r.stop()
	}
	return r
}

// Ring shows a notification with these texts. answered is called on any goroutine when the user clicks the notification. There is a button
// that approves if notice.Whole is not empty and the desktop can show these lines. The notification is closed when notice.Context ends.
func (b *Bell) Ring(title, text string, notice Notice, answered func(Answer)) error {
	if notice.Context != nil && notice.Context.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), bellAnswer)
	defer cancel()
	owner, err := b.owner(ctx)
	if err != nil {
		return fmt.Errorf("finding out who shows notifications: %w", err)
	}
	bell := b.conn.Object(owner, bellPath)
	var can, actions []string
	_ = bell.CallWithContext(ctx, bellName+".GetCapabilities", 0).Store(&can) // without an answer, can stays empty
	r := &rung{owner: owner, asks: notice.Asks, answered: answered}
	// Offer actions only if the desktop can show buttons. For a notification with actions, some other desktops show a dialog.
	if slices.Contains(can, "actions") {
		actions = []string{clicked, lang.L("Open Workbench")} // some desktops show this as a button, too
		if len(notice.Whole) > 0 && slices.Contains(can, "body") {
			r.approve = approveButton + rand.Text()
			text = strings.Join(notice.Whole, "\n") + "\n" + text // Whole comes first, so that a desktop that cuts long texts cuts the other text
			actions = append(actions, r.approve, lang.L("Approve"))
		}
		if notice.Asks {
			actions = append(actions, lookButton, lang.L("Look at it…"))
		}
	}
	if slices.Contains(can, "body-markup") {
		text = markup(text)
	}
	b.mu.Lock() // a click may be reported before Notify has returned the id
	defer b.mu.Unlock()
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant(b.id)}
	err = bell.CallWithContext(ctx, bellName+".Notify", 0, b.name, uint32(0), b.icon, title, text, actions, hints, int32(0)).Store(&r.id)
	if err != nil {
		return fmt.Errorf("showing a notification: %w", err)
	}
	r.since = time.Now()
	if len(b.rung) == mostRung {
		if oldest := b.rung[0]; oldest.stop != nil {
			oldest.stop()
		}
		b.rung = b.rung[1:]
	}
	b.rung = append(b.rung, r)
	if notice.Context != nil {
		r.stop = context.AfterFunc(notice.Context, func() {
			if b.forget(func(other *rung) bool { return other == r }) != nil {
				b.withdraw(r)
			}
		})
	}
	return nil
}

// markup escapes a text for a desktop that reads it as markup.
func markup(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// owner returns the unique name of the connection that owns bellName. If there is none, it asks the bus to start the notification service. Ring sends a
// notification to this connection and not to bellName, because the name may have another owner later.
func (b *Bell) owner(ctx context.Context) (owner string, err error) {
	bus := b.conn.BusObject()
	find := func() error {
		return bus.CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, bellName).Store(&owner)
	}
	if find() != nil {
		if err := bus.CallWithContext(ctx, "org.freedesktop.DBus.StartServiceByName", 0, bellName, uint32(0)).Err; err != nil {
			return "", err
		}
		err = find()
	}
	return owner, err
}

// withdraw closes a notification.
func (b *Bell) withdraw(r *rung) {
	b.conn.Object(r.owner, bellPath).Go(bellName+".CloseNotification", dbus.FlagNoReplyExpected|dbus.FlagNoAutoStart, nil, r.id)
}

// Close stops handling clicks and waits until listen has returned. It closes the notifications that ask something, because their answers would be
// lost.
func (b *Bell) Close() {
	b.conn.RemoveSignal(b.heard)
	close(b.closed)
	<-b.ended
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.rung {
		if r.stop != nil {
			r.stop()
		}
		if r.asks {
			b.withdraw(r)
		}
	}
	b.rung = nil
}
