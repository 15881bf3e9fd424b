package app

import (
	"archive/zip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
)

// droppedBundle makes an extension that starts a program of this computer.
func droppedBundle(t *testing.T, folder, name, platform string) fyne.URI {
	t.Helper()
	path := filepath.Join(folder, name)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := zip.NewWriter(file)
	f, err := w.Create("manifest.json")
	if err == nil {
		_, err = f.Write([]byte(`{"manifest_version": "0.2", "name": "dropped", "version": "1", "description": "", "author": {"name": "Ann"},
			"compatibility": {"platforms": ["` + platform + `"]},
			"server": {"type": "binary", "entry_point": "manifest.json", "mcp_config": {"command": "sh", "args": ["${__dirname}/run"]}}}`))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return storage.NewFileURI(path)
}

// reading returns the texts of the top dialog.
func (b *bench) reading() string {
	var said []string
	if top := b.window.Window.Canvas().Overlays().Top(); top != nil {
		for _, object := range test.LaidOutObjects(top) {
			switch object := object.(type) {
			case *kit.Lines:
				said = append(said, object.Text())
			case *code.Whole:
				said = append(said, object.Text())
			}
		}
	}
	return strings.Join(said, " ")
}

// An extension that is dropped is read and shown. Its files are installed when it is added, and stay when that is
// undone.
func TestDroppedExtension(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders of Linux")
	}
	b := newBench(t, oneServer, nil)
	folder, data := t.TempDir(), t.TempDir()
	t.Setenv("XDG_DATA_HOME", data)
	b.adding.Drop("dev", []fyne.URI{droppedBundle(t, folder, "other.mcpb", "win32")})
	b.until(func() string {
		if got := b.reading(); !strings.Contains(got, "“other.mcpb” cannot be read: It is for Windows, not for Linux.") {
			return "why it cannot be used is not said: " + got
		}
		return ""
	})
	b.window.Window.Canvas().Overlays().Remove(b.window.Window.Canvas().Overlays().Top())

	b.adding.Drop("dev", []fyne.URI{droppedBundle(t, folder, "Dropped here.mcpb", "linux")})
	b.until(func() string {
		if b.adding.Dialog() == nil {
			return "the dialog does not open"
		}
		return ""
	})
	if got := b.reading(); !strings.Contains(got, "This comes from a file, and nobody has checked it.") ||
		!strings.Contains(got, "sh "+data) {
		t.Errorf("shown is %s", got)
	}
	unpacked := func() int {
		found, err := filepath.Glob(filepath.Join(data, "workbench", "extensions", "dropped", "1-*", "manifest.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if unpacked() != 0 {
		t.Error("its files were unpacked before the user has agreed")
	}
	b.tapDialog("Add and try")
	b.until(func() string {
		if got := b.text(); !strings.Contains(got, filepath.Join(data, "workbench", "extensions", "dropped")) ||
			!strings.Contains(got, `"dropped": {`) {
			return "it is not in the file: " + got
		}
		return ""
	})
	if unpacked() != 1 {
		t.Error("its files were not unpacked")
	}
	b.adding.Dialog().Close()
	b.undo()
	b.until(func() string {
		if got := b.text(); strings.Contains(got, "dropped") {
			return "it is still in the file: " + got
		}
		return ""
	})
	if unpacked() != 1 {
		t.Error("undo has deleted its files, so redo would bring back a server without them")
	}
}
