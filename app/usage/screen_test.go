package usage

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	kept "github.com/workbench-mcp/workbench-desktop/engine/usage"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// The room that the window leaves for the screen: without the bar at the left and the line at the bottom.
var (
	normal = fyne.NewSize(1100-96, 720-36)
	small  = fyne.NewSize(800-96, 560-36)
)

// month returns a view of the calls that apps have made in the given number of days up to now. The engine's own writer
// writes the calls, and they are read back.
func month(t testing.TB, days int, apps ...string) View {
	t.Helper()
	folder, now := kept.Folder(filepath.Join(t.TempDir(), "usage")), time.Date(2026, 11, 21, 12, 0, 0, 0, time.Local)
	boxes := []kept.Toolbox{{Name: "dev", Servers: []string{"memory", "filesystem", "github"}},
		{Name: "research", Servers: []string{"search", "papers"}}}
	for ago := days - 1; ago >= 0; ago-- {
		at := now.AddDate(0, 0, -ago)
		for i, app := range apps {
			w := kept.NewWriter(kept.Options{Folder: folder, Config: "/c.json", App: app, Now: func() time.Time { return at }})
			w.SetOffered(func() []kept.Toolbox { return boxes })
			w.Opened("dev", 23, 17_000)
			for n := range (7*ago+5*i)%19 + 2 {
				w.Call("dev", "memory", "read_graph", time.Duration(20+n)*time.Millisecond, false)
				w.Call("dev", "filesystem", "write_file", time.Duration(300*n)*time.Millisecond, n == 3)
			}
			if ago%5 == 0 {
				w.Opened("research", 12, 9_000)
				w.Call("research", "search", "find", 4*time.Second, ago%2 == 0)
			}
			w.Close(time.Minute)
		}
	}
	report, err := kept.Read(folder, "", "/c.json", now)
	if err != nil {
		t.Fatal(err)
	}
	view := View{Report: report, Now: now}
	for _, box := range boxes {
		for _, server := range box.Servers {
			view.Servers = append(view.Servers, model.Choice{Toolbox: box.Name, Server: server})
		}
	}
	return view
}

// opened is a screen in a window. done lists the actions that its controls have called.
type opened struct {
	*Screen
	window fyne.Window
	done   []string
}

func (o *opened) ShowUnused()   { o.done = append(o.done, "unused") }
func (o *opened) ShowSettings() { o.done = append(o.done, "settings") }

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{}
	o.Screen = New(o)
	o.Apply(view)
	o.window = test.NewWindow(kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	t.Cleanup(o.window.Close)
	o.window.SetPadded(false)
	o.window.Resize(size)
	return o
}

// scenes returns every state of the screen, by name.
func scenes(t testing.TB) map[string]View {
	off, none := month(t, 1, "cursor"), month(t, 1, "cursor")
	report := *none.Report
	report.Wanted, report.Calls = false, kept.Calls{}
	damaged := month(t, 12, "cursor")
	damaged.Report.Damaged = true
	off.Report = &report
	none.Report = &kept.Report{Wanted: true}
	return map[string]View{
		"damaged": damaged, "all-damaged": {Report: &kept.Report{Wanted: true, Damaged: true}},
		"off": off, "none": none, "nothing-read": {}, "busy": {Report: &kept.Report{Wanted: true}, Err: kept.ErrBusy},
		"one-day": month(t, 1, "claude-desktop"),
		"a-month": month(t, 45, "claude-desktop", "cursor"),
		"many-apps": month(t, 12, "claude-desktop", "cursor",
			"Some Client with a very long name of its own that goes on and on", "gemini-cli", "codex", "zed"),
	}
}

// TestScenes draws every scene in each size. None may need more room than there is. If WORKBENCH_PICTURES is set to a
// folder, the pictures are saved there.
func TestScenes(t *testing.T) {
	test.NewTempApp(t)
	for name, view := range scenes(t) {
		for tag, size := range map[string]fyne.Size{"": normal, "-small": small, "-all": fyne.NewSize(1004, 1500)} {
			for tone, look := range drawn.Looks(size) {
				t.Run(name+tag+"-"+tone, func(t *testing.T) {
					test.NewTempApp(t).Settings().SetTheme(look.Begin(t))
					o := open(t, view, size)
					if least := o.Object().MinSize(); least.Width > size.Width || least.Height > size.Height {
						t.Errorf("the screen needs %v and has %v", least, size)
					}
					drawn.Keep(t, o.window.Canvas(), "usage-"+name+tag+"-"+tone)
				})
			}
		}
	}
}

// TestWords checks that the screen also says in words, with units, what the charts show.
func TestWords(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, month(t, 45, "claude-desktop", "cursor"), normal)
	said := strings.Join(texts(o.Object()), "\n")
	for _, want := range []string{"Claude Desktop", "Cursor", "calls · ", "failed", "dev › memory",
		"about 25 ms, longest 39 ms", "dev › filesystem › write_file",
		"about 110,000 tokens", "Closed in 48 of 60 sessions", "the AI did not have to read them", "23 Oct", "21 Nov",
		"dev › github", "research › papers", "1,332 calls · 60 failed", "Peak: 41 calls",
		"The bars show how long a typical call takes."} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	for _, scene := range []string{"damaged", "all-damaged", "a-month"} {
		said := strings.Join(texts(open(t, scenes(t)[scene], normal).Object()), "\n")
		if strings.Contains(said, "Part of the usage data was damaged") != (scene != "a-month") {
			t.Errorf("of %s is said\n%s", scene, said)
		}
	}
	young := strings.Join(texts(open(t, month(t, 3, "cursor"), normal).Object()), "\n")
	if strings.Contains(young, "research › papers") {
		t.Errorf("after three days, the texts are\n%s", young)
	}
}

// The Tab key must reach everything that can be clicked, and the arrow keys move from day to day in a chart.
func TestByKeys(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, month(t, 45, "claude-desktop"), small)
	bykeys.New(t, o.window, nil).Walk()
	chart := o.days.charts[0]
	o.window.Canvas().Focus(chart)
	if label := chart.AccessibilityLabel(); !strings.HasPrefix(label, "Claude Desktop, ") ||
		!strings.Contains(label, "21 Nov · 5 calls") {
		t.Errorf("the label is %q", label)
	}
	chart.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft})
	chart.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	chart.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if label := chart.AccessibilityLabel(); !strings.Contains(label, "23 Oct · ") {
		t.Errorf("at the first day, the label is %q", label)
	}
}

// texts returns all visible texts of an object.
func texts(object fyne.CanvasObject) []string {
	var found []string
	add := func(text string) {
		if text != "" {
			found = append(found, text)
		}
	}
	var walk func(fyne.CanvasObject)
	walk = func(object fyne.CanvasObject) {
		if !object.Visible() {
			return
		}
		switch o := object.(type) {
		case *kit.Text:
			add(o.Text())
		case *kit.Lines:
			add(o.Text())
		case fmt.Stringer:
			add(o.String())
		}
		switch o := object.(type) {
		case *fyne.Container:
			for _, part := range o.Objects {
				walk(part)
			}
		case fyne.Widget:
			for _, part := range test.WidgetRenderer(o).Objects() {
				walk(part)
			}
		}
	}
	walk(object)
	return found
}
