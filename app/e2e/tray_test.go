//go:build linux

package e2e

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// panel is a tray. Programs register an icon with it, as with the panel of a desktop, and the test inspects the icon.
type panel struct {
	conn       *dbus.Conn
	registered chan registration
}

// registration is the address of an icon that a program has registered.
type registration struct {
	sender string
	path   dbus.ObjectPath
}

// RegisterStatusNotifierItem is called by programs over D-Bus.
func (p *panel) RegisterStatusNotifierItem(service string, sender dbus.Sender) *dbus.Error {
	path := dbus.ObjectPath("/StatusNotifierItem")
	if len(service) > 0 && service[0] == '/' {
		path = dbus.ObjectPath(service)
	}
	p.registered <- registration{string(sender), path}
	return nil
}

// newPanel puts a tray on the bus of a session.
func newPanel(t *testing.T, s *session) *panel {
	t.Helper()
	conn, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	p := &panel{conn: conn, registered: make(chan registration, 8)}
	if err := conn.Export(p, "/StatusNotifierWatcher", watcherName); err != nil {
		t.Fatal(err)
	}
	if _, err := prop.Export(conn, "/StatusNotifierWatcher", prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: true, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0), Emit: prop.EmitTrue},
	}}); err != nil {
		t.Fatal(err)
	}
	if reply, err := conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("owning %s: reply %v, %v", watcherName, reply, err)
	}
	return p
}

// icon waits for the program's icon.
func (p *panel) icon(t *testing.T) *icon {
	t.Helper()
	select {
	case r := <-p.registered:
		return &icon{p.conn.Object(r.sender, r.path), p.conn, r.sender}
	case <-time.After(patience):
		t.Fatal("the program registered no icon with the tray")
		return nil
	}
}

// icon is the program's icon in the tray.
type icon struct {
	item   dbus.BusObject
	conn   *dbus.Conn
	sender string
}

// property reads a property of the icon into value.
func (i *icon) property(name string, value any) error {
	variant, err := i.item.GetProperty(itemName + "." + name)
	if err != nil {
		return fmt.Errorf("reading %s of the icon: %w", name, err)
	}
	return variant.Store(value)
}

// pixmap is a picture of the icon.
type pixmap struct {
	Width, Height int32
	Pixels        []byte // ARGB
}

// picture returns the icon's picture.
func (i *icon) picture() (pixmap, error) {
	var pictures []pixmap
	if err := i.property("IconPixmap", &pictures); err != nil {
		return pixmap{}, err
	}
	if len(pictures) == 0 {
		return pixmap{}, fmt.Errorf("the icon has no picture")
	}
	return pictures[0], nil
}

// entry is a line of the icon's menu.
type entry struct {
	id       int32
	label    string
	enabled  bool
	hidden   bool
	children []entry
}

// menu returns the icon's menu.
func (i *icon) menu() (dbus.BusObject, []entry, error) {
	var path dbus.ObjectPath
	if err := i.property("Menu", &path); err != nil {
		return nil, nil, err
	}
	object := i.conn.Object(i.sender, path)
	var revision uint32
	var root []any
	if err := object.Call(menuName+".GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
		return nil, nil, fmt.Errorf("reading the menu: %w", err)
	}
	top, err := readEntry(root)
	return object, top.children, err
}

func readEntry(value any) (entry, error) {
	fields, ok := value.([]any)
	if !ok {
		return entry{}, fmt.Errorf("an entry of the menu is a %T", value)
	}
	var read entry
	var properties map[string]dbus.Variant
	var children []dbus.Variant
	if err := dbus.Store(fields, &read.id, &properties, &children); err != nil {
		return entry{}, fmt.Errorf("reading an entry of the menu: %w", err)
	}
	read.label, _ = properties["label"].Value().(string)
	read.enabled, _ = properties["enabled"].Value().(bool)
	seen, told := properties["visible"].Value().(bool)
	read.hidden = told && !seen
	for _, child := range children {
		below, err := readEntry(child.Value())
		if err != nil {
			return entry{}, err
		}
		if !below.hidden {
			read.children = append(read.children, below)
		}
	}
	return read, nil
}

// find searches for an entry by its label, also in submenus.
func find(entries []entry, label string) (entry, bool) {
	for _, e := range entries {
		if e.label == label {
			return e, true
		}
		if below, ok := find(e.children, label); ok {
			return below, true
		}
	}
	return entry{}, false
}

// labels returns the labels of entries.
func labels(entries []entry) []string {
	var all []string
	for _, e := range entries {
		all = append(all, e.label)
		all = append(all, labels(e.children)...)
	}
	return all
}

// shows waits until the menu has all labels in has and none in hasNot.
func (i *icon) shows(t *testing.T, has []string, hasNot ...string) {
	t.Helper()
	eventually(t, func() error {
		_, entries, err := i.menu()
		if err != nil {
			return err
		}
		all := labels(entries)
		for _, label := range has {
			if !slices.Contains(all, label) {
				return fmt.Errorf("the menu lacks %q: %q", label, all)
			}
		}
		for _, label := range hasNot {
			if slices.Contains(all, label) {
				return fmt.Errorf("the menu has %q: %q", label, all)
			}
		}
		return nil
	})
}

// click clicks an entry of the menu and waits until done returns nil. The ids of entries change with the menu, so a
// click that comes too late is repeated. A click that counts may take a while, and after it there may be no menu.
func (i *icon) click(t *testing.T, label string, done func() error) {
	t.Helper()
	clicked := false
	eventually(t, func() error {
		if clicked && done() == nil {
			return nil
		}
		menu, entries, err := i.menu()
		if err != nil {
			return err
		}
		found, ok := find(entries, label)
		if !ok {
			return fmt.Errorf("the menu lacks %q: %q", label, labels(entries))
		}
		clicked = true // also if there is no answer, since the program may end before it has sent one
		if call := menu.Call(menuName+".Event", 0, found.id, "clicked", dbus.MakeVariant(int32(0)),
			uint32(0)); call.Err != nil {
			return fmt.Errorf("clicking %q: %w", label, call.Err)
		}
		for range 20 {
			if err = done(); err == nil {
				return nil
			}
			time.Sleep(100 * time.Millisecond)
		}
		return err
	})
}

// clickIn clicks an entry in the submenu of another one.
func (i *icon) clickIn(t *testing.T, parent, label string, done func() error) {
	t.Helper()
	eventually(t, func() error {
		if done() == nil {
			return nil
		}
		menu, entries, err := i.menu()
		if err != nil {
			return err
		}
		above, _ := find(entries, parent)
		found, ok := find(above.children, label)
		if !ok {
			return fmt.Errorf("the menu lacks %q in %q: %q", label, parent, labels(entries))
		}
		if call := menu.Call(menuName+".Event", 0, found.id, "clicked", dbus.MakeVariant(int32(0)),
			uint32(0)); call.Err != nil {
			return fmt.Errorf("clicking %q: %w", label, call.Err)
		}
		return soon(done)
	})
}
