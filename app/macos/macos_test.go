package macos

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// fake is a macOS that notes what it is asked.
type fake struct{ asked []string }

func (f *fake) Raise(window uintptr) {
	if window == 7 {
		f.asked = append(f.asked, "raise")
	}
}
func (f *fake) Bounce() func()          { return f.begun("bounce") }
func (f *fake) StayAwake(string) func() { return f.begun("awake") }
func (f *fake) Translate(translate func(string) string) {
	f.asked = append(f.asked, translate("Minimize")+translate("something else"))
}
func (f *fake) begun(what string) func() {
	f.asked = append(f.asked, what)
	return func() { f.asked = append(f.asked, "no "+what) }
}

func (f *fake) want(t *testing.T, asked ...string) {
	t.Helper()
	if !slices.Equal(f.asked, asked) {
		t.Errorf("macOS was asked for %q, want %q", f.asked, asked)
	}
	f.asked = nil
}

// native is a window with an NSWindow.
type native struct{ fyne.Window }

func (native) RunNative(f func(any)) { f(driver.MacWindowContext{NSWindow: 7}) }

// TestRaise: the window of a question gets to the front, and the icon bounces until it is answered.
func TestRaise(t *testing.T) {
	test.NewTempApp(t)
	system := &fake{}
	calm := New(system).Raise(native{test.NewTempWindow(t, nil)})
	system.want(t, "raise", "bounce")
	calm()
	system.want(t, "no bounce")
	(*Mac)(nil).Raise(nil)() // on other systems
}

// TestBusy: while AI apps use the app it is not slowed down.
func TestBusy(t *testing.T) {
	system := &fake{}
	m := New(system)
	for _, busy := range []bool{false, true, true, false, false, true} {
		m.Busy(busy)
	}
	system.want(t, "awake", "no awake", "awake")
	New(nil).Busy(true)
}

// TestMenus: the menu Edit does with the focused text what its entries say, and the other menus are translated.
func TestMenus(t *testing.T) {
	app := test.NewTempApp(t)
	entry := widget.NewEntry()
	window := test.NewTempWindow(t, entry)
	system := &fake{}
	New(system).Menus(window, app.Clipboard())
	system.want(t, "Minimize")
	items := window.MainMenu().Items[0].Items
	press := func(label string) {
		at := slices.IndexFunc(items, func(item *fyne.MenuItem) bool { return item.Label == label })
		if at < 0 {
			t.Fatalf("there is no %q", label)
		}
		if items[at].Shortcut == nil {
			t.Errorf("%q has no keys", label)
		}
		items[at].Action()
	}
	press("Copy") // nothing has the focus
	window.Canvas().Focus(entry)
	entry.SetText("words")
	press("Select All")
	press("Cut")
	if entry.Text != "" || app.Clipboard().Content() != "words" {
		t.Errorf("after Cut: %q, and %q on the clipboard", entry.Text, app.Clipboard().Content())
	}
	press("Paste")
	press("Paste")
	press("Undo")
	if entry.Text != "words" {
		t.Errorf("after two times Paste, and Undo: %q", entry.Text)
	}
	press("Redo")
	if entry.Text != "wordswords" {
		t.Errorf("after Redo: %q", entry.Text)
	}
}
