package settings

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The sizes of the screen in windows of 1100 × 720 and 800 × 560 pixels. The navigation bar and the status line take
// the rest.
var (
	normal = fyne.NewSize(1100-96, 720-36)
	small  = fyne.NewSize(800-96, 560-36)
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// opened is a screen in a window. It records what the controls have done.
type opened struct {
	*Screen
	window fyne.Window
	did    []string
	ends   []func(error)
}

func open(t testing.TB, view View, size fyne.Size) *opened {
	o := &opened{}
	o.Screen = New(&fake{opened: o, t: t}, &model.Opened{})
	o.Apply(view)
	o.window = test.NewWindow(kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, o.Object()))
	t.Cleanup(o.window.Close)
	o.window.SetPadded(false)
	o.window.Resize(size)
	return o
}

// fake is a Program that writes down what it was asked for.
type fake struct {
	Program // nil; no test needs the rest
	*opened
	t testing.TB
}

func (f *fake) note(what string) { f.did = append(f.did, what) }

func (f *fake) later(what string, done func(error)) {
	f.note(what)
	f.ends = append(f.ends, done)
}

func (f *fake) Later(do func())                                             { do() }
func (f *fake) CanUpdate() bool                                             { return true }
func (f *fake) CanBegin() bool                                              { return false }
func (f *fake) ShowKeys()                                                   { f.note("keys") }
func (f *fake) Get(string, widget.Importance, func(bool)) fyne.CanvasObject { return nil }
func (f *fake) SetStartAtLogin(on bool, done func(error))                   { f.later(fmt.Sprint("login ", on), done) }
func (f *fake) SetUpdates(on bool, done func(error))                        { f.later(fmt.Sprint("updates ", on), done) }
func (f *fake) SetLanguage(code string, done func(error))                   { f.later("language "+code, done) }
func (f *fake) SetSecret(name, value string, done func(error))              { f.later("set "+name+" "+value, done) }
func (f *fake) DeleteSecret(name string, done func(error))                  { f.later("delete "+name, done) }
func (f *fake) Check()                                                      { f.note("check") }
func (f *fake) StopCheck()                                                  { f.note("stop") }
func (f *fake) Fix(fix doctor.Fix, done func(error))                        { f.later("fix "+fix.ID, done) }
func (f *fake) CopyReport(done func(error))                                 { f.later("report", done) }
func (f *fake) OpenFolder(path string)                                      { f.note("folder " + path) }
func (f *fake) OpenURL(address string)                                      { f.note("url " + address) }

func (f *fake) Prefer(change func(*Preferences), done func(error)) {
	before := f.view.Preferences
	after := before
	change(&after)
	what := ""
	if after.Theme != before.Theme {
		what += "theme " + string(after.Theme)
	}
	if after.Notifications != before.Notifications {
		what += fmt.Sprint("notifications ", after.Notifications)
	}
	if after.LogLevel != before.LogLevel {
		what += "level " + after.LogLevel
	}
	f.later(what, done)
}

func (f *fake) Edit(ops []edit.Op, done func(error)) {
	text := ""
	for _, op := range ops {
		fields, err := json.Marshal(op)
		if err != nil {
			f.t.Error(err)
		}
		text += fmt.Sprintf("%T %s", op, fields)
	}
	f.later(text, done)
}

func newApp(t testing.TB) { test.NewTempApp(t).Settings().SetTheme(theme.Theme{}) }

// last returns the last action and the number of actions.
func (o *opened) last() string {
	if len(o.did) == 0 {
		return ""
	}
	return o.did[len(o.did)-1]
}

// end ends the newest change.
func (o *opened) end(err error) { o.ends[len(o.ends)-1](err) }

// seen lists all visible objects, even those that are scrolled out of view.
func seen(object fyne.CanvasObject) []fyne.CanvasObject { return kittest.Seen(object) }

func (o *opened) texts() string {
	var texts []string
	for _, object := range seen(o.window.Content()) {
		switch object := object.(type) {
		case *kit.Text:
			texts = append(texts, object.Text())
		case *kit.Lines:
			texts = append(texts, object.Text())
		case *kit.Button:
			texts = append(texts, object.AccessibilityLabel())
		case *link:
			texts = append(texts, object.AccessibilityLabel())
		case *kit.Select:
			texts = append(texts, object.Selected)
		}
	}
	return strings.Join(texts, "\n")
}

func (o *opened) reads(t *testing.T, wanted ...string) {
	t.Helper()
	kittest.Reads(t, o.texts(), wanted...)
}

func (o *opened) lacks(t *testing.T, unwanted ...string) {
	t.Helper()
	kittest.Lacks(t, o.texts(), unwanted...)
}

// tap clicks the first button with a label.
func (o *opened) tap(t *testing.T, label string) {
	t.Helper()
	kittest.Tap(t, seen(o.window.Content()), lang.L(label))
}

