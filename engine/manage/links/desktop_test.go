//go:build !windows && !darwin

package links

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandler makes the desktop open links with a program, and undoes it. It uses the real xdg-mime with a
// home folder of its own.
func TestHandler(t *testing.T) {
	if _, err := exec.LookPath("xdg-mime"); err != nil {
		t.Skip("xdg-mime is not installed (package xdg-utils), and without it nothing can be switched on")
	}
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_DATA_HOME": filepath.Join(home, "data"),
		"XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_DATA_DIRS": filepath.Join(home, "none"),
		"XDG_CONFIG_DIRS": filepath.Join(home, "none"), "XDG_CURRENT_DESKTOP": "", "DISPLAY": "", "DE": "generic"} {
		t.Setenv(name, value)
	}
	for _, folder := range []string{"data", "config"} {
		if err := os.Mkdir(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program := filepath.Join(home, "a folder", "workbench 100%")
	h, err := New(os.Getenv, program)
	if err != nil {
		t.Fatal(err)
	}
	if status, err := h.Status(); err != nil || status != (Status{}) {
		t.Fatalf("%+v, %v", status, err)
	}
	if err := h.Set(true); err != nil {
		t.Fatal(err)
	}
	if status, err := h.Status(); err != nil || status != (Status{On: true, Own: true}) {
		t.Errorf("%+v, %v", status, err)
	}
	if status, err := (&Handler{h.system, h.here, "/usr/bin/another"}).Status(); err != nil || status.On ||
		status.Other == "" {
		t.Errorf("another program: %+v, %v", status, err)
	}
	text, err := os.ReadFile(filepath.Join(home, "data", "applications", ours))
	if err != nil || !strings.Contains(string(text),
		"Exec=\""+filepath.Join(home, "a folder", "workbench 100%%")+"\" %u\n") {
		t.Errorf("%s, %v", text, err)
	}
	if validate, err := exec.LookPath("desktop-file-validate"); err == nil {
		if out, err := exec.Command(validate,
			filepath.Join(home, "data", "applications", ours)).CombinedOutput(); err != nil {
			t.Errorf("%s", out)
		}
	}
	if err := h.Set(false); err != nil {
		t.Fatal(err)
	}
	if status, err := h.Status(); err != nil || status != (Status{}) {
		t.Errorf("after that: %+v, %v", status, err)
	}
	for _, bad := range []string{"workbench", "/a\nb"} {
		if (&Handler{h.system, h.here, bad}).Set(true) == nil {
			t.Errorf("%q was entered", bad)
		}
	}
}
