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
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// The notification service of the desktop, on the session bus.
const (
	serviceName    = "org.freedesktop.Notifications"
	servicePath    = "/org/freedesktop/Notifications"
	serviceTimeout = 5 * time.Second // how long Presenter waits for an answer
	mostShown      = 64              // the number of notifications whose clicks are handled; older ones are only shown
)

// settling is how long a new notification accepts no approval. Nobody can have read it yet, so the click was meant for
// something else.
const settling = time.Second

// The names of the actions of a notification. Some desktops let any program replace the texts and buttons of our
// notification, so the name of the button that approves ends in a random text.
const (
	clicked       = "default" // a click on the notification itself; the desktops know this name
	lookButton    = "look"
	approveButton = "approve-"
)

// Presenter shows notifications and handles clicks on them.
type Presenter struct {
	conn   *dbus.Conn
	name   string // of the program
	id     string // of the program
	icon   string // a file
	heard  chan *dbus.Signal
	ready  chan struct{} // closed when the bus passes on clicks
	closed chan struct{} // closed by Close
	ended  chan struct{} // closed when listen has returned

	mu    sync.Mutex
	shown []*shownNotice // the oldest first
}

// shownNotice is a notification that the user may click.
type shownNotice struct {
	id       uint32
	owner    string    // the connection that shows it
	since    time.Time // when it was shown
	asks     bool      // it asks the user something
	approve  string    // the name of the button that approves; empty if there is none
	answered func(Answer)
	stop     func() bool // keeps the end of notice.Context from closing the notification; nil if there is no such Context
}

// NewPresenter returns a Presenter for app. The notifications show the picture in the file icon. Close the Presenter
// before host.
func NewPresenter(app fyne.App, host *tray.Host, icon string) *Presenter {
	p := &Presenter{conn: host.Bus(), name: app.Metadata().Name, id: app.UniqueID(), icon: icon,
		heard: make(chan *dbus.Signal, 16), ready: make(chan struct{}), closed: make(chan struct{}),
		ended: make(chan struct{})}
	p.conn.Signal(p.heard)
	background.Go(p.listen)
	return p
}

// signals matches the signals of the notification service.
func signals() []dbus.MatchOption {
	return []dbus.MatchOption{dbus.WithMatchSender(serviceName), dbus.WithMatchInterface(serviceName),
		dbus.WithMatchObjectPath(servicePath)}
}

// listen handles signals until the Presenter is closed.
func (p *Presenter) listen() {
	defer close(p.ended)
	_ = p.conn.AddMatchSignal(signals()...) // if this fails, notifications are shown but clicks do nothing
	close(p.ready)
	for {
		select {
		case <-p.closed:
			return
		case signal, more := <-p.heard:
			if !more {
				return // the bus is closed
			}
			p.hear(signal)
		}
	}
}

// hear handles a signal. Any program can send us a signal, so one counts only if it comes from the connection that
// shows the notification. A program cannot fake this, because the bus itself writes the sender into a signal.
func (p *Presenter) hear(signal *dbus.Signal) {
	var id uint32
	if len(signal.Body) == 0 || dbus.Store(signal.Body[:1], &id) != nil {
		return
	}
	switch signal.Name {
	case serviceName + ".ActionInvoked":
		var action string
		if len(signal.Body) < 2 || dbus.Store(signal.Body[1:2], &action) != nil {
			return
		}
		r := p.forget(func(r *shownNotice) bool { return r.id == id && r.owner == signal.Sender })
		switch {
		case r == nil:
		case action == r.approve && action != "" && time.Since(r.since) >= settling:
			r.answered(Approve)
		default:
			r.answered(Look)
		}
	case serviceName + ".NotificationClosed":
		p.forget(func(r *shownNotice) bool { return r.id == id && r.owner == signal.Sender })
	}
}

// forget removes a notification from p.shown and returns it. It returns nil if there is none.
func (p *Presenter) forget(is func(*shownNotice) bool) *shownNotice {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.shown, is)
	if i < 0 {
		return nil
	}
	r := p.shown[i]
	p.shown = slices.Delete(p.shown, i, i+1)
	if r.stop != nil {
		r.stop()
	}
	return r
}

