package toolboxes

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// opened is a screen in a window, with what its buttons have done.
type opened struct {
	*Screen
	window  fyne.Window
	files   int
	folders int
}

func open(t *testing.T, view View, size fyne.Size) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.Theme{})
	o := &opened{}
	o.Screen = New(Actions{OpenFile: func() { o.files++ }, OpenFolder: func() { o.folders++ }})
	o.Apply(view)
	o.window = test.NewTempWindow(t, o.Object())
	o.window.SetPadded(false)
	o.window.Resize(size)
	return o
}

// texts lists all that can be read on the screen.
func (o *opened) texts() []string {
	var texts []string
	for _, object := range test.LaidOutObjects(o.window.Content()) {
		switch object := object.(type) {
		case *kit.Text:
			if object.Visible() && object.Size().Width > 0 {
				texts = append(texts, object.Text())
			}
		case *widget.RichText:
			texts = append(texts, object.String())
		case *widget.Label:
			texts = append(texts, object.Text)
		}
	}
	return texts
}

func (o *opened) reads(t *testing.T, wanted ...string) {
	t.Helper()
	all := strings.Join(o.texts(), "\n")
	for _, text := range wanted {
		if !strings.Contains(all, text) {
			t.Errorf("the screen does not say %q, but:\n%s", text, all)
		}
	}
}

func (o *opened) lacks(t *testing.T, unwanted ...string) {
	t.Helper()
	all := strings.Join(o.texts(), "\n")
	for _, text := range unwanted {
		if strings.Contains(all, text) {
			t.Errorf("the screen says %q", text)
		}
	}
}

// tap clicks the button with a label.
func (o *opened) tap(t *testing.T, label string) {
	t.Helper()
	for _, object := range test.LaidOutObjects(o.window.Content()) {
		if button, ok := object.(*widget.Button); ok && button.Text == label && button.Visible() {
			test.Tap(button)
			return
		}
	}
	t.Errorf("there is no button %q", label)
}

var (
	normal = fyne.NewSize(1100, 640)
	small  = fyne.NewSize(800, 500)
)

func TestScreenShowsToolboxesAndServers(t *testing.T) {
	for _, size := range []fyne.Size{normal, small} {
		o := open(t, look(sample), size)
		o.reads(t, "dev", "Development tools", "2 servers", "1 switched off", "files", "Not started yet", "Switched off",
			`npx -y server-files "${HOME}/My Documents" ""`, "research", "home")
		o.lacks(t, "No toolboxes yet", "problem", "Nothing matches")
	}
}

func TestScreenFollowsASelection(t *testing.T) {
	o := open(t, look(sample), normal)
	o.list.Select(3) // research
	o.reads(t, "No description", "Web address", "example.com/mcp")
	o.lacks(t, "Development tools")
	o.list.Select(5) // home
	o.reads(t, "This toolbox has no servers yet")
	o.list.Select(2) // dev › old
	o.reads(t, "Development tools")
	if o.pane.marked != "old" {
		t.Errorf("the marked card is %q", o.pane.marked)
	}
	// The selection is by name: it survives a change that moves things.
	o.Apply(look(`{"toolboxes": {"new": {"mcpServers": {}}, "dev": {"mcpServers": {"old": {"command": "moved"}}}}}`))
	if o.choice != (Choice{"dev", "old"}) {
		t.Errorf("selected is now %+v", o.choice)
	}
	o.reads(t, "moved")
	o.Apply(look(`{"toolboxes": {"new": {"description": "Something else", "mcpServers": {}}}}`))
	o.reads(t, "Something else")
}

func TestScreenFolds(t *testing.T) {
	o := open(t, look(sample), normal)
	o.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	if got := names(o.view, o.rows); got != "dev research -search home" {
		t.Errorf("folded: %q", got)
	}
	o.Apply(look(sample))
	if got := names(o.view, o.rows); got != "dev research -search home" {
		t.Errorf("after a change of the file: %q", got)
	}
	o.list.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := names(o.view, o.rows); got != "dev -files -old research -search home" {
		t.Errorf("unfolded: %q", got)
	}
}

func TestScreenSearches(t *testing.T) {
	o := open(t, look(sample), normal)
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "old")
	if got := names(o.view, o.rows); got != "dev -old" {
		t.Errorf("found %q", got)
	}
	test.Type(o.search, "xyz")
	o.reads(t, "Nothing matches")
	o.Select(Choice{"research", "search"}) // a click in the tray
	if o.search.Text != "" || o.pane.toolbox.Name != "research" || o.pane.marked != "search" {
		t.Errorf("search %q, shown %q, marked %q", o.search.Text, o.pane.toolbox.Name, o.pane.marked)
	}
}

