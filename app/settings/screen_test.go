package settings

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func expect(t *testing.T, o *opened, want string) {
	t.Helper()
	if o.last() != want {
		t.Errorf("the actions are %q, want %q as the last", o.did, want)
	}
}

func TestShowingChangesNothing(t *testing.T) {
	newApp(t)
	view := sample()
	view.Preferences = Preferences{Theme: model.ThemeDark, Language: "de", LogLevel: "debug"}
	view.ToolMode.Mode = config.ModeDynamic
	o := open(t, view, normal)
	o.Apply(view)
	o.Apply(sample())
	if len(o.did) > 0 {
		t.Errorf("showing the screen has called %q", o.did)
	}
	o.reads(t, "Settings", "System language", "In the keychain",
		"Used by dev › github, research › github", "Not checked", "Workbench 1.0.0")
	o.lacks(t, "Deutsch", "Copy a report", "Stop", "Errors, warnings and events")
	o.Apply(view)
	o.Show(SectionAdvanced)
	o.reads(t, "Deutsch", "Everything, for reports")
	if o.theme().Chosen() != 2 || o.notifications().On() || !o.general.loginOn.On() || !o.mode.options[2].on ||
		o.mode.options[0].on {
		t.Error("a control does not follow the view")
	}
}

func TestGeneral(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	test.Tap(o.general.loginOn)
	expect(t, o, "login false")
	o.end(errors.New("starting at login is not possible: no space left"))
	o.reads(t, "Starting at login is not possible: no space left")
	if !o.general.loginOn.On() {
		t.Error("a setting that could not be changed is shown as changed")
	}
	test.Tap(o.general.loginOn)
	o.lacks(t, "no space left")
	o.end(nil)

	o.theme().TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	expect(t, o, "theme light")
	o.general.languages.SetSelected("Deutsch")
	expect(t, o, "language de")
	o.general.languages.SetSelected("System language")
	expect(t, o, "language ")
	test.Tap(o.notifications())
	expect(t, o, "notifications false")
	o.Show(SectionAdvanced)
	o.level().SetSelected("Only errors")
	expect(t, o, "level error")

	view := sample()
	view.Login = model.Login{Note: "Another program has put something there."}
	o.Apply(view)
	o.reads(t, "Another program has put")
	before := len(o.did)
	test.Tap(o.general.loginOn)
	if len(o.did) != before {
		t.Errorf("a fixed setting was changed: %s", o.last())
	}
}

func TestToolMode(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.lacks(t, "Choose for each app", "Public list", "Count tool calls", "Log")
	test.Tap(o.advanced.fold)
	o.reads(t, "Choose for each app", "Public list", "Count tool calls", "Log")
	test.Tap(o.mode.options[1])
	expect(t, o, `edit.SetField {"field":["toolMode"],"value":"proxy"}`)
	if !o.mode.options[1].on || o.mode.options[0].on {
		t.Error("the choice is not shown at once")
	}
	o.end(errors.New("the file was changed by another program"))
	o.reads(t, "The file was changed by another program")
	if o.mode.options[1].on {
		t.Error("a setting that could not be changed is shown as changed")
	}
	view := sample()
	view.ToolMode = ToolMode{Mode: config.ModeProxy, Forced: config.ModeDynamic}
	o.Apply(view)
	o.reads(t, "WORKBENCH_TOOL_MODE is set to dynamic")
	o.window.Canvas().Focus(o.mode.options[1])
	key := func(name fyne.KeyName) { o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name}) }
	key(fyne.KeyUp)
	key(fyne.KeyUp)
	key(fyne.KeySpace)
	expect(t, o, `edit.ClearField {"field":["toolMode"]}`)
	before := len(o.did)
	view.ToolMode.Fixed = true
	o.Apply(view)
	o.reads(t, "The configuration has an error that must be corrected first")
	key(fyne.KeyDown)
	key(fyne.KeyDown)
	key(fyne.KeyReturn)
	test.Tap(o.mode.options[2])
	if len(o.did) != before {
		t.Errorf("a fixed setting was changed: %s", o.last())
	}
}

