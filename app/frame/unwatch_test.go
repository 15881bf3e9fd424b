package frame

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
)

// stored is an app with a storage folder that exists.
type stored struct {
	fyne.App
	folder string
}

type place struct {
	fyne.Storage
	folder string
}

func (stored) UniqueID() string        { return "app" }
func (s stored) Storage() fyne.Storage { return place{folder: s.folder} }
func (s place) RootURI() fyne.URI      { return storage.NewFileURI(s.folder) }

// TestUnwatch checks that the content of the folder stays, that an older watch does not see later writes to it, and
// that a second start leaves no other folders behind.
func TestUnwatch(t *testing.T) {
	app := stored{test.NewTempApp(t), filepath.Join(t.TempDir(), "app")}
	file := filepath.Join(app.folder, "preferences.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(app.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	write("{}")
	for range 2 {
		before, err := os.Stat(app.folder)
		if err != nil {
			t.Fatal(err)
		}
		Unwatch(app)
		after, err := os.Stat(app.folder)
		if err != nil || os.SameFile(before, after) {
			t.Errorf("the folder is still the watched one: %v", err)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "{}" {
			t.Errorf("the file is %q, %v", text, err)
		}
	}
	entries, err := os.ReadDir(filepath.Dir(app.folder))
	if err != nil || len(entries) != 2 {
		t.Errorf("the folders beside it are %v, %v", entries, err)
	}
}

// TestUnwatchLeavesOthersAlone checks that a folder which does not belong to the app alone is not replaced.
func TestUnwatchLeavesOthersAlone(t *testing.T) {
	app := stored{test.NewTempApp(t), filepath.Join(t.TempDir(), "everybody's")}
	if err := os.Mkdir(app.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(app.folder)
	if err != nil {
		t.Fatal(err)
	}
	Unwatch(app)
	after, err := os.Stat(app.folder)
	if err != nil || !os.SameFile(before, after) {
		t.Errorf("the folder was replaced: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(app.folder)); err != nil || len(entries) != 1 {
		t.Errorf("the folders beside it are %v, %v", entries, err)
	}
}

// TestUnwatchOfAKilledStart checks that the next start brings back files that a killed start has not moved.
func TestUnwatchOfAKilledStart(t *testing.T) {
	app := stored{test.NewTempApp(t), filepath.Join(t.TempDir(), "app")}
	for folder, name := range map[string]string{app.folder: "new", app.folder + spareFolder: "left"} {
		if err := errors.Join(os.Mkdir(folder, 0o700),
			os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	Unwatch(app)
	for _, name := range []string{"new", "left"} {
		if text, err := os.ReadFile(filepath.Join(app.folder, name)); err != nil || string(text) != name {
			t.Errorf("%s is %q, %v", name, text, err)
		}
	}
}
