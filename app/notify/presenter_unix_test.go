//go:build linux || freebsd || openbsd || netbsd

package notify_test

import (
	"context"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
)

const (
	serviceName = "org.freedesktop.Notifications"
	servicePath = "/org/freedesktop/Notifications"
	patience    = time.Minute
)

// desktop is a notification server on a session bus of its own.
type desktop struct {
	bus    string // its address
	conn   *dbus.Conn
	can    []string
	shown  chan card
	closed chan uint32
	last   uint32
}

// card is a notification as the desktop has received it.
type card struct {
	id          uint32
	title, text string
	actions     []string
}

// GetCapabilities is called by programs over D-Bus.
func (d *desktop) GetCapabilities() ([]string, *dbus.Error) { return d.can, nil }

// Notify is called by programs over D-Bus.
func (d *desktop) Notify(_ string, _ uint32, _, title, text string, actions []string, _ map[string]dbus.Variant,
	_ int32) (uint32, *dbus.Error) {
	d.last++
	d.shown <- card{d.last, title, text, actions}
	return d.last, nil
}

// CloseNotification is called by programs over D-Bus.
func (d *desktop) CloseNotification(id uint32) *dbus.Error {
	d.closed <- id
	return nil
}

// newDesktop starts a session bus with a desktop that has these capabilities.
func newDesktop(t *testing.T, can ...string) *desktop {
	t.Helper()
	d := &desktop{bus: keychaintest.Bus(t), can: can, shown: make(chan card, 100), closed: make(chan uint32, 100)}
	d.conn = d.connect(t)
	if err := d.conn.Export(d, servicePath, serviceName); err != nil {
		t.Fatal(err)
	}
	if reply, err := d.conn.RequestName(serviceName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return d
}

func (d *desktop) connect(t *testing.T) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(d.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// presenter returns what shows notifications on the desktop, and the name of its connection.
func (d *desktop) presenter(t *testing.T) (presenter *notify.Presenter, name string) {
	t.Helper()
	host, err := tray.NewHost(func(string) string { return d.bus })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { host.Close() })
	return notify.NewPresenter(test.NewTempApp(t), host, ""), host.Bus().Names()[0]
}

// show makes the presenter show a notice, and returns what the desktop got.
func (d *desktop) show(t *testing.T, presenter *notify.Presenter, notice notify.Notice,
	answered func(notify.Answer)) card {
	t.Helper()
	if err := presenter.Show(notice.Title, notice.Text, notice, answered); err != nil {
		t.Fatal(err)
	}
	return <-d.shown
}

// click does what a desktop does when the user clicks a notification or one of its buttons.
func (d *desktop) click(t *testing.T, id uint32, action string) {
	t.Helper()
	if err := d.conn.Emit(servicePath, serviceName+".ActionInvoked", id, action); err != nil {
		t.Fatal(err)
	}
}

// await returns the next value of a channel.
func await[T any](t *testing.T, values <-chan T) T {
	t.Helper()
	select {
	case v := <-values:
		return v
	case <-time.After(patience):
		t.Fatal("no value comes")
		panic("not reached")
	}
}

// settle is a little longer than the time in which a new notification accepts no approval.
const settle = 1100 * time.Millisecond

func question() notify.Notice {
	return notify.Notice{Title: "“a” was changed", Text: "dev › a: Look & see.", About: notify.Approval, Asks: true,
		Whole: []string{`args[0]: "<b>" → "x&y"`, `+ cwd: "/"`}}
}

func TestWhatADesktopShows(t *testing.T) {
	plain := question()
	plain.Whole = nil
	notAsking := notify.Notice{Title: "“a” works again", Text: "dev › a"}
	for _, c := range []struct {
		name    string
		can     []string
		notice  notify.Notice
		text    string
		actions []string // labels
	}{
		{"buttons", []string{"body", "actions"}, question(),
			"args[0]: \"<b>\" → \"x&y\"\n+ cwd: \"/\"\ndev › a: Look & see.",
			[]string{"Open Workbench", "Approve", "Review…"}},
		{"markup", []string{"body", "actions", "body-markup"}, question(),
			"args[0]: \"&lt;b&gt;\" → \"x&amp;y\"\n+ cwd: \"/\"\ndev › a: Look &amp; see.",
			[]string{"Open Workbench", "Approve", "Review…"}},
		{"more to see", []string{"body", "actions"}, plain, "dev › a: Look & see.",
			[]string{"Open Workbench", "Review…"}},
		{"no question", []string{"body", "actions"}, notAsking, "dev › a", []string{"Open Workbench"}},
		{"titles only", []string{"actions"}, question(), "dev › a: Look & see.", []string{"Open Workbench", "Review…"}},
		{"no buttons", []string{"body"}, question(), "dev › a: Look & see.", nil},
		{"nothing", nil, question(), "dev › a: Look & see.", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesktop(t, c.can...)
			presenter, _ := d.presenter(t)
			defer presenter.Close()
			got := d.show(t, presenter, c.notice, func(notify.Answer) {})
			var labels []string
			for pair := range slices.Chunk(got.actions, 2) {
				labels = append(labels, pair[1])
			}
			if got.title != c.notice.Title || got.text != c.text || !slices.Equal(labels, c.actions) {
				t.Errorf("the notification is %q\n%s\n%q", got.title, got.text, labels)
			}
		})
	}
}

