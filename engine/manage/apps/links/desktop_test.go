//go:build !windows && !darwin

package links

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ownDesktop gives a test a home folder of its own for the real xdg-mime.
func ownDesktop(t *testing.T) (home string) {
	t.Helper()
	if _, err := exec.LookPath("xdg-mime"); err != nil {
		t.Skip("xdg-mime is not installed (package xdg-utils), and without it nothing can be switched on")
	}
	home = t.TempDir()
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
	return home
}

// TestHandlerOfAnother checks that another program which opens the links is shown, and is replaced only when that is
// asked for.
func TestHandlerOfAnother(t *testing.T) {
	home := ownDesktop(t)
	applications, program := filepath.Join(home, "data", "applications"), filepath.Join(home, "workbench")
	if err := os.Mkdir(applications, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		program: "#!/bin/sh\n", // xdg-mime leaves out programs that do not exist
		filepath.Join(applications, "other.desktop"): "[Desktop Entry]\nType=Application\nName=Other\nExec=sh %u\nMimeType=" +
			mimeType + ";\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("xdg-mime", "default", "other.desktop", mimeType).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	h, err := New(os.Getenv, program)
	if err != nil {
		t.Fatal(err)
	}
	if status, err := h.Status(); err != nil || status != (Status{Other: "other.desktop"}) {
		t.Errorf("before: %+v, %v", status, err)
	}
	if err := h.Set(true); err != nil {
		t.Fatal(err)
	}
	if status, err := h.Status(); err != nil || status != (Status{On: true, Own: true}) {
		t.Errorf("asked for: %+v, %v", status, err)
	}
}

// TestHandler makes the desktop open links with a program, and undoes it.
func TestHandler(t *testing.T) {
	home := ownDesktop(t)
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
