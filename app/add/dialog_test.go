package add

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

var (
	normal = fyne.NewSize(1100, 720)
	small_ = fyne.NewSize(800, 560)
)

// opened is the dialog in a window. It records the actions of the dialog.
type opened struct {
	*Dialog
	t      *testing.T
	window fyne.Window

	toolboxes []string
	taken     map[string][]string
	get       func(id string, changed func(bool)) fyne.CanvasObject // if nil, a missing program cannot be installed
	missing   []string                                              // programs that do not exist
	addError  error
	keepError error

	added       []Server
	addedTo     string
	addedNew    bool
	description string
	here        share.Surroundings
	each        func(server string, done func(status.Server)) // called for each trial
	kept        map[string]string
	tried       []string
	report      func(status.Server)
	done        func(status.Server)
	ctx         context.Context
	asked       []string      // the other actions
	shown       model.Choice  // what is shown after the dialog was closed
	tools       []status.Tool // of a server that works
	closed      int

	system  extension.System // the system on which extensions are unpacked
	looked  []string         // the programs that were looked for
	held    func()           // if set, finishes the unpacking that hold has stopped
	hold    bool
	removed int

	holdKeep bool // the keychain is slow, too

	absent func(bool) // reports whether there is no keychain

	registry *fakeRegistry // nil if the registry is switched off
	settled  func()        // ends the delay of a review that the user has not asked for

	later func(f func()) (stop func()) // takes the place of settled; nil without a registry
}

func newOpened(t *testing.T) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.Theme{})
	o := &opened{t: t, toolboxes: []string{"dev", "research"}, taken: map[string][]string{"dev": {"memory", "files"}},
		kept: map[string]string{}}
	o.window = test.NewTempWindow(t, kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.NewGap(10, 10)))
	o.window.SetPadded(false)
	return o
}

func (o *opened) ask(what string, at model.Choice) {
	o.asked = append(o.asked, what+" "+at.Toolbox+" "+at.Server)
}

func (o *opened) ShowField(at model.Choice, field string) { o.ask("edit "+field, at) }
func (o *opened) ShowLog(at model.Choice)                 { o.ask("log", at) }
func (o *opened) SignIn(at model.Choice)                  { o.ask("sign in", at) }
func (o *opened) TryTool(at model.Choice, tool string)    { o.ask("try "+tool, at) }
func (o *opened) Added(at model.Choice)                   { o.shown = at }

func (o *opened) Tools(_ model.Choice, done func([]status.Tool)) { done(o.tools) }

// show opens the dialog.
func (o *opened) show(size fyne.Size, start Start) *opened {
	o.window.Resize(size)
	o.Dialog = Show(o.window, o, start)
	return o
}

func (o *opened) Here() share.Surroundings       { return o.here }
func (o *opened) Toolboxes() []string            { return o.toolboxes }
func (o *opened) Taken(toolbox string) []string  { return o.taken[toolbox] }
func (o *opened) NoKeychain(done func(bool))     { o.absent = done }
func (o *opened) ChooseFile(done func(string))   { done("/home/ann/config.json") }
func (o *opened) ChooseFolder(done func(string)) { done("/home/ann/notes") }
func (o *opened) OpenURL(address string)         { o.asked = append(o.asked, address) }
func (o *opened) Ended()                         { o.closed++ }
func (o *opened) Tried(*model.Trials)            {}

func (o *opened) Registry() Registry {
	if o.registry == nil {
		return nil
	}
	return o.registry
}

func (o *opened) Later(_ time.Duration, f func()) func() {
	if o.later != nil {
		return o.later(f)
	}
	o.settled = f
	return func() {}
}

func (o *opened) Add(toolbox string, fresh bool, description string, servers []Server, done func(error)) {
	if o.addError == nil {
		o.added, o.addedTo, o.addedNew, o.description = servers, toolbox, fresh, description
	}
	done(o.addError)
}

func (o *opened) Try(ctx context.Context, _, server string, report, done func(status.Server)) {
	o.tried = append(o.tried, server)
	o.ctx, o.report, o.done = ctx, report, done
	if o.each != nil {
		o.each(server, done)
	}
}

func (o *opened) KeepInKeychain(name, value string, done func(error)) {
	if o.keepError == nil {
		o.kept[name] = value
	}
	if o.holdKeep {
		o.held = func() { done(o.keepError) }
		return
	}
	done(o.keepError)
}

func (o *opened) Finds(command string, found func(bool)) {
	o.looked = append(o.looked, command)
	found(!slices.Contains(o.missing, command))
}

func (o *opened) ReadFile(path string, done func(string, error)) {
	if strings.Contains(path, "missing") {
		done("", errors.New("no such file"))
		return
	}
	done(`{"mcpServers":{"fetch":{"command":"uvx","args":["mcp-server-fetch"]}}}`, nil)
}

func (o *opened) ReadExtension(path string, done func(*extension.Extension, error)) {
	done(extension.Read(o.t.Context(), path, o.system))
}

func (o *opened) Unpack(ctx context.Context, x *extension.Extension, done func(func(), error)) {
	work := func() {
		made, err := x.Unpack(ctx)
		if !made {
			done(nil, err)
			return
		}
		done(func() {
			o.removed++
			if err := x.Remove(); err != nil {
				o.t.Error(err)
			}
		}, nil)
	}
	if o.hold {
		o.held = work
		return
	}
	work()
}

func (o *opened) Get(id string, _ widget.Importance, changed func(bool)) fyne.CanvasObject {
	if o.get == nil {
		return nil
	}
	return o.get(id, changed)
}

// visible lists all texts that can be read in the dialog.
func (o *opened) visible() []string {
	var texts []string
	top := o.window.Canvas().Overlays().Top()
	if top == nil {
		return nil
	}
	objects := test.LaidOutObjects(top)
	hidden := map[string]bool{} // the texts of password fields, which are among the texts although they are shown as dots
	for _, object := range objects {
		if in, ok := object.(*kit.Input); ok && in.Password && in.Text != "" {
			hidden[in.Text] = true
		}
	}
	for _, object := range objects {
		switch object := object.(type) {
		case *kit.Text:
			texts = append(texts, object.Text())
		case *kit.Lines:
			texts = append(texts, object.Text())
		case *code.Whole:
			texts = append(texts, object.Text())
		case *widget.RichText:
			if !hidden[object.String()] {
				texts = append(texts, object.String())
			}
		case *kit.Button:
			texts = append(texts, "["+object.AccessibilityLabel()+"]")
		case *kit.Check:
			texts = append(texts, "[ ] "+object.Text)
		case *kit.Input:
			if object.Password {
				texts = append(texts, "‹hidden›")
			} else {
				texts = append(texts, "‹"+object.Text+"›")
			}
		}
	}
	return texts
}

func (o *opened) reads(wanted ...string) {
	o.t.Helper()
	kittest.Reads(o.t, strings.Join(o.visible(), "\n"), wanted...)
}

func (o *opened) lacks(unwanted ...string) {
	o.t.Helper()
	kittest.Lacks(o.t, strings.Join(o.visible(), "\n"), unwanted...)
}

// tap clicks the button with a label.
func (o *opened) tap(label string) {
	o.t.Helper()
	kittest.Tap(o.t, test.LaidOutObjects(o.window.Canvas().Overlays().Top()), lang.L(label))
}

// key types a key in the focused widget, or in the window.
func (o *opened) key(name fyne.KeyName) {
	event := &fyne.KeyEvent{Name: name}
	if focused := o.window.Canvas().Focused(); focused != nil {
		focused.TypedKey(event)
	} else {
		o.window.Canvas().OnTypedKey()(event)
	}
}
