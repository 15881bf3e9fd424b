package setup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const ownServers = "{\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"files\": {\"command\": \"files\"},\n    " +
	"\"mail\": {\"command\": \"mail\"}\n  }\n}\n"

// home is a temporary home folder that has Claude Desktop in it.
type home struct {
	*Setup
	t       *testing.T
	folder  string
	claude  string // its file
	program string
	running atomic.Bool // whether Claude Desktop is running
}

func newHome(t *testing.T) *home {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the made-up home is one of Linux, whose paths a Windows path is not")
	}
	folder := t.TempDir()
	h := &home{t: t, folder: folder, claude: filepath.Join(folder, ".config", "Claude", "claude_desktop_config.json"),
		program: filepath.Join(folder, "bin", "workbench-desktop")}
	h.write(h.claude, ownServers)
	h.write(h.program, "")
	if err := os.Chmod(h.program, 0o700); err != nil {
		t.Fatal(err)
	}
	system := clients.System{
		OS: "linux", Home: folder, Getenv: func(string) string { return "" }, Stat: os.Stat, ReadDir: os.ReadDir,
		Processes: func() ([]clients.Process, error) {
			if h.running.Load() {
				return []clients.Process{{Pid: 7, Path: "/usr/bin/claude-desktop"}}, nil
			}
			return nil, nil
		},
	}
	location := config.Location{Path: filepath.Join(folder, "workbench-config.json"), Named: true}
	h.Setup = &Setup{
		System: system, Registrar: clients.New(system, filepath.Join(folder, "state")), Location: location,
		Launch: func() (clients.Launch, error) { return system.Launch(h.program, location.Path) },
	}
	return h
}

func (h *home) write(path, text string) {
	h.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		h.t.Fatal(err)
	}
}

func (h *home) read(path string) string {
	h.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	return string(text)
}

// broughtIn writes a configuration into which the servers of Claude Desktop were imported, and returns the
// plan of the import.
func (h *home) broughtIn() imports.Plan {
	plan := imports.Make(imports.Options{System: h.System, Clients: []string{"claude-desktop"}})
	h.write(h.Location.Path, `{"toolboxes": {"claude-desktop": {"mcpServers": {"files": {"command": "files"}, "mail": {"command": "mail"}}}}}`)
	return plan
}

// waits returns a Waiting that calls do.
func waits(do func()) Waiting { return func(*clients.RunningError) { do() } }

func TestUnknownClient(t *testing.T) {
	h := newHome(t)
	for _, connect := range []bool{true, false} {
		if _, err := h.Plan("nobody", connect); !words.Is(err, "setup.no_client") ||
			!strings.Contains(err.Error(), "claude-desktop") {
			t.Errorf("planning ends with %v", err)
		}
	}
}

// TestMakesAConfiguration: an empty configuration is made if there is none, so that the engine finds one when
// a client starts it.
func TestMakesAConfiguration(t *testing.T) {
	h := newHome(t)
	connect := func() error {
		plan, err := h.Plan("claude-desktop", true)
		if err != nil {
			return err
		}
		return h.Carry(t.Context(), plan, nil)
	}
	h.History, h.Author = filepath.Join(h.folder, "history"), store.AuthorWindow
	if err := connect(); err != nil || h.read(h.Location.Path) != config.Empty {
		t.Errorf("%v: the configuration is %q", err, h.read(h.Location.Path))
	}
	file, err := store.Open(store.Options{Location: h.Location, HistoryDir: h.History})
	if err != nil {
		t.Fatal(err)
	}
	if versions, err := file.History(); err != nil || len(versions) != 1 || versions[0].Author != store.AuthorWindow ||
		versions[0].Says.Code != "store.file_made" {
		t.Errorf("the history is %+v, %v", versions, err)
	}
	const mine = "{ // mine"
	h.write(h.Location.Path, mine)
	if err := connect(); err != nil || h.read(h.Location.Path) != mine {
		t.Errorf("%v: the configuration is %q", err, h.read(h.Location.Path))
	}
	h = newHome(t)
	h.Location.Path = "/proc/none/workbench-config.json"
	if err := connect(); !words.Is(err, "setup.no_configuration") || h.read(h.claude) != ownServers {
		t.Errorf("if no configuration can be made, connecting ends with %v", err)
	}
}

