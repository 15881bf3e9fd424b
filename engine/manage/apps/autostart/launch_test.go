//go:build linux

package autostart

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestDesktopsUnderstandTheEntry has GLib read an entry. Most desktops start programs through GLib, and may
// read an entry differently than this package does.
func TestDesktopsUnderstandTheEntry(t *testing.T) {
	gio, err := exec.LookPath("gio")
	if err != nil {
		t.Skip("gio is not installed")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, `a dir`, `w"b$c`+"`d`"+`\e'f&j;k|l<m>n~o*p?q#r(s)ü`)
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program,
		[]byte("#!/bin/sh\nprintf '%s' \"$#$1\" > \"$STARTED.new\" && mv \"$STARTED.new\" \"$STARTED\"\n"),
		0o700); err != nil {
		t.Fatal(err)
	}
	system := newDesktop(folder)
	if err := (&Autostart{system: system}).Enable(program); err != nil {
		t.Fatal(err)
	}
	launch := exec.Command(gio, "launch", system.path)
	launch.Env = append(os.Environ(), "STARTED="+filepath.Join(folder, "started"))
	if out, err := launch.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(folder, "started")); err == nil {
			if string(text) != "1"+HiddenFlag {
				t.Errorf("the program was started with %q", text)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the program was not started")
		}
	}
}
