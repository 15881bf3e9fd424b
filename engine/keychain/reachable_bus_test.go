//go:build !windows && !darwin

package keychain

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestNoBusIsStarted checks that asking for a secret starts no program if there is no session bus.
func TestNoBusIsStarted(t *testing.T) {
	if _, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), "bus")); err == nil {
		t.Skip("there is a session bus here")
	}
	folder := t.TempDir()
	started := filepath.Join(folder, "started")
	if err := os.WriteFile(filepath.Join(folder, "dbus-launch"), []byte("#!/bin/sh\n: > "+started+"\nexit 1\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder)
	for _, address := range []string{"", "autolaunch:"} {
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		_, err := Get("anything")
		if !errors.Is(err, noSession) || !errors.Is(Set("anything", "x"), noSession) ||
			!errors.Is(Delete("anything"), noSession) {
			t.Errorf("with %q the error is %v", address, err)
		}
	}
	if _, err := os.Stat(started); err == nil {
		t.Error("dbus-launch was run")
	}
}
