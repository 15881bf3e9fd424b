package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestBeforeRemoval runs what the packages run before they are removed, on a computer with two people: only who has
// connected AI apps is named, nothing is changed unasked, and an update says nothing.
func TestBeforeRemoval(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the packages are for Linux")
	}
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("ada/.local/state/workbench/clients/ledger.json", `{"format":1,"records":[{"client":"cursor"}]}`)
	write("bob/.local/state/workbench/clients/ledger.json", `{"format":1,"records":[]}`)
	write("bin/getent", "#!/bin/sh\necho \"root:x:0:0:root:$0:/bin/sh\nada:x:1:1:Ada:"+folder+"/ada:/bin/sh\nbob:x:2:2:Bob:"+
		folder+"/bob:/bin/sh\"\n")
	write("bin/runuser", "#!/bin/sh\necho RAN \"$@\"\n")
	said := func(argument string) string {
		// In a session of its own there is no terminal to ask at.
		script := exec.CommandContext(t.Context(), "setsid", "--wait", "sh", "linux/preremove", argument)
		script.Env = []string{"PATH=" + filepath.Join(folder, "bin") + ":" + os.Getenv("PATH")}
		out, err := script.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", argument, err, out)
		}
		return string(out)
	}
	for _, argument := range []string{"remove", "0", "1.2.3-1"} {
		out := said(argument)
		if !strings.Contains(out, "AI apps of ada") || strings.Contains(out, "bob") || strings.Contains(out, "RAN") ||
			!strings.Contains(out, "workbench-desktop uninstall") {
			t.Errorf("%s: %s", argument, out)
		}
	}
	for _, argument := range []string{"upgrade", "1", "failed-upgrade", "deconfigure"} {
		if out := said(argument); out != "" {
			t.Errorf("%s: %s", argument, out)
		}
	}
	// At a terminal it asks, and does it with Enter.
	at := exec.CommandContext(t.Context(), "script", "-qec", "sh linux/preremove remove", "/dev/null")
	at.Env = []string{"PATH=" + filepath.Join(folder, "bin") + ":" + os.Getenv("PATH"), "SHELL=/bin/sh"}
	at.Stdin = strings.NewReader("\n")
	out, err := at.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "RAN -u ada -- env -i HOME="+folder+"/ada PATH=/usr/bin:/bin "+
		"workbench-engine uninstall --yes") {
		t.Errorf("at a terminal: %v\n%s", err, out)
	}
}