// Show shows a notification with these texts. answered is called on any goroutine when the user clicks the
// notification. There is a button that approves if notice.Whole is not empty and the desktop can show these lines. The
// notification is closed when notice.Context ends.
func (p *Presenter) Show(title, text string, notice Notice, answered func(Answer)) error {
	if notice.Context != nil && notice.Context.Err() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), serviceTimeout)
	defer cancel()
	select {
	case <-p.ready: // no click is lost
	case <-ctx.Done():
	}
	owner, err := p.owner(ctx)
	if err != nil {
		return fmt.Errorf("finding out who shows notifications: %w", err)
	}
	service := p.conn.Object(owner, servicePath)
	var can, actions []string
	_ = service.CallWithContext(ctx, serviceName+".GetCapabilities", 0).Store(&can) // without an answer, can stays empty
	r := &shownNotice{owner: owner, asks: notice.Asks, answered: answered}
	// Offer actions only if the desktop can show buttons. For a notification with actions, some other desktops show a
	// dialog.
	if slices.Contains(can, "actions") {
		actions = []string{clicked, lang.L("Open Workbench")} // some desktops show this as a button, too
		if len(notice.Whole) > 0 && slices.Contains(can, "body") {
			r.approve = approveButton + rand.Text()
			// Whole comes first, so that a desktop that cuts long texts cuts the other text
			text = strings.Join(notice.Whole, "\n") + "\n" + text
			actions = append(actions, r.approve, lang.L("Approve"))
		}
		if notice.Asks {
			actions = append(actions, lookButton, lang.L("Review…"))
		}
	}
	if slices.Contains(can, "body-markup") {
		text = markup(text)
	}
	p.mu.Lock() // a click may be reported before Notify has returned the id
	defer p.mu.Unlock()
	hints := map[string]dbus.Variant{"desktop-entry": dbus.MakeVariant(p.id)}
	err = service.CallWithContext(ctx, serviceName+".Notify", 0, p.name, uint32(0), p.icon, title, text, actions, hints,
		int32(0)).Store(&r.id)
	if err != nil {
		return fmt.Errorf("showing a notification: %w", err)
	}
	r.since = time.Now()
	if len(p.shown) == mostShown {
		if oldest := p.shown[0]; oldest.stop != nil {
			oldest.stop()
		}
		p.shown = p.shown[1:]
	}
	p.shown = append(p.shown, r)
	if notice.Context != nil {
		r.stop = background.AfterEnd(notice.Context, func() {
			if p.forget(func(other *shownNotice) bool { return other == r }) != nil {
				p.withdraw(r)
			}
		})
	}
	return nil
}

// markup escapes a text for a desktop that reads it as markup.
func markup(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// owner returns the unique name of the connection that owns serviceName. If there is none, it asks the bus to start
// the notification service. Show sends a notification to this connection and not to serviceName, because the name may
// have another owner later.
func (p *Presenter) owner(ctx context.Context) (owner string, err error) {
	bus := p.conn.BusObject()
	find := func() error {
		return bus.CallWithContext(ctx, "org.freedesktop.DBus.GetNameOwner", 0, serviceName).Store(&owner)
	}
	if find() != nil {
		if err := bus.CallWithContext(ctx, "org.freedesktop.DBus.StartServiceByName", 0, serviceName,
			uint32(0)).Err; err != nil {
			return "", err
		}
		err = find()
	}
	return owner, err
}

// withdraw closes a notification.
func (p *Presenter) withdraw(r *shownNotice) {
	p.conn.Object(r.owner, servicePath).Go(serviceName+".CloseNotification",
		dbus.FlagNoReplyExpected|dbus.FlagNoAutoStart, nil, r.id)
}

// Close stops handling clicks and waits until listen has returned. It closes the notifications that ask something,
// because their answers would be lost.
func (p *Presenter) Close() {
	p.conn.RemoveSignal(p.heard)
	close(p.closed)
	<-p.ended
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.shown {
		if r.stop != nil {
			r.stop()
		}
		if r.asks {
			p.withdraw(r)
		}
	}
	p.shown = nil
}
