package clients

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// The room that the window leaves for the screen: without the bar at the left and the line at the bottom.
var (
	normal = fyne.NewSize(1100-96, 720-36)
	small  = fyne.NewSize(800-96, 560-36)
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// opened is a screen in a window, with a record of the actions that it has called.
type opened struct {
	*Screen
	window   fyne.Window
	did      []string
	planned  func(Proposal, error)
	carried  func(error)
	back     func(error)
	carrying context.Context
	looked   func(Offer, error)
	asked    Ask
	bundled  func(string, error)
}

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{window: test.NewWindow(nil)}
	t.Cleanup(o.window.Close)
	note := func(words ...string) { o.did = append(o.did, strings.Join(words, " ")) }
	// The window does the same with dialogs and keys.
	var shown dialog.Dialog
	o.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
		if event.Name == fyne.KeyEscape && shown != nil {
			shown.Dismiss()
		}
	})
	o.Screen = New(o.window, Actions{
		ShowDialog: func(dialog dialog.Dialog) {
			shown = dialog
			dialog.Show()
		},
		Plan: func(id string, connect bool, done func(Proposal, error)) { note("plan", id); o.planned = done },
		Carry: func(ctx context.Context, _ engine.Plan, wait bool, done func(error)) {
			note("carry")
			if wait {
				note("wait")
			}
			o.carried, o.carrying = done, ctx
		},
		PutBack: func(files []setup.MovedFile, done func(error)) {
			note("back", strings.Join(setup.Names(files), ","))
			o.back = done
		},
		LeaveOut: func(id string) { note("leave", id) },
		Import: func(ask Ask, done func(Offer, error)) {
			note("import", ask.ID+ask.File, ask.Into)
			o.asked, o.looked = ask, done
		},
		PickFile:  func(done func(string)) { done("/home/ada/mcp-servers.json") },
		Bundle:    o.bundling(),
		Toolboxes: func() []string { return []string{"dev"} },
		Copy:      func(text string) { note("copy", text) },
		Say:       func(text string) { note("say", text) },
		Look:      func() { note("look") },
		ShowTo:    func(toolbox, app string, on bool) { note("show", toolbox, app, strconv.FormatBool(on)) },
	})
	o.window.SetPadded(false)
	o.window.SetContent(kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	o.window.Resize(size)
	o.Apply(view)
	return o
}

// seen returns all visible objects, even those that are scrolled out of view.
func seen(object fyne.CanvasObject) []fyne.CanvasObject { return kittest.Seen(object) }

// top returns the dialog or, if none is open, the screen.
func (o *opened) top() fyne.CanvasObject {
	if top := o.window.Canvas().Overlays().Top(); top != nil {
		return top
	}
	return o.window.Content()
}

func (o *opened) texts() string { return kittest.Texts(seen(o.top())) }

func (o *opened) reads(t *testing.T, wanted ...string) {
	t.Helper()
	kittest.Reads(t, o.texts(), wanted...)
}

func (o *opened) tap(t *testing.T, label string) {
	t.Helper()
	kittest.Tap(t, seen(o.top()), lang.L(label))
}

// isCalm checks that nothing in the dialog moves, because the dialog may wait long, and drawing costs power.
func (o *opened) isCalm(t *testing.T) {
	t.Helper()
	for _, object := range seen(o.top()) {
		if _, moves := object.(interface{ Running() bool }); moves {
			t.Errorf("%T moves", object)
		}
	}
}

func (o *opened) last() string { return o.did[len(o.did)-1] }

// offers reports whether the menu of an app has an item.
func (o *opened) offers(id, label string) bool {
	return slices.ContainsFunc(o.menus[id], func(item *fyne.MenuItem) bool { return item.Label == lang.L(label) })
}

// pick chooses an item of the menu of an app.
func (o *opened) pick(t testing.TB, id, label string) {
	t.Helper()
	if button := o.buttons[id+" import"]; button != nil && button.Text == lang.L(label) {
		test.Tap(button)
		return
	}
	for _, item := range o.menus[id] {
		if item.Label == lang.L(label) {
			o.window.Canvas().Focus(o.buttons[id+" more"])
			item.Action()
			return
		}
	}
	t.Fatalf("%s has no %q", id, label)
}