func TestSecrets(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.tap(t, "Fill it in")
	row := o.secrets.rows["tavily-api-key"]
	if o.window.Canvas().Focused() != row.value.Input || !row.save.Disabled() {
		t.Fatalf("the focus is on %T", o.window.Canvas().Focused())
	}
	test.Type(row.value.Input, "tvly-secret")
	o.lacks(t, "tvly-secret")
	// Another View does not discard the typed value.
	o.Apply(sample())
	row.value.Input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	expect(t, o, "set tavily-api-key tvly-secret")
	row.value.Input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(o.did) != 1 {
		t.Error("the secret is set twice")
	}
	o.end(errors.New("the keychain is locked"))
	o.reads(t, "The keychain is locked", "\nSave\n")
	o.tap(t, "Save")
	o.end(nil)
	o.lacks(t, "\nSave\n", "The keychain is locked") // the button, that is: the keys say it too
	if row.value.Value() != "" {
		t.Error("the value is still in the window")
	}

	// Esc and Cancel discard the typed value.
	o.tap(t, "Change…")
	test.Type(o.secrets.rows["github"].value.Input, "x")
	o.secrets.rows["github"].value.Input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	o.lacks(t, "\nSave\n")
	o.tap(t, "Change…")
	if o.secrets.rows["github"].value.Value() != "" {
		t.Error("the discarded value is still there")
	}
	o.tap(t, "Cancel")

	before := len(o.did)
	o.tap(t, "Delete…")
	o.reads(t, "Servers that use it cannot start without it")
	o.tap(t, "Keep")
	if len(o.did) != before {
		t.Errorf("the last action is %s", o.last())
	}
	o.tap(t, "Delete…")
	o.tap(t, "Delete")
	expect(t, o, "delete github")
	o.end(errors.New("the keychain does not answer"))
	o.reads(t, "The keychain does not answer", "Delete…")

	view := sample()
	view.Secrets = []Secret{{Name: "new", State: model.SecretUnreachable, Note: "No such service."}, view.Secrets[0]}
	o.Apply(view)
	o.reads(t, "The keychain does not answer", "No such service.", "github")
	o.lacks(t, "tavily")
	view.Secrets = nil
	o.Apply(view)
	o.reads(t, "No server takes a secret")
	o.lacks(t, "github")
}

func TestSecretsOf(t *testing.T) {
	document := config.Parse("x.json", []byte(`{"toolboxes": {
		"dev": {"mcpServers": {
			"hub": {"command": "x", "args": ["${keyring:b}"], "env": {"A": "${keyring:a}", "B": "Bearer ${keyring:a}${HOME}", "C": "$${keyring:none}"}},
			"off": {"command": "${keyring:f}", "disabled": true, "cwd": "/${keyring:d}", "env": {"A": "${keyring:c}"}}}},
		"web": {"mcpServers": {"far": {"url": "https://${keyring:e}/mcp", "headers": {"Authorization": "Bearer ${keyring:a}"}}}}}}`))
	if document.Config == nil {
		t.Fatal(document.Diagnostics)
	}
	var got []string
	for _, secret := range SecretsOf(document.Config) {
		got = append(got, secret.Name+": "+strings.Join(secret.UsedBy, ", "))
	}
	if all := strings.Join(got, "; "); all != "b: dev › hub; a: dev › hub, web › far; f: dev › off; c: dev › off; d: "+
		"dev › off; e: web › far" {
		t.Errorf("the secrets are %s", all)
	}
	if SecretsOf(nil) != nil {
		t.Error("without a configuration, there are secrets")
	}
}

func TestChecks(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.tap(t, "Check my computer")
	expect(t, o, "check")
	view := sample()
	view.Doctor = halfway()
	o.Apply(view)
	o.reads(t, "Checking…", "Node.js 22.11.0", "Programs", "Files")
	at := func() float32 { return fyne.CurrentApp().Driver().AbsolutePositionForObject(o.checks.heading).Y }
	if y := at(); y < 0 || y > normal.Height/3 {
		t.Errorf("the results are not visible: their heading is at %v", y)
	}
	o.Show(SectionGeneral)
	before := at()
	o.Apply(view)
	if at() != before {
		t.Error("more results scroll the screen")
	}
	o.lacks(t, "Copy a report", "Get uv")
	o.tap(t, "Stop")
	expect(t, o, "stop")
	view.Doctor.Running = false
	o.Apply(view)
	o.reads(t, "Stopped", "Not checked")
	view.Doctor = checked()
	o.Apply(view)
	o.reads(t, "2 problems · Checked at 10:42", "Problem", "Note", "OK", "Install uv.")
	o.lacks(t, "Checking…", "Stop")
	o.tap(t, "Get uv")
	expect(t, o, "url https://docs.astral.sh/uv")
	o.tap(t, "Copy a report")
	o.end(nil)
	o.reads(t, "Copied")

	o.tap(t, "Let only me read it")
	expect(t, o, "fix "+doctor.FixPermissions)
	o.tap(t, "Let only me read it")
	o.end(errors.New("not yours"))
	o.reads(t, "Not yours")
	// The focus stays on a button although its row is created again.
	o.window.Canvas().Focus(o.checks.buttons["secrets"])
	view.Doctor.Checks = slices.Clone(view.Doctor.Checks)
	uv := slices.IndexFunc(view.Doctor.Checks, func(check doctor.Check) bool { return check.ID == "uv" })
	view.Doctor.Checks[uv] = doctor.Check{ID: "uv", Group: doctor.Programs, Title: words.Foreign("uv"), State: doctor.OK,
		Detail: []words.Text{words.Foreign("uv 1.0 is there.")}}
	o.Apply(view)
	o.reads(t, "1 problem · ", "uv 1.0 is there.")
	o.lacks(t, "Get uv")
	if o.window.Canvas().Focused() != fyne.Focusable(o.checks.buttons["secrets"]) {
		t.Error("the button has lost the focus")
	}
	// Only web addresses are opened.
	view.Doctor.Checks[0].Fix = &doctor.Fix{ID: "odd", Title: words.Foreign("Odd"), URL: "file:///etc/passwd"}
	o.Apply(view)
	o.tap(t, "Odd")
	expect(t, o, "fix odd")
	for i := range view.Doctor.Checks {
		view.Doctor.Checks[i].State = doctor.OK
	}
	o.Apply(view)
	o.reads(t, "No problems · Checked at")
}

