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
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
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
	made     func(string, error)
	removed  func(error)
	fake     *fake
}

// fake records the actions. plan, carry, bring and move do them, if they are set.
type fake struct {
	*opened
	show  func(dialog.Dialog)
	plan  func(id string, connect bool, done func(Proposal, error))
	carry func(ctx context.Context, plan engine.Plan, wait bool, done func(error))
	bring func(plan imports.Plan, keychain bool, done func(error))
	move  func(ctx context.Context, plan imports.Plan, keychain, wait bool, done func(Moved, error))
	try   func(plan imports.Plan)
}

func (f *fake) note(words ...string) { f.did = append(f.did, strings.Join(words, " ")) }

func (f *fake) Plan(id string, connect bool, done func(Proposal, error)) {
	if f.plan != nil {
		f.plan(id, connect, done)
		return
	}
	f.note("plan", id)
	f.planned = done
}

func (f *fake) Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error)) {
	if f.carry != nil {
		f.carry(ctx, plan, wait, done)
		return
	}
	f.note("carry")
	if wait {
		f.note("wait")
	}
	f.carried, f.carrying = done, ctx
}

func (f *fake) PutBack(files []setup.MovedFile, done func(error)) {
	f.note("back", strings.Join(setup.Names(files), ","))
	f.back = done
}

func (f *fake) Import(ask Ask, done func(Offer, error)) {
	f.note("import", ask.ID+ask.File, ask.Into)
	f.asked, f.looked = ask, done
}

func (f *fake) Bring(_ Offer, plan imports.Plan, keychain bool, done func(error)) {
	f.bring(plan, keychain, done)
}

func (f *fake) Move(ctx context.Context, _ Offer, plan imports.Plan, keychain, wait bool, done func(Moved, error)) {
	f.move(ctx, plan, keychain, wait, done)
}

func (f *fake) Try(plan imports.Plan) {
	if f.try != nil {
		f.try(plan)
	}
}

func (f *fake) PlaceBundle(done func(string, *config.Server)) {
	done("/home/ada/Downloads/workbench.mcpb",
		&config.Server{Transport: config.TransportStdio, Command: "/opt/workbench-desktop",
			Args: []string{"stdio", "--config", "/home/ada/\u202ex.json"}})
}

func (f *fake) MakeBundle(path string, done func(string, error)) {
	f.note("make", path)
	f.bundled = done
}

func (f *fake) MakeBundleElsewhere(_ string, done func(string, error)) {
	f.note("elsewhere")
	f.bundled = done
}

func (f *fake) Serve(on bool) { f.note("serve", strconv.FormatBool(on)) }
func (f *fake) AddToken(name string, done func(string, error)) {
	f.note("token", name)
	f.made = done
}
func (f *fake) RemoveToken(name string, done func(error)) {
	f.note("remove", name)
	f.removed = done
}

func (f *fake) LeaveOut(id string)              { f.note("leave", id) }
func (f *fake) ShowDialog(d dialog.Dialog)      { f.show(d) }
func (f *fake) PickFile(done func(string))      { done("/home/ada/mcp-servers.json") }
func (f *fake) OpenPath(folder string)          { f.note("show", folder) }
func (f *fake) Toolboxes() []string             { return []string{"dev"} }
func (f *fake) Copy(text string)                { f.note("copy", text) }
func (f *fake) Say(text string)                 { f.note("say", text) }
func (f *fake) Find()                           { f.note("look") }
func (f *fake) ShowTo(box, app string, on bool) { f.note("show", box, app, strconv.FormatBool(on)) }

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{window: test.NewWindow(nil)}
	t.Cleanup(o.window.Close)
	// The window does the same with dialogs and keys.
	var shown dialog.Dialog
	o.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
		if event.Name == fyne.KeyEscape && shown != nil {
			shown.Dismiss()
		}
	})
	o.fake = &fake{opened: o, show: func(dialog dialog.Dialog) {
		shown = dialog
		dialog.Show()
	}}
	o.Screen = New(o.window, o.fake, &model.Opened{})
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
