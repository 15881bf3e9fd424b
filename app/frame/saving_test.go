package frame

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// opened is a window with dialogs.
type opened struct {
	*Window
	t    *testing.T
	done chan func() // functions for the goroutine of the window
}

// nobody is a program that does nothing and has no screens.
type nobody struct{}

func (nobody) List() []Listed    { return nil }
func (nobody) Make(Place) Screen { return nil }
func (nobody) Showing(Place)     {}
func (nobody) ShowFile()         {}
func (nobody) ShowProblems()     {}
func (nobody) Retry()            {}
func (nobody) Discard()          {}
func (nobody) Resume()           {}
func (nobody) CanMove() bool     { return false }
func (nobody) Move()             {}

func open(t *testing.T, size fyne.Size) *opened {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", "")
	o := &opened{t: t, done: make(chan func(), 10)}
	places := NewPlaces(nobody{}, &model.Model{})
	o.Window = New(fyne.CurrentApp(), task.New(func(f func()) { o.done <- f }), "Workbench", nil, places, nobody{})
	o.Build()
	o.Window.Window.Resize(size)
	return o
}

// says returns the text of the open dialog, or "".
func (o *opened) says() string {
	top := o.Window.Window.Canvas().Overlays().Top()
	if top == nil {
		return ""
	}
	return kittest.Texts(kittest.Seen(top))
}

// press presses a button of the dialog and waits until the window has run the next function.
func (o *opened) press(label string) {
	o.t.Helper()
	kittest.Tap(o.t, kittest.Seen(o.Window.Window.Canvas().Overlays().Top()), label)
	select {
	case do := <-o.done:
		do()
	case <-time.After(time.Minute):
		o.t.Fatal("no function follows")
	}
}

// write types the path of the file.
func (o *opened) write(path string) {
	for _, object := range kittest.Seen(o.Window.Window.Canvas().Overlays().Top()) {
		if in, ok := object.(*kit.Input); ok {
			in.SetText(path)
		}
	}
}

func (o *opened) has(path, want string) {
	o.t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		o.t.Errorf("%s has %q, want %q (%v)", path, got, want, err)
	}
}

// TestSaveAs checks that a file is replaced only after the user has agreed to exactly that.
func TestSaveAs(t *testing.T) {
	test.NewTempApp(t)
	o := open(t, fyne.NewSize(800, 560))
	path := filepath.Join(os.Getenv("HOME"), "Documents", "calls.csv")
	o.SaveAs("calls.csv", []byte("1"))
	o.press("Save")
	o.has(path, "1")
	if o.says() != "" {
		t.Errorf("the dialog is still open: %s", o.says())
	}

	o.SaveAs("calls.csv", []byte("2"))
	o.press("Save")
	o.has(path, "1")
	kittest.Reads(t, o.says(), "There is such a file already.", "Replace it")
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	o.press("Replace it")
	o.has(path, "theirs")
	kittest.Reads(t, o.says(), "changed by another program")
	o.press("Save")
	o.press("Replace it")
	o.has(path, "2")

	o.SaveAs("calls.csv", []byte("3"))
	kittest.Tap(t, kittest.Seen(o.Window.Window.Canvas().Overlays().Top()), "Save")
	(<-o.done)()
	other := filepath.Join(os.Getenv("HOME"), "new", "other.csv")
	o.write(other)
	kittest.Lacks(t, o.says(), "Replace it", "such a file")
	o.press("Save")
	o.has(other, "3")
	o.has(path, "2")
}

// TestSaveAsRefuses checks which paths cannot be saved to.
func TestSaveAsRefuses(t *testing.T) {
	test.NewTempApp(t)
	o := open(t, fyne.NewSize(800, 560))
	o.SaveAs("calls.csv", []byte("1"))
	o.write("calls.csv")
	kittest.Tap(t, kittest.Seen(o.Window.Window.Canvas().Overlays().Top()), "Save")
	kittest.Reads(t, o.says(), "Write the whole path of the file.")
	o.write(os.Getenv("HOME"))
	o.press("Save")
	kittest.Reads(t, o.says(), "It is a folder")
	large := filepath.Join(os.Getenv("HOME"), "large")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, maxReplaced+1); err != nil {
		t.Fatal(err)
	}
	o.write(large)
	o.press("Save")
	kittest.Reads(t, o.says(), "The file is too large")
	if info, err := os.Stat(large); err != nil || info.Size() != maxReplaced+1 {
		t.Error("the large file was replaced")
	}
}

// TestScenes draws the dialogs of the window in each look. Nothing in them may be cut.
func TestScenes(t *testing.T) {
	long := strings.Repeat("a long folder/", 20)
	for name, show := range map[string]func(o *opened){
		"file":   func(o *opened) { o.PickFile(func(string) {}) },
		"folder": func(o *opened) { o.PickFolder(func(string) {}) },
		"save":   func(o *opened) { o.SaveAs("workbench-calls.csv", nil) },
		"save-over": func(o *opened) {
			o.SaveAs(long+"/workbench-calls.csv", nil)
			o.write(os.Getenv("HOME"))
			for _, object := range kittest.Seen(o.Window.Window.Canvas().Overlays().Top()) {
				if in, ok := object.(*kit.Input); ok {
					in.OnSubmitted(in.Text)
				}
			}
			(<-o.done)()
		},
	} {
		for tag, size := range map[string]fyne.Size{"": fyne.NewSize(1100, 720), "-small": fyne.NewSize(800, 560)} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					test.NewTempApp(t).Settings().SetTheme(look.Begin(t))
					o := open(t, size)
					show(o)
					drawn.Keep(t, o.Window.Window.Canvas(), "frame-"+name+tag+"-"+tone)
				})
			}
		}
	}
}