func sample() View {
	return View{
		Preferences: model.DefaultPreferences(),
		Languages:   []locale.Language{{Tag: "de", Name: "Deutsch"}, {Tag: "en", Name: "English"}},
		Login:       model.Login{Known: true, On: true},
		ToolMode:    ToolMode{Mode: config.ModeAuto},
		Secrets: []Secret{
			{Name: "github", UsedBy: []string{"dev › github", "research › github"}, State: model.SecretPresent},
			{Name: "tavily-api-key", UsedBy: []string{"research › search"}, State: model.SecretMissing},
		},
		About: About{
			Version: "1.0.0", Website: "https://example.com",
			Licence: "https://example.com/licence", Notices: "https://example.com/notices",
			Reports: "https://example.com/reports",
			Folders: []Folder{{"Configuration", "/home/me/.config/workbench/workbench-config.json"},
				{"History", "/home/me/.local/state/workbench/history"}},
		},
	}
}

// sampleChecks returns checks in each state.
func sampleChecks() []doctor.Check {
	return []doctor.Check{
		{ID: "node", Group: doctor.Programs, Title: words.Foreign("Node.js"), State: doctor.OK,
			Detail: []words.Text{words.Foreign(
				"Node.js 22.11.0 is at /home/me/.nvm/versions/node/v22.11.0/bin/node. AI apps do not find it by themselves; " +
					"Workbench does, as your terminal has it.")}},
		{ID: "uv", Group: doctor.Programs, Title: words.Foreign("uv"), State: doctor.Wrong,
			Detail: []words.Text{words.Foreign("It was not found, and research › papers and research › arxiv need it.")},
			Advice: words.Foreign("Install uv. If it is installed, write the full path of uvx as the command of the server."),
			Fix:    &doctor.Fix{ID: "install-uv", Title: words.Foreign("Get uv"), URL: "https://docs.astral.sh/uv"}},
		{ID: "docker", Group: doctor.Programs, Title: words.Foreign("Docker"), State: doctor.OK,
			Detail: []words.Text{words.Foreign("It is not installed, and none of your servers needs it.")}},
		{ID: "path", Group: doctor.Programs, Title: words.Foreign("Where programs are looked for"), State: doctor.Notice,
			Detail: []words.Text{words.Foreign(
				"Your shell (/usr/bin/zsh) could not be asked for its folders: its start files took too long.")},
			Advice: words.Foreign("Look into the start files of your shell, or write the full paths of programs into the " +
				"configuration.")},
		{ID: "config", Group: doctor.Files, Title: words.Foreign("Configuration file"), State: doctor.OK,
			Detail: []words.Text{words.Foreign(
				"/home/me/.config/workbench/workbench-config.json is valid, with 3 toolboxes and 7 servers.")}},
		{ID: "secrets", Group: doctor.Files, Title: words.Foreign("Who can read the configuration"), State: doctor.Wrong,
			Detail: []words.Text{words.Foreign(
				"Others who use this computer can read it, and it holds values that look like secrets, for example of dev › hub.")},
			Advice: words.Foreign("Let only yourself read it. Even better, move the values to the keychain."),
			Fix:    &doctor.Fix{ID: doctor.FixPermissions, Title: words.Foreign("Let only me read it")}},
		{ID: "keychain", Group: doctor.System, Title: words.Foreign("Keychain"), State: doctor.OK,
			Detail: []words.Text{words.Foreign("The keychain of your system answers.")}},
		{ID: "disk", Group: doctor.System, Title: words.Foreign("Free disk space"), State: doctor.OK,
			Detail: []words.Text{words.Foreign("75 GB are free in your home folder.")}},
	}
}

func checked() Doctor {
	return Doctor{Checks: sampleChecks(), Finished: time.Date(2026, 11, 21, 10, 42, 0, 0, time.UTC)}
}

// halfway returns a run that has not finished.
func halfway() Doctor {
	d := Doctor{Running: true, Checks: sampleChecks()}
	for i := range d.Checks {
		if i%3 != 0 {
			d.Checks[i].State, d.Checks[i].Detail, d.Checks[i].Advice, d.Checks[i].Fix = doctor.Pending, nil, words.Text{}, nil
		}
	}
	return d
}

// nth returns the nth control of a type in a part of the screen.
func nth[T fyne.CanvasObject](part fyne.CanvasObject, n int) T {
	for _, object := range seen(part) {
		if found, ok := object.(T); ok {
			if n == 0 {
				return found
			}
			n--
		}
	}
	panic("there is no such control")
}

func (o *opened) theme() *kit.Choice         { return nth[*kit.Choice](o.general.root, 0) }
func (o *opened) notifications() *kit.Switch { return nth[*kit.Switch](o.general.root, 1) }
func (o *opened) level() *kit.Select         { return nth[*kit.Select](o.advanced.box, 0) }
