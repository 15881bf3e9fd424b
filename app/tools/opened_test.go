package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// opened is a tab in a window, with a record of the actions that it has called.
type opened struct {
	*Tab
	t       *testing.T
	window  *kittest.Window
	edits   [][]edit.Op
	fail    error
	hold    []func(error) // the done functions of edits, which the test calls itself if holding is set
	holding bool
	started int
	fixed   int
	again   int
	calls   []string
	queue   chan func() // functions for the goroutine of the window
	decided []string
	file    *store.Store // edits go to this file; may be nil
}

// program is the program behind the tab. It notes what it is asked for.
type program struct{ *opened }

func (d program) Start(edit.Target)   { d.started++ }
func (d program) Fix(edit.Target)     { d.fixed++ }
func (d program) Again(edit.Target)   { d.again++ }
func (d program) ShowLog(edit.Target) {}
func (d program) Copy(string)         {}
func (d program) Save(string, []byte) {}
func (d program) Do(f func())         { d.queue <- f }

func (d program) Edit(ops []edit.Op, done func(error)) {
	d.edits = append(d.edits, ops)
	switch {
	case d.file != nil:
		_, err := d.file.Edit(d.t.Context(), "Tools", store.Edits(ops...))
		done(err)
	case d.holding:
		d.hold = append(d.hold, done)
	default:
		done(d.fail)
	}
}

func (d program) Run(_ context.Context, target edit.Target, tool string, arguments json.RawMessage,
	_ func(float64, float64, string), _ func(json.RawMessage, error)) {
	d.calls = append(d.calls, target.Toolbox+"/"+target.Server+"/"+tool+string(arguments))
}

func (d program) Decide(target edit.Target, changes []pin.Change, approved bool) {
	var names []string
	for _, change := range changes {
		names = append(names, change.Tool)
	}
	d.decided = append(d.decided, fmt.Sprint(target.Server, " ", names, " ", approved))
}

func open(t *testing.T, view View, size fyne.Size, variant fyne.ThemeVariant) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &opened{t: t, queue: make(chan func(), 100)}
	d.Tab = New(program{d})
	t.Cleanup(d.Close)
	d.window = kittest.Open(t, d.Object(), size)
	d.Apply(view)
	return d
}

func (d *opened) tap(label string) {
	d.t.Helper()
	kittest.Tap(d.t, test.LaidOutObjects(d.window.Content()), lang.L(label))
}

// row returns the row that shows a tool or a name.
func (d *opened) row(name string) *row {
	d.t.Helper()
	// test.LaidOutObjects would make new rows.
	var found *row
	var walk func(fyne.CanvasObject)
	walk = func(object fyne.CanvasObject) {
		if r, ok := object.(*row); ok && slices.Contains([]string{r.name.Text(), r.plain.Text()}, name) {
			found = r
		}
		switch object := object.(type) {
		case *fyne.Container:
			for _, inner := range object.Objects {
				walk(inner)
			}
		case fyne.Widget:
			for _, inner := range test.WidgetRenderer(object).Objects() {
				walk(inner)
			}
		}
	}
	walk(d.listing.list)
	if found == nil {
		d.t.Fatalf("there is no row %q", name)
	}
	return found
}

func (d *opened) picture(name string) {
	d.t.Helper()
	drawn.Keep(d.t, d.window.Canvas(), name)
}

// connected returns a view of a connected server with tools.
func connected(filters []string, tools ...string) View {
	view := View{Toolbox: "dev", Server: "files", Status: status.Server{State: status.Connected},
		Shown: live.Shown{State: theme.StateConnected, Word: "Connected"}, Filters: filters}
	for _, name := range tools {
		view.Tools = append(view.Tools, status.Tool{Name: name, Allowed: true,
			Definition: json.RawMessage(fmt.Sprintf(
				`{"name":%q,"description":"Does %s.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}`, name, name))})
	}
	return view
}
