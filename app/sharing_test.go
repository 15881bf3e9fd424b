package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/requests"
)

const withSecret = `{"toolboxes": {"dev": {"description": "Letters", "mcpServers": {"github": {"command": "gh", "env": {"GITHUB_TOKEN": "made-up-token"}}}}}}`

// A toolbox is shown as it would be written, and is saved without its secrets. Dropping the file on any screen adds
// the toolbox again.
func TestShareAToolbox(t *testing.T) {
	b := newBench(t, withSecret, nil)
	b.share("dev")
	seen := func() string { return kittest.Texts(kittest.Seen(b.window.Window.Canvas().Overlays().Top())) }
	if got := seen(); !strings.Contains(got, "1 server, no passwords") ||
		!strings.Contains(got, "GITHUB_TOKEN: a secret. It is asked for.") || strings.Contains(got, "This is all") ||
		strings.Contains(got, "made-up") {
		t.Fatalf("shown is %s", got)
	}
	drawn.Keep(t, b.window.Window.Canvas(), "app-share")
	b.tapDialog("Show the file")
	drawn.Keep(t, b.window.Window.Canvas(), "app-share-file")
	if got := seen(); !strings.Contains(got, "This is all that the file will have in it.") {
		t.Errorf("unfolded, shown is %s", got)
	}
	if got := b.reading(); !strings.Contains(got, `"GITHUB_TOKEN": "{{GITHUB_TOKEN}}"`) ||
		strings.Contains(got, "made-up") {
		t.Fatalf("shown is %s", got)
	}
	path := filepath.Join(t.TempDir(), "new", "dev.toolbox.json")
	b.typePath(path)
	b.tapDialog("Save")
	b.until(func() string {
		if _, err := os.Stat(path); err != nil {
			return err.Error()
		}
		return ""
	})
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "made-up") ||
		!strings.Contains(string(data), `"workbenchToolbox": 1`) {
		t.Fatalf("%v\n%s", err, data)
	}

	// An existing file is replaced only after the user has agreed.
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.until(func() string {
		if b.window.Window.Canvas().Overlays().Top() != nil {
			return "the dialog is still there"
		}
		return ""
	})
	b.share("dev")
	b.typePath(path)
	b.tapDialog("Save")
	b.until(func() string {
		if got := b.reading(); !strings.Contains(got, "There is such a file already.") {
			return "shown is " + got
		}
		return ""
	})
	if now, err := os.ReadFile(path); err != nil || string(now) != "mine" {
		t.Fatalf("%v %s", err, now)
	}
	b.tapDialog("Replace it")
	b.until(func() string {
		if now, err := os.ReadFile(path); err != nil || string(now) != string(data) {
			return "it has " + string(now)
		}
		return ""
	})

	b.places.Choose(placeSettings)
	b.window.Window.Canvas().Overlays().Remove(b.window.Window.Canvas().Overlays().Top())
	b.dropped(fyne.NewPos(0, 0), []fyne.URI{storage.NewFileURI(path)})
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "the dialog does not open"
		}
		return ""
	})
	if got := b.reading(); !strings.Contains(got, "“dev-2”") {
		t.Errorf("shown is %s", got)
	}
}

// typePath types into the only field of the dialog.
func (b *bench) typePath(path string) {
	b.t.Helper()
	for _, object := range test.LaidOutObjects(b.window.Window.Canvas().Overlays().Top()) {
		if in, ok := object.(*kit.Input); ok {
			in.SetText(path)
			return
		}
	}
	b.t.Fatal("there is no field for the path")
}

// A file passed by another start of the program is opened, but does not replace what the user is looking at.
func TestOpenedFromOutside(t *testing.T) {
	b := newBench(t, oneServer, nil)
	folder := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(folder, name+".toolbox.json")
		if err := os.WriteFile(path, []byte(`{"workbenchToolbox": 1, "name": "`+name+
			`", "mcpServers": {"x": {"command": "run-`+name+`"}}}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	asked := requests.New()
	go b.handleRequests(t.Context(), asked, func() {})
	b.visible.Store(false)
	asked.Open(file("office"))
	b.until(func() string {
		if got := b.reading(); !strings.Contains(got, "run-office") || !b.visible.Load() {
			return "shown is " + got
		}
		return ""
	})
	asked.Open(file("other"))
	b.until(func() string {
		if got := b.toast(); !strings.Contains(got, "A file or link was not opened") {
			return "shown is " + got
		}
		return ""
	})
	if got := b.reading(); !strings.Contains(got, "run-office") || strings.Contains(got, "run-other") {
		t.Errorf("shown is %s", got)
	}
	if strings.Contains(b.text(), "run-office") {
		t.Error("the toolbox was added")
	}
	if focused, ok := b.window.Window.Canvas().Focused().(*kit.Button); !ok || focused.Text != "Cancel" {
		t.Error("Cancel does not have the focus, so a key that was meant for another window could add the toolbox")
	}
	for range 1000 { // further requests do not block and use no memory
		asked.Open(file("other"))
	}
}

// TestReviewIsNotReplacedFromOutside checks that a file from outside does not replace what the user has opened while
// the file was read, and that only regular files are read.
func TestReviewIsNotReplacedFromOutside(t *testing.T) {
	b := newBench(t, oneServer, nil)
	path := filepath.Join(t.TempDir(), "evil.toolbox.json")
	if err := os.WriteFile(path, []byte(
		`{"workbenchToolbox": 1, "name": "evil", "mcpServers": {"x": {"command": "run-evil"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.openThis(path)
	b.adding.Open(add.Start{Text: `{"workbenchToolbox": 1, "name": "mine", "mcpServers": {"x": {"command": "run-mine"}}}`})
	b.until(func() string {
		if got := b.toast(); !strings.Contains(got, "A file or link was not opened") {
			return "shown is " + got
		}
		return ""
	})
	if got := b.reading(); !strings.Contains(got, "run-mine") || strings.Contains(got, "run-evil") {
		t.Errorf("shown is %s", got)
	}
	b.adding.Dialog().Close()
	b.openThis(t.TempDir())
	b.until(func() string {
		if got := b.reading(); !strings.Contains(got, "cannot be read") {
			return "shown is " + got
		}
		return ""
	})
}

// TestFileAddress checks that a file can also be opened by its URL, as macOS passes it, but not by the URL of a file
// on another computer.
func TestFileAddress(t *testing.T) {
	b := newBench(t, oneServer, nil)
	path := filepath.Join(t.TempDir(), "an office.toolbox.json")
	if err := os.WriteFile(path, []byte(
		`{"workbenchToolbox": 1, "name": "office", "mcpServers": {"x": {"command": "run-office"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	address := filepath.ToSlash(strings.ReplaceAll(path, " ", "%20"))
	b.openThis("file://other-computer" + address)
	b.openThis("file://" + address)
	b.until(func() string {
		if b.adding.Dialog() == nil || !strings.Contains(b.reading(), "run-office") {
			return "it is not shown"
		}
		return ""
	})
}