func TestAbout(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	o.reads(t, "/home/me/.local/state/workbench/history")
	o.lacks(t, "Go 1.") // it is in the report
	o.tap(t, "Licences of others")
	expect(t, o, "url https://example.com/notices")
	o.tap(t, "Report a problem")
	expect(t, o, "url https://example.com/reports")
	o.tap(t, "Open folder")
	expect(t, o, "folder /home/me/.config/workbench/workbench-config.json")
}

// TestNewerVersions checks that nothing is looked for until the user says so, and that a newer version is named together
// with how to get it.
func TestNewerVersions(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	if o.general.updatesOn.On() {
		t.Error("newer versions are looked for, and nobody has allowed it")
	}
	o.lacks(t, "is there…")
	test.Tap(o.general.updatesOn)
	expect(t, o, "updates true")
	o.end(errors.New("api.github.com did not answer within 15 seconds"))
	o.reads(t, "did not answer within 15 seconds")
	view := sample()
	view.Updates = model.Updates{Allowed: true, Version: "1.1.0", Page: "https://example.com/1.1.0",
		How: "Update it with: brew upgrade --cask workbench"}
	o.Apply(view)
	if !o.general.updatesOn.On() {
		t.Error("the switch does not show what is allowed")
	}
	o.reads(t, "brew upgrade --cask workbench")
	o.Show(SectionAbout)
	o.tap(t, "Version 1.1.0 is there…")
	expect(t, o, "url https://example.com/1.1.0")
}

func TestSectionsCanBeShown(t *testing.T) {
	newApp(t)
	view := sample()
	view.Doctor = checked()
	for _, size := range []fyne.Size{normal, small} {
		o := open(t, view, size)
		headings := map[Section]fyne.CanvasObject{SectionGeneral: o.general.heading, SectionAdvanced: o.advanced.heading,
			SectionSecrets: o.secrets.heading, SectionDoctor: o.checks.heading, SectionAbout: o.about.heading}
		for section, heading := range headings {
			o.Show(section)
			if y := fyne.CurrentApp().Driver().AbsolutePositionForObject(heading).Y; y < 0 || y > size.Height-60 {
				t.Errorf("the heading of section %d is at %v of %v", section, y, size.Height)
			}
		}
		o.Show(Section(99))
	}
}

// The Tab key reaches every control, in reading order.
func TestTabOrder(t *testing.T) {
	newApp(t)
	view := sample()
	view.Doctor = checked()
	o := open(t, view, normal)
	var order []string
	o.window.Canvas().FocusNext()
	for first := o.window.Canvas().Focused(); len(order) == 0 || o.window.Canvas().Focused() != first &&
		len(order) < 100; o.window.Canvas().FocusNext() {
		switch focused := o.window.Canvas().Focused().(type) {
		case *kit.Button:
			order = append(order, focused.AccessibilityLabel())
		case *kit.Switch:
			order = append(order, "switch")
		case *link:
			order = append(order, "link")
		case *kit.Choice:
			order = append(order, "theme")
		case *kit.Select:
			order = append(order, focused.Selected)
		case *option:
			order = append(order, "option")
		default:
			t.Fatalf("the focus is on %T", focused)
		}
		object := o.window.Canvas().Focused().(fyne.CanvasObject)
		if y := fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Y; y < 0 ||
			y+object.Size().Height > normal.Height {
			t.Errorf("%s has the focus and is out of view: %v", order[len(order)-1], y)
		}
	}
	want := "link, link, link, link, link, switch, theme, System language, switch, switch, Delete…, Change…, Fill it in, Copy a report, " +
		"Check my computer, Get uv, Let only me read it, Advanced, Website, Report a problem, Licence, Licences of others, " +
		"Open folder, Open folder, Show"
	if got := strings.Join(order, ", "); got != want {
		t.Errorf("the order is\n%s, want\n%s", got, want)
	}
}

func BenchmarkApply(b *testing.B) {
	newApp(b)
	view := sample()
	view.Doctor = checked()
	o := open(b, view, normal)
	for i := 0; b.Loop(); i++ {
		view.Doctor.Checks = sampleChecks()
		view.Doctor.Checks[i%8].State = doctor.Pending
		o.Apply(view)
	}
}

// The choice of the theme is shown in full, and is as wide as its texts need.
func TestThemeIsReadWhole(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	if has, wants := o.theme().Size().Width, o.theme().Full(); has != wants {
		t.Errorf("the choice has a width of %v, want %v", has, wants)
	}
}

// The switch for searching tools is saved in the file.
func TestSearch(t *testing.T) {
	newApp(t)
	view := sample()
	o := open(t, view, normal)
	test.Tap(o.mode.search)
	expect(t, o, `edit.SetField {"field":["search"],"value":true}`)
	view.ToolMode.Search = true
	o.Apply(view)
	test.Tap(o.mode.search)
	expect(t, o, `edit.ClearField {"field":["search"]}`)
}
