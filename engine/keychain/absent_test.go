//go:build linux

package keychain

import (
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
)

// TestAbsent uses a real bus with only the test's programs on it.
func TestAbsent(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", keychaintest.Bus(t))
	if !Absent() {
		t.Error("a keychain is there, though none is on the bus")
	}
	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if reply, err := conn.RequestName(service, 0); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		t.Fatal(reply, err)
	}
	if Absent() {
		t.Error("no keychain is there, though one is on the bus")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "nobody"))
	if Absent() {
		t.Error("a bus that does not answer counts as having no keychain")
	}
}
