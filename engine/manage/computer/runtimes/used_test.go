//go:build !windows

package runtimes

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestUpdateKeepsWhatRuns updates a runtime while a process of the replaced version runs, and while a process
// has that version in its PATH.
func TestUpdateKeepsWhatRuns(t *testing.T) {
	for name, run := range map[string]func(folder string) *exec.Cmd{
		"a program of it": func(folder string) *exec.Cmd { return exec.Command(filepath.Join(folder, "sleep"), "600") },
		"another program": func(folder string) *exec.Cmd {
			cmd := exec.Command("sleep", "600")
			cmd.Env = []string{"PATH=/usr/bin:" + folder}
			return cmd
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, tarball(t, usual()))
			r := offering(t, s)
			if err := r.Get(t.Context(), "node", nil); err != nil {
				t.Fatal(err)
			}
			old, _ := r.Find("node")
			sleep, err := exec.LookPath("sleep")
			if err != nil {
				t.Fatal(err)
			}
			program, err := os.ReadFile(sleep)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(old.Folder, "sleep"), program, 0o700); err != nil {
				t.Fatal(err)
			}
			cmd := run(old.Folder)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })

			r.options.Offers[0].Version = "1.0.01" // nothing runs from this version
			if err := r.Get(t.Context(), "node", nil); err != nil {
				t.Fatal(err)
			}
			r.options.Offers[0].Version = "1.10.0"
			if err := r.Get(t.Context(), "node", nil); err != nil {
				t.Fatal(err)
			}
			r.Tidy(t.Context())
			if got := versions(t, r); !slices.Equal(got, []string{"1.0.0", "1.10.0"}) {
				t.Errorf("while the program runs, the versions are %q", got)
			}
			if now, _ := r.Find("node"); now.Installed != "1.10.0" {
				t.Errorf("servers get %s", now.Installed)
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // it was killed
			r.Tidy(t.Context())
			if got := versions(t, r); !slices.Equal(got, []string{"1.10.0"}) {
				t.Errorf("after the program has ended, the versions are %q", got)
			}
		})
	}
}

func versions(t *testing.T, r *Runtimes) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(r.options.Folder, "node"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
