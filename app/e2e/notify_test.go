//go:build linux

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

const notificationsName = "org.freedesktop.Notifications"

// notificationServer shows notifications, as a desktop does.
type notificationServer struct {
	conn    *dbus.Conn
	shown   chan string
	closed  chan uint32   // the ids of the notifications that the program has closed
	last    atomic.Uint32 // the id of the last notification
	actions atomic.Value  // its actions, as a []string
}

// GetCapabilities is called by programs over D-Bus.
func (b *notificationServer) GetCapabilities() ([]string, *dbus.Error) {
	return []string{"body", "body-markup", "actions"}, nil
}

// Notify is called by programs over D-Bus.
func (b *notificationServer) Notify(_ string, _ uint32, _, summary, body string, actions []string,
	_ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	b.actions.Store(actions)
	id := b.last.Add(1)
	b.shown <- summary + "\n" + body
	return id, nil
}

// CloseNotification is called by programs over D-Bus.
func (b *notificationServer) CloseNotification(id uint32) *dbus.Error {
	b.closed <- id
	return nil
}

// action returns the name of the button with a label. The button is one of the last notification.
func (b *notificationServer) action(t *testing.T, label string) string {
	t.Helper()
	acts := b.actions.Load().([]string)
	i := slices.Index(acts, label)
	if i < 1 {
		t.Fatalf("there is no button %q: %q", label, acts)
	}
	return acts[i-1]
}

// click reports that the user has clicked a notification.
func (b *notificationServer) click(t *testing.T, id uint32, action string) {
	t.Helper()
	if err := b.conn.Emit("/org/freedesktop/Notifications", notificationsName+".ActionInvoked", id, action); err != nil {
		t.Fatal(err)
	}
	if err := b.conn.Emit("/org/freedesktop/Notifications", notificationsName+".NotificationClosed", id,
		uint32(2)); err != nil {
		t.Fatal(err)
	}
}

// newNotificationServer starts a notification server on the bus of a session.
func newNotificationServer(t *testing.T, s *session) *notificationServer {
	t.Helper()
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	b := &notificationServer{conn: conn, shown: make(chan string, 32), closed: make(chan uint32, 32)}
	if err := conn.Export(b, "/org/freedesktop/Notifications", notificationsName); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(notificationsName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("owning %s: reply %v, %v", notificationsName, reply, err)
	}
	return b
}

// expect waits for a notification that begins with a text, and returns it.
func (b *notificationServer) expect(t *testing.T, beginning string) string {
	t.Helper()
	select {
	case got := <-b.shown:
		if !strings.HasPrefix(got, beginning) {
			t.Errorf("the notification is %q, not %q", got, beginning)
		}
		return got
	case <-time.After(patience):
		t.Fatalf("there is no notification %q", beginning)
		return ""
	}
}

// A server that an AI app uses fails several times and then works again. There is one notification for the failures
// and one for the recovery. The message of the server is shown as text, not as markup.
func TestNotifications(t *testing.T) {
	stop := filepath.Join(t.TempDir(), "stop")
	server := fake(fakeserver.Script{})
	server["args"] = []string{"-c",
		fmt.Sprintf("test -e '%s' && { echo '<b>gone & away</b>' >&2; exit 3; }; exec '%s'", stop, os.Args[0])}
	server["command"] = "/bin/sh"
	s := newSession(t, configured(map[string]any{"memory": server}))
	p, notifications := newPanel(t, s), newNotificationServer(t, s)
	s.run(t, "--hidden")
	icon := p.icon(t)
	client := s.newEngine(t)
	client.open(t, "dev")
	eventually(t, icon.says("● memory   "))

	if err := os.WriteFile(stop, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, pid := range client.servers(t) {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if got := notifications.expect(t, "“memory” stopped working\ndev › memory: "); !strings.Contains(got,
		": &lt;b&gt;gone &amp; away&lt;/b&gt;") {
		t.Errorf("the message of the server is not shown as plain text: %q", got)
	}
	if err := os.Remove(stop); err != nil {
		t.Fatal(err)
	}
	icon.clickIn(t, icon.find(t, "▲ memory"), "Restart", icon.says("● memory   "))
	notifications.expect(t, "“memory” works again\n")
	select {
	case more := <-notifications.shown:
		t.Errorf("there is another notification: %q", more)
	default:
	}
}

// find returns the label of the first line with a prefix.
func (i *icon) find(t *testing.T, beginning string) string {
	t.Helper()
	var found string
	eventually(t, func() error {
		_, entries, err := i.menu()
		if err != nil {
			return err
		}
		for _, label := range labels(entries) {
			if strings.HasPrefix(label, beginning) {
				found = label
				return nil
			}
		}
		return fmt.Errorf("no line of the menu begins with %q: %q", beginning, labels(entries))
	})
	return found
}