func TestScreenWithoutToolboxes(t *testing.T) {
	o := open(t, look(`{"toolboxes": {}}`), small)
	o.reads(t, "No toolboxes yet", path)
	if o.split.Visible() {
		t.Error("the list is there too")
	}
	o.tap(t, "Open configuration folder")
	if o.folders != 1 {
		t.Error("the button does not open the folder")
	}
	o.Apply(look(sample))
	o.reads(t, "Development tools")
	o.lacks(t, "No toolboxes yet")
}

func TestScreenWithABrokenFile(t *testing.T) {
	o := open(t, look("{"), small)
	o.reads(t, "The configuration cannot be used", "workbench-config.json:1:2", path)
	o.tap(t, "Open the file")
	if o.files != 1 {
		t.Error("the button does not open the file")
	}

	broken := parse(strings.Replace(sample, `"disabled": true`, `"disabled" true`, 1))
	o.Apply(Look(Source{Path: path, Good: parse(sample), Now: broken}))
	o.reads(t, "Development tools", "its last good version", "workbench-config.json:4:", broken.Diagnostics[0].Hint[1:])
	o.tap(t, "Open the file")
	if o.files != 2 {
		t.Error("the button does not open the file")
	}
	o.Apply(look(sample))
	o.lacks(t, "last good version")
}

// The keyboard reaches the search, then the list, and moves and selects there.
func TestScreenByKeyboard(t *testing.T) {
	o := open(t, look(sample), normal)
	canvas := o.window.Canvas()
	test.FocusNext(canvas)
	if canvas.Focused() != o.search {
		t.Errorf("first comes %T, want the search", canvas.Focused())
	}
	test.FocusNext(canvas)
	if canvas.Focused() != o.list {
		t.Fatalf("second comes %T, want the list", canvas.Focused())
	}
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyDown, fyne.KeySpace} {
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	if o.choice != (Choice{Toolbox: "research"}) {
		t.Errorf("selected is %+v", o.choice)
	}
}

// Names may be anything and of any length: nothing leaves its place, and nothing is wider than its window.
func TestScreenWithOddNames(t *testing.T) {
	long := strings.Repeat("long ", 200)
	view := View{Path: strings.Repeat("/folder", 100), Toolboxes: []Toolbox{{Name: long, Description: long,
		Servers: []Server{{Name: long + "\u202e\nx", Line: long, Word: "Not started yet"}, {Name: "\x00", Word: "Not started yet"}}}},
		Problems: []Problem{{Place: long, Message: long, Hint: strings.Repeat("x", 2000), State: theme.StateNotice}}}
	o := open(t, view, small)
	if got := o.window.Canvas().Size(); got.Width > small.Width || got.Height > small.Height {
		t.Errorf("the window has grown to %v", got)
	}
	if min := o.Object().MinSize(); min.Width > small.Width || min.Height > small.Height {
		t.Errorf("the screen wants %v", min)
	}
	for _, broken := range []View{{Path: view.Path, Problems: view.Problems, Broken: true}, {Path: view.Path}} {
		o.Apply(broken)
		if min := o.Object().MinSize(); min.Width > small.Width || min.Height > small.Height {
			t.Errorf("the screen wants %v", min)
		}
	}
}

// The rows that cannot be seen have no widgets, so a long list costs no more than a short one.
func TestScreenMakesWidgetsOnlyForWhatIsSeen(t *testing.T) {
	view := many()
	o := open(t, view, normal)
	if len(o.rows) != 50*21 {
		t.Fatalf("the list has %d rows", len(o.rows))
	}
	o.list.ScrollTo(700)
	rows, cards := 0, 0
	for _, object := range test.LaidOutObjects(o.window.Content()) {
		switch object.(type) {
		case *row:
			rows++
		case *card:
			cards++
		}
	}
	if rows == 0 || rows > 40 || cards == 0 || cards > 20 {
		t.Errorf("%d rows and %d cards have widgets", rows, cards)
	}
}

func BenchmarkApplyFiftyToolboxes(b *testing.B) {
	test.NewApp()
	view := many()
	screen := New(Actions{})
	window := test.NewWindow(screen.Object())
	defer window.Close()
	window.Resize(normal)
	for b.Loop() {
		screen.Apply(view)
	}
}
