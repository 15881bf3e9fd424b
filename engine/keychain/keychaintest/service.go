//go:build !windows && !darwin

package keychaintest

import (
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// Behaviour is how a [Service] behaves.
type Behaviour int

// The behaviours.
const (
	Open     Behaviour = iota // it gives its secrets
	Locked                    // it is locked, and the person cancels each question for its password
	Refusing                  // it answers everything with an error
	Silent                    // it never answers
)

// Service is a keychain on a session bus of its own, as desktops have one, with the methods that libraries use.
type Service struct {
	Address string // of the bus

	behaviour Behaviour
	conn      *dbus.Conn
	silent    chan struct{} // closed at the end of the test

	mu      sync.Mutex
	secrets map[string]string // by service and name
	asked   int
	prompts int
}

const (
	servicePath = "/org/freedesktop/secrets"
	loginPath   = servicePath + "/collection/login"
	itemPath    = loginPath + "/"
	sessionPath = servicePath + "/session/1"
	promptPath  = servicePath + "/prompt/1"
	secretRoot  = "org.freedesktop.Secret."
)

// Serve starts a keychain with secrets of the service "workbench" on a bus of its own.
func Serve(t testing.TB, behaviour Behaviour, secrets map[string]string) *Service {
	t.Helper()
	s := &Service{Address: Bus(t), behaviour: behaviour, silent: make(chan struct{}), secrets: secrets}
	conn, err := dbus.Connect(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		close(s.silent)
		_ = conn.Close()
	})
	s.conn = conn
	for _, object := range []struct {
		path dbus.ObjectPath
		face string
		what any
	}{
		{servicePath, secretRoot + "Service", service{s}},
		{servicePath, "org.freedesktop.DBus.Properties", properties{s}},
		{loginPath, secretRoot + "Collection", collection{s}},
		{loginPath, "org.freedesktop.DBus.Properties", properties{s}},
		{sessionPath, secretRoot + "Session", session{}},
		{promptPath, secretRoot + "Prompt", prompt{s}},
	} {
		if err := conn.Export(object.what, object.path, object.face); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.ExportSubtree(item{s}, loginPath, secretRoot+"Item"); err != nil {
		t.Fatal(err)
	}
	for name := range secrets {
		if err := conn.Export(attributes{s, name}, dbus.ObjectPath(itemPath+name),
			"org.freedesktop.DBus.Properties"); err != nil {
			t.Fatal(err)
		}
	}
	if reply, err := conn.RequestName("org.freedesktop.secrets", 0); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	return s
}

// Asked returns how often secrets were asked for, and Prompts how often the person was asked for the password.
func (s *Service) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Prompts is described at [Service.Asked].
func (s *Service) Prompts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.prompts
}

// may answers a method: nil if it may go on.
func (s *Service) may() *dbus.Error {
	switch s.behaviour {
	case Refusing:
		return dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", []any{"refused"})
	case Silent:
		<-s.silent
		return dbus.NewError("org.freedesktop.DBus.Error.Failed", []any{"the end"})
	}
	return nil
}

type (
	service    struct{ s *Service }
	collection struct{ s *Service }
	properties struct{ s *Service }
	prompt     struct{ s *Service }
	item       struct{ s *Service }
	session    struct{}
)

func (p properties) Get(face, name string) (dbus.Variant, *dbus.Error) {
	if err := p.s.may(); err != nil {
		return dbus.Variant{}, err
	}
	switch name {
	case "Locked":
		return dbus.MakeVariant(p.s.behaviour == Locked), nil
	case "Collections":
		return dbus.MakeVariant([]dbus.ObjectPath{loginPath}), nil
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{name})
}

func (o service) OpenSession(string, dbus.Variant) (dbus.Variant, dbus.ObjectPath, *dbus.Error) {
	return dbus.MakeVariant(""), sessionPath, o.s.may()
}

func (o service) Unlock(what []dbus.ObjectPath) ([]dbus.ObjectPath, dbus.ObjectPath, *dbus.Error) {
	o.s.mu.Lock()
	o.s.asked++
	o.s.mu.Unlock()
	if o.s.behaviour == Locked {
		return []dbus.ObjectPath{}, promptPath, nil
	}
	return what, "/", o.s.may()
}

func (o prompt) Prompt(string) *dbus.Error {
	o.s.mu.Lock()
	o.s.prompts++
	o.s.mu.Unlock()
	_ = o.s.conn.Emit(promptPath, secretRoot+"Prompt.Completed", true, dbus.MakeVariant([]dbus.ObjectPath{}))
	return nil
}

func (o collection) SearchItems(search map[string]string) ([]dbus.ObjectPath, *dbus.Error) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	if _, one := search["username"]; !one && search["service"] == "workbench" {
		items := []dbus.ObjectPath{}
		for name := range o.s.secrets {
			items = append(items, dbus.ObjectPath(itemPath+name))
		}
		return items, nil
	}
	if _, ok := o.s.secrets[search["username"]]; !ok || search["service"] != "workbench" {
		return []dbus.ObjectPath{}, nil
	}
	return []dbus.ObjectPath{dbus.ObjectPath(itemPath + search["username"])}, nil
}

// attributes are the properties of an item.
type attributes struct {
	s    *Service
	name string
}

func (a attributes) Get(_, property string) (dbus.Variant, *dbus.Error) {
	if property != "Attributes" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{property})
	}
	return dbus.MakeVariant(map[string]string{"service": "workbench", "username": a.name}), a.s.may()
}

type secret struct {
	Session     dbus.ObjectPath
	Parameters  []byte
	Value       []byte
	ContentType string
}

func (o item) GetSecret(message dbus.Message, at dbus.ObjectPath) (secret, *dbus.Error) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	path, _ := message.Headers[dbus.FieldPath].Value().(dbus.ObjectPath)
	return secret{at, []byte{}, []byte(o.s.secrets[string(path[len(itemPath):])]), "text/plain"}, o.s.may()
}

func (session) Close() *dbus.Error { return nil }
