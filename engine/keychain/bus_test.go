//go:build linux

package keychain_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestAbsent uses a real bus with only the test's programs on it.
func TestAbsent(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", keychaintest.Bus(t))
	if !keychain.Absent() {
		t.Error("a keychain is there, though none is on the bus")
	}
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if reply, err := conn.RequestName("org.freedesktop.secrets", 0); err != nil ||
		reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	if keychain.Absent() {
		t.Error("no keychain is there, though one is on the bus")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "nobody"))
	if keychain.Absent() {
		t.Error("a bus that does not answer counts as having no keychain")
	}
}

// TestNamesAreListedWithoutAsking: a locked keychain tells the names of its secrets, too.
func TestNamesAreListedWithoutAsking(t *testing.T) {
	for behaviour, want := range map[keychaintest.Behaviour]string{keychaintest.Open: "[a b] true",
		keychaintest.Locked: "[a b] true", keychaintest.Refusing: "[] false"} {
		service := keychaintest.Serve(t, behaviour, map[string]string{"a": "1", "b": "2"})
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", service.Address)
		names, all := keychain.Names()
		slices.Sort(names)
		if got := fmt.Sprint(names, all); got != want {
			t.Errorf("behaviour %d: %s, want %s", behaviour, got, want)
		}
		if service.Asked()+service.Prompts() > 0 {
			t.Errorf("behaviour %d: asked %d times, with %d questions", behaviour, service.Asked(), service.Prompts())
		}
	}
}

// TestLockedIsSeenWithoutAsking: whether a keychain is locked is found out without a question to the person.
func TestLockedIsSeenWithoutAsking(t *testing.T) {
	for behaviour, want := range map[keychaintest.Behaviour]bool{keychaintest.Open: false, keychaintest.Locked: true,
		keychaintest.Refusing: false} {
		service := keychaintest.Serve(t, behaviour, nil)
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", service.Address)
		if got := keychain.IsLocked(); got != want {
			t.Errorf("behaviour %d: locked is %v", behaviour, got)
		}
		if want {
			if err := keychain.Probe(); !words.Is(err, "expand.keychain_locked") {
				t.Errorf("a locked keychain can be used: %v", err)
			}
		}
		if service.Asked()+service.Prompts() > 0 {
			t.Errorf("behaviour %d: asked %d times, with %d questions", behaviour, service.Asked(), service.Prompts())
		}
	}
}