// TestCarry: a client that writes its file when it ends is waited for, and the change is made to what it
// wrote.
func TestCarry(t *testing.T) {
	h := newHome(t)
	plan, err := h.Plan("claude-desktop", true)
	if err != nil || !plan.Changed() {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	h.running.Store(true)
	var running *clients.RunningError
	if err := h.Carry(t.Context(), plan, nil); !errors.As(err, &running) || h.read(h.claude) != ownServers {
		t.Errorf("without waiting, connecting ends with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := h.Carry(ctx, plan, waits(cancel)); !errors.Is(err, context.Canceled) || h.read(h.claude) != ownServers {
		t.Errorf("after cancelling, connecting ends with %v", err)
	}
	if err := h.Carry(t.Context(), plan, waits(func() {
		h.write(h.claude, `{"theme": "light"}`)
		h.running.Store(false)
	})); err != nil {
		t.Fatal(err)
	}
	if text := h.read(h.claude); !strings.Contains(text, h.program) || !strings.Contains(text, "light") {
		t.Errorf("the file is\n%s", text)
	}
	out, err := h.Plan("claude-desktop", false)
	if err == nil {
		err = h.Carry(t.Context(), out, nil)
	}
	if err != nil || h.read(h.claude) != `{"theme": "light"}` {
		t.Errorf("disconnected, the file is\n%s%v", h.read(h.claude), err)
	}
}

// TestTakenOut: it is reported if another program removes the entry at once.
func TestTakenOut(t *testing.T) {
	h := newHome(t)
	for _, takes := range []bool{false, true} {
		plan, err := h.Plan("claude-desktop", true)
		if err != nil {
			t.Fatal(err)
		}
		h.settling = func() {
			if takes {
				h.write(h.claude, ownServers)
			}
		}
		err = h.Apply(t.Context(), plan, true)
		if words.Is(err, "setup.taken_out") != takes || !takes && err != nil {
			t.Errorf("with the entry removed %v, connecting ends with %v", takes, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	h.Settled, h.settling = time.Hour, cancel
	plan, err := h.Plan("claude-desktop", true)
	if err == nil {
		err = h.Apply(ctx, plan, true)
	}
	if !errors.Is(err, context.Canceled) || !strings.Contains(h.read(h.claude), h.program) {
		t.Errorf("after cancelling, connecting ends with %v", err)
	}
}

// TestTakeOver: the entries leave the client's file when it is connected. Disconnecting and putting them back
// restores the file.
func TestTakeOver(t *testing.T) {
	h := newHome(t)
	moved, err := h.TakeOver(t.Context(), "claude-desktop", h.broughtIn(), nil)
	if err != nil || moved.Problem() != nil || len(moved.Files) != 1 ||
		strings.Join(moved.Files[0].Names, " ") != "files mail" {
		t.Fatalf("removed was %+v, %v", moved, err)
	}
	if text := h.read(h.claude); !strings.Contains(text, h.program) || strings.Contains(text, "mail") ||
		!strings.Contains(text, "dark") {
		t.Errorf("the file is\n%s", text)
	}
	if h.read(moved.Files[0].Backup) != ownServers {
		t.Error("the backup is not the original file")
	}
	plan, err := h.Plan("claude-desktop", false)
	if err != nil {
		t.Fatal(err)
	}
	shown := h.PreviewBack(plan, moved.Files)
	if len(shown) != 1 || shown[0].File != h.claude || !strings.Contains(shown[0].Unified, "+    \"mail\"") ||
		strings.Contains(shown[0].Unified, "made-up") || !strings.Contains(shown[0].Unified, "-    \"workbench\"") {
		t.Errorf("disconnecting is shown as %+v", shown)
	}
	if err := h.Carry(t.Context(), plan, nil); err != nil {
		t.Fatal(err)
	}
	before, err := h.MovedBefore()
	if err != nil || len(before) != 1 || strings.Join(before[0].Names, " ") != "files mail" {
		t.Fatalf("the servers that can be put back are %+v, %v", before, err)
	}
	if err := h.PutAllBack(t.Context(), before, nil); err != nil || h.read(h.claude) != ownServers {
		t.Errorf("put back, the file is\n%s%v", h.read(h.claude), err)
	}
}

// TestPreview: the preview shows exactly what happens, with removed and added text in one difference and
// without secrets.
func TestPreview(t *testing.T) {
	h := newHome(t)
	plan, err := h.Plan("claude-desktop", true)
	if err != nil {
		t.Fatal(err)
	}
	before := h.read(h.claude)
	preview := h.Preview(plan, h.broughtIn())
	if len(preview.Changes) != 1 || preview.Changes[0].File != h.claude || h.read(h.claude) != before {
		t.Fatalf("the preview is %+v", preview)
	}
	if _, err := h.TakeOver(t.Context(), "claude-desktop", h.broughtIn(), nil); err != nil {
		t.Fatal(err)
	}
	after := h.read(h.claude)
	removed, added := 0, 0
	for _, line := range strings.Split(preview.Changes[0].Unified, "\n")[2:] {
		text := strings.TrimSpace(strings.TrimRight(strings.TrimLeft(line, "+-"), ","))
		switch {
		case strings.HasPrefix(line, "-"):
			removed++
			if text != "" && !strings.Contains(before, strings.Split(text, "***")[0]) {
				t.Errorf("the removed text %q was not in the file", text)
			}
		case strings.HasPrefix(line, "+"):
			added++
			if !strings.Contains(after, text) {
				t.Errorf("%q comes, and is not there: %s", text, after)
			}
		}
	}
	if removed == 0 || added == 0 {
		t.Errorf("the preview removes %d lines and adds %d:\n%s", removed, added, preview.Changes[0].Unified)
	}
}

// TestTakeOverLeavesWhatIsNeeded: an entry that is no longer in a toolbox stays in the client. While the
// client runs, every entry stays.
func TestTakeOverLeavesWhatIsNeeded(t *testing.T) {
	h := newHome(t)
	plan := h.broughtIn()
	h.running.Store(true)
	var running *clients.RunningError
	if _, err := h.TakeOver(t.Context(), "claude-desktop", plan, nil); !errors.As(err, &running) ||
		h.read(h.claude) != ownServers {
		t.Errorf("while the client is running, the change ends with %v", err)
	}
	moved, err := h.TakeOver(t.Context(), "claude-desktop", plan, waits(func() {
		h.write(h.Location.Path, `{"toolboxes": {"claude-desktop": {"mcpServers": {"files": {"command": "files"}}}}}`)
		h.running.Store(false)
	}))
	if text := h.read(h.claude); err != nil || len(moved.Files) != 1 ||
		strings.Join(moved.Files[0].Names, " ") != "files" || !strings.Contains(text, "mail") ||
		!strings.Contains(text, h.program) {
		t.Errorf("removed was %+v, %v\n%s", moved, err, text)
	}
}

// TestTakeOverFails: a client that cannot be connected keeps its entries.
func TestTakeOverFails(t *testing.T) {
	h := newHome(t)
	plan := h.broughtIn()
	if err := os.Remove(h.program); err != nil {
		t.Fatal(err)
	}
	if moved, err := h.TakeOver(t.Context(), "claude-desktop", plan, nil); err == nil || len(moved.Files) > 0 ||
		h.read(h.claude) != ownServers {
		t.Errorf("the change ends with %+v, %v\n%s", moved, err, h.read(h.claude))
	}
	if files, err := h.MovedBefore(); err != nil || len(files) > 0 {
		t.Errorf("these files still count as changed: %v, %v", files, err)
	}
}

// TestRefused: a file that cannot be changed safely is refused as a whole and reported.
func TestRefused(t *testing.T) {
	h := newHome(t)
	h.write(h.claude, `{"mcpServers": {"files": {"command": "files"}, "files": {"command": "files"}}}`)
	plan := imports.Make(imports.Options{System: h.System, Clients: []string{"claude-desktop"}})
	leaving := h.Leaving(plan)
	if len(leaving.Out) > 0 || len(leaving.Clients()) > 0 || len(leaving.Refused)+len(leaving.Stay) == 0 {
		t.Errorf("the servers that can be removed are %+v", leaving)
	}
	moved := h.TakeOut(plan)
	if len(moved.Files) > 0 || len(moved.Refused) != len(leaving.Refused) ||
		(moved.Problem() == nil) != (len(moved.Refused) == 0) {
		t.Errorf("removed was %+v", moved)
	}
}

func TestDownloadsAndBundle(t *testing.T) {
	h := newHome(t)
	if got := h.Downloads(); got != h.folder {
		t.Errorf("without a downloads folder, the folder is %s", got)
	}
	downloads := filepath.Join(h.folder, "Downloads")
	if err := os.Mkdir(downloads, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := h.Downloads(); got != downloads {
		t.Errorf("the downloads folder is %s", got)
	}
	options, err := h.Bundle("1.0.0", nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := SaveBundle(downloads, options)
	if err != nil || path != filepath.Join(downloads, "workbench.mcpb") || !strings.Contains(h.read(path), h.program) {
		t.Errorf("the bundle is %s, %v", path, err)
	}
}