// FuzzMarkup checks that a desktop that reads a text as markup shows the text unchanged.
func FuzzMarkup(f *testing.F) {
	f.Add("dev › R&D: <a href=\"x\">y</a>")
	f.Add("&lt;img src='http://x'/>&amp;]]><!-- -->")
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Map(func(r rune) rune { // as the program hands texts over
			if r < ' ' && r != '\n' || r == '\ufffe' || r == '\uffff' {
				return -1
			}
			return r
		}, strings.ToValidUTF8(text, ""))
		var read struct {
			Text     string     `xml:",chardata"`
			Elements []struct{} `xml:",any"`
		}
		if err := xml.Unmarshal([]byte("<body>"+notify.Markup(text)+"</body>"), &read); err != nil ||
			len(read.Elements) > 0 || read.Text != text {
			t.Errorf("as markup, %q is %q with %d elements, %v", text, read.Text, len(read.Elements), err)
		}
	})
}

// TestOnlyTheDesktopAnswers checks that no other program on the bus can press a button: not with a signal to all, not
// with a signal to us, not by closing a notification and sending one with the same number, and not with a notification
// in the place of ours, because its button cannot have the name of ours.
func TestOnlyTheDesktopAnswers(t *testing.T) {
	d := newDesktop(t, "body", "actions")
	presenter, us := d.presenter(t)
	defer presenter.Close()
	answers := make(chan notify.Answer, 10)
	answered := func(a notify.Answer) { answers <- a }
	first, second := d.show(t, presenter, question(), answered), d.show(t, presenter, question(), answered)
	approve := first.actions[2]
	if approve == second.actions[2] {
		t.Errorf("two buttons have the name %q", approve)
	}
	time.Sleep(settle)

	rogue := d.connect(t)
	for _, signal := range []string{"ActionInvoked", "NotificationClosed"} {
		for _, to := range []string{"", us} {
			message := &dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
				dbus.FieldPath: dbus.MakeVariant(dbus.ObjectPath(servicePath)), dbus.FieldInterface: dbus.MakeVariant(serviceName),
				dbus.FieldMember:    dbus.MakeVariant(signal),
				dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(uint32(0), "")),
				dbus.FieldSender:    dbus.MakeVariant(d.conn.Names()[0]),
			}, Body: []any{first.id, approve}}
			if to != "" {
				message.Headers[dbus.FieldDestination] = dbus.MakeVariant(to)
			}
			if call := rogue.Send(message, nil); call.Err != nil {
				t.Fatal(call.Err)
			}
		}
	}
	// after the answer, the bus has passed on the signals before it
	if err := rogue.BusObject().Call("org.freedesktop.DBus.GetId", 0).Err; err != nil {
		t.Fatal(err)
	}
	d.click(t, second.id, "approve")
	if got := await(t, answers); got != notify.Look {
		t.Errorf("a button with another name gives answer %d", got)
	}
	d.click(t, first.id, approve)
	if got := await(t, answers); got != notify.Approve {
		t.Errorf("the button of the desktop gives answer %d", got)
	}
	d.click(t, first.id, approve) // a second click
	third := d.show(t, presenter, question(), answered)
	d.click(t, third.id, "look")
	if got := await(t, answers); got != notify.Look || len(answers) > 0 {
		t.Errorf("the button to look gives answer %d, and %d more answers came", got, len(answers))
	}

	// Another program becomes the notification server, and numbers its notifications like the one before.
	fourth := d.show(t, presenter, question(), answered)
	if _, err := d.conn.ReleaseName(serviceName); err != nil {
		t.Fatal(err)
	}
	next := &desktop{bus: d.bus, conn: rogue, can: d.can, shown: make(chan card, 10), closed: make(chan uint32, 10),
		last: 100}
	if err := rogue.Export(next, servicePath, serviceName); err != nil {
		t.Fatal(err)
	}
	if reply, err := rogue.RequestName(serviceName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	next.click(t, fourth.id, fourth.actions[2])
	fifth := next.show(t, presenter, notify.Notice{Title: "x"}, answered)
	next.click(t, fifth.id, "default")
	if got := await(t, answers); got != notify.Look || len(answers) > 0 {
		t.Errorf("the new desktop gives answer %d, and %d more answers came", got, len(answers))
	}
}

// A click on a notification that has just appeared under the pointer approves nothing.
func TestFirstMomentApprovesNothing(t *testing.T) {
	d := newDesktop(t, "body", "actions")
	presenter, _ := d.presenter(t)
	defer presenter.Close()
	answers := make(chan notify.Answer, 10)
	shown := d.show(t, presenter, question(), func(a notify.Answer) { answers <- a })
	d.click(t, shown.id, shown.actions[2])
	if got := await(t, answers); got != notify.Look {
		t.Errorf("right after it has appeared, a click gives answer %d", got)
	}
}

// A question that was answered elsewhere is withdrawn. When the program ends, all questions are withdrawn.
func TestAnsweredElsewhere(t *testing.T) {
	d := newDesktop(t, "body", "actions")
	presenter, _ := d.presenter(t)
	answers := make(chan notify.Answer, 10)
	notice := question()
	ctx, end := context.WithCancel(t.Context())
	notice.Context = ctx
	first := d.show(t, presenter, notice, func(a notify.Answer) { answers <- a })
	end()
	if got := await(t, d.closed); got != first.id {
		t.Errorf("number %d is closed, not %d", got, first.id)
	}
	d.click(t, first.id, "default") // before the desktop has closed it
	if err := presenter.Show("late", "", notice, nil); err != nil || len(d.shown) > 0 {
		t.Errorf("a question that was answered is asked again: %v", err)
	}
	d.show(t, presenter, notify.Notice{Title: "x"}, func(notify.Answer) {})
	last := d.show(t, presenter, question(), func(a notify.Answer) { answers <- a })
	presenter.Close()
	if got := await(t, d.closed); got != last.id || len(d.closed) > 0 {
		t.Errorf("at the end, number %d is closed, and %d more", got, len(d.closed))
	}
	if len(answers) > 0 {
		t.Errorf("there is an answer: %d", <-answers)
	}
}
