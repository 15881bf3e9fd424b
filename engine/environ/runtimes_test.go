package environ

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// TestRuntimesComeLast: a program that Workbench has installed is found without asking the shell again, and
// comes after all others.
func TestRuntimesComeLast(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the files are those of Unix")
	}
	// Invented names are used, since this computer may have the real programs.
	home := newHome(t, map[string]string{
		".bun/bin/bun": "#!/bin/sh\n", "data/empty": "",
		"own/ournode": "#!/bin/sh\n",
	})
	ours := filepath.Join(home, "data", "workbench", "runtimes")
	if runtime.GOOS == "darwin" {
		ours = filepath.Join(home, "Library", "Application Support", "Workbench", "runtimes")
	}
	env := []string{"HOME=" + home, "PATH=" + filepath.Join(home, "nothing"), "SHELL=/no/such/shell",
		"XDG_DATA_HOME=" + filepath.Join(home, "data")}
	e := New(env)
	defer e.Close()
	if found := e.For(t.Context(), "ournpx"); Runs("ournpx", found) {
		t.Fatal("the program is found before it was installed")
	}
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(ours, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range []string{"24.9.0", "24.19.0", ".unpacking-1", "24", "x"} {
		put("node/"+version+"/bin/ournode", "#!/bin/sh\n")
		put("node/"+version+"/bin/ournpx", "#!/usr/bin/env ournode\n")
	}
	put("uv/0.12.5/ouruvx", "#!/bin/sh\n")
	found := e.For(t.Context(), "ournpx")
	if !Runs("ournpx", found) || !Runs("ouruvx", found) {
		t.Errorf("not found with %q", process.Getenv(found, "PATH"))
	}
	want := []string{filepath.Join(ours, "node", "24.19.0", "bin"), filepath.Join(ours, "uv", "0.12.5")}
	list := filepath.SplitList(process.Getenv(found, "PATH"))
	if len(list) < 4 || !slices.Equal(list[len(list)-2:], want) {
		t.Errorf("PATH is %q, want it to end with %q", list, want)
	}
	_, report := e.Complete(t.Context())
	if n := len(report.Folders); n < 2 || report.Folders[n-1] != (Folder{want[1], SourceWorkbench}) {
		t.Errorf("the report has %v", report.Folders)
	}

	// The user's own program comes first, and the environment stays as it was given.
	own := New(append(env[:1:1], "PATH="+filepath.Join(home, "own"), "SHELL=/no/such/shell", env[3]))
	defer own.Close()
	if path := process.Getenv(own.For(t.Context(), "ournode"), "PATH"); path != filepath.Join(home, "own") {
		t.Errorf("PATH is %s", path)
	}
	if path := process.Getenv(own.For(t.Context(), "ournpx"), "PATH"); !strings.HasPrefix(path,
		filepath.Join(home, "own")+":") {
		t.Errorf("the own node is not first: %s", path)
	}

	if err := os.RemoveAll(ours); err != nil {
		t.Fatal(err)
	}
	if Runs("ournpx", e.For(t.Context(), "ournpx")) {
		t.Error("the program is found after it was removed")
	}
}
