package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// deadline is long, since the machine may be busy.
const deadline = 60 * time.Second

// The test binary starts itself as another process.
const (
	envRole    = "STORE_TEST_ROLE"
	envFile    = "STORE_TEST_FILE"
	envHistory = "STORE_TEST_HISTORY"
	envName    = "STORE_TEST_NAME"
)

func TestMain(m *testing.M) {
	role, ok := roles()[os.Getenv(envRole)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := role(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func openAsChild() (*Store, error) {
	return Open(Options{
		Location:   config.Location{Path: os.Getenv(envFile), Source: config.SourceDefault},
		HistoryDir: os.Getenv(envHistory),
	})
}

// place has the paths of a test's files.
type place struct {
	t       *testing.T
	file    string
	history string
}

// placed makes a place with a file, or without one if content is empty.
func placed(t *testing.T, content string) place {
	t.Helper()
	folder := t.TempDir()
	p := place{t, filepath.Join(folder, "config", config.FileName), filepath.Join(folder, "history")}
	if content != "" {
		if err := os.Mkdir(filepath.Dir(p.file), 0o755); err != nil {
			t.Fatal(err)
		}
		p.write(content)
	}
	return p
}

// write replaces the file, as many editors do.
func (p place) write(content string) {
	p.t.Helper()
	other := filepath.Join(filepath.Dir(p.file), "written.by.another")
	if err := os.WriteFile(other, []byte(content), 0o644); err != nil {
		p.t.Fatal(err)
	}
	// On Windows a file cannot be replaced while another program reads it. Editors retry too.
	for end := time.Now().Add(3 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		err := os.Rename(other, p.file)
		if err == nil {
			return
		}
		if runtime.GOOS != "windows" || time.Now().After(end) {
			p.t.Fatal(err)
		}
	}
}

func (p place) read() string {
	p.t.Helper()
	content, err := os.ReadFile(p.file)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(content)
}

func (p place) options() Options {
	return Options{
		Location:   config.Location{Path: p.file, Source: config.SourceDefault},
		HistoryDir: p.history,
		Author:     AuthorWindow,
		Quiet:      5 * time.Millisecond,
		Poll:       50 * time.Millisecond,
	}
}

func (p place) open() *Store {
	p.t.Helper()
	s, err := Open(p.options())
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// clean checks that the folder has only the file.
func (p place) clean() {
	p.t.Helper()
	entries, err := os.ReadDir(filepath.Dir(p.file))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != filepath.Base(p.file) {
			p.t.Errorf("%s was left in the folder", entry.Name())
		}
	}
}

// run runs a store until the test ends.
func run(t *testing.T, s *Store) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		select {
		case <-ended:
		case <-time.After(deadline):
			t.Error("Run doesn't end")
		}
	})
}

// patch returns an Op that applies a JSON patch (RFC 6902) and keeps comments.
func patch(operations string) Op {
	return OpFunc(func(source []byte) ([]byte, error) {
		v, err := hujson.Parse(source)
		if err != nil {
			return nil, err
		}
		if err := v.Patch([]byte(operations)); err != nil {
			return nil, err
		}
		return v.Pack(), nil
	})
}

func addToolbox(name string) Op {
	return patch(fmt.Sprintf(`[{"op": "add", "path": "/toolboxes/%s", "value": {"mcpServers": {}}}]`, name))
}

func edited(t *testing.T, s *Store, label string, ops ...Op) Change {
	t.Helper()
	change, err := s.Edit(t.Context(), label, ops...)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	if change.Unrecorded != nil {
		t.Fatalf("%s: %v", label, change.Unrecorded)
	}
	return change
}

func toolboxes(d *config.Document) string {
	var names []string
	for _, box := range d.Config.Toolboxes {
		names = append(names, box.Name)
	}
	return strings.Join(names, " ")
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func labels(t *testing.T, s *Store) string {
	t.Helper()
	versions, err := s.History()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, v := range versions {
		all = append(all, v.ID+" "+v.Label)
	}
	return strings.Join(all, ", ")
}

const small = `{
  // mine
  "toolboxes": {
    "dev": {"mcpServers": {"memory": {"command": "npx", "args": ["-y", "memory"]}}},
  },
}
`

// undoes returns the label of the edit that Undo would take back, or "".
func undoes(s *Store) string {
	if waiting := s.Snapshot().Pending; waiting != nil {
		return waiting.Label
	}
	if len(s.undo) == 0 {
		return ""
	}
	return s.undo[len(s.undo)-1].label
}
