package app

import (
	"runtime/debug"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/keychain"
)

// Where more about the program is.
const (
	website = "https://github.com/workbench-mcp/workbench-desktop"
	licence = website + "/blob/main/LICENSE"
)

// choices is what the settings show besides the snapshot. It belongs to the goroutine of the window.
type choices struct {
	secrets map[string]settings.Secret // what the keychain answered, by name
	doctor  settings.Doctor
	stop    func() // ends the check of the computer that is under way
}

// preferences are the user's choices as they are now. It can be called on any goroutine.
func (d *controller) preferences() settings.Preferences {
	return preferred(d.options)
}

// prefer changes the preferences.
func (d *controller) prefer(change func(*settings.Preferences), done func(error)) {
	if d.options.Preferences == nil {
		done(nil)
		return
	}
	d.tasks.After(func() error { return d.options.Preferences.Update(change) }, func(err error) {
		d.redraw()
		done(err)
	})
}

// lookOf is the look that a preference means.
func lookOf(choice settings.ThemeChoice) theme.Look {
	switch choice {
	case settings.ThemeLight:
		return theme.LookLight
	case settings.ThemeDark:
		return theme.LookDark
	}
	return theme.LookSystem
}

// applyTheme puts on the look that the user prefers.
func (d *controller) applyTheme() {
	d.options.App.Settings().SetTheme(theme.Theme{Look: lookOf(d.preferences().Theme)})
}

// applyPreferences does what follows from the preferences that are others than before.
func (d *controller) applyPreferences(before settings.Preferences) {
	now := d.preferences()
	if now.Theme != before.Theme {
		d.applyTheme()
	}
	if now.LogLevel != before.LogLevel && d.options.SetLogLevel != nil {
		d.options.SetLogLevel(now.LogLevel)
	}
}

// rememberSize keeps the size of the window for the next start.
func (d *controller) rememberSize() {
	size := d.window.Window.Canvas().Size()
	if d.options.Preferences == nil || size.Width < 400 || size.Height < 300 {
		return
	}
	now := settings.WindowSize{Width: size.Width, Height: size.Height}
	if err := d.options.Preferences.Update(func(p *settings.Preferences) { p.Window = now }); err != nil {
		d.options.Logger.Warn("The size of the window is not remembered", "error", err)
	}
}

// settingsScreen makes the screen of the settings.
func (d *controller) settingsScreen() frame.Screen {
	d.settings = settings.New(d.settingsActions())
	return &drawn[settings.View]{on: d.settings, view: d.settingsView, enter: d.askSecrets}
}

func (d *controller) settingsView(now *model.Model) settings.View {
	view := settings.View{
		Preferences: d.preferences(),
		Languages:   locale.Languages(),
		Autostart:   settings.Autostart{On: now.Login.On, Fixed: !now.Login.Known, Note: now.Login.Note},
		Doctor:      d.choices.doctor,
		About: settings.About{
			Version: d.options.Version, Build: build(), Website: website, Licence: licence, Notices: website + "#licences",
			Folders: []settings.Folder{{Title: lang.L("Configuration"), Path: d.options.Location.Path}},
		},
	}
	if d.options.HistoryDir != "" {
		view.About.Folders = append(view.About.Folders, settings.Folder{Title: lang.L("Its history"), Path: d.options.HistoryDir})
	}
	if now.Good != nil {
		view.ToolMode.Mode = now.Good.Config.ToolMode
		view.Secrets = settings.SecretsOf(now.Good.Config)
	}
	view.ToolMode.Fixed = now.Broken()
	if forced, ok := d.env("WORKBENCH_TOOL_MODE"); ok {
		view.ToolMode.Forced = config.ToolMode(forced)
	}
	for i, secret := range view.Secrets {
		if known, ok := d.choices.secrets[secret.Name]; ok {
			view.Secrets[i].State, view.Secrets[i].Note = known.State, known.Note
		}
	}
	return view
}

func (d *controller) env(name string) (string, bool) {
	if d.options.Lookup.Env == nil {
		return "", false
	}
	value, ok := d.options.Lookup.Env(name)
	return value, ok && value != ""
}

// build says how the program was built.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.GoVersion
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 8 {
			text += ", " + setting.Value[:8]
		}
	}
	return text
}

// askSecrets asks the keychain for those that the configuration refers to, once for each: it may ask the user.
func (d *controller) askSecrets() {
	for _, secret := range d.settingsView(&d.model).Secrets {
		if _, asked := d.choices.secrets[secret.Name]; asked {
			continue
		}
		d.choices.secrets[secret.Name] = settings.Secret{Name: secret.Name}
		d.askSecret(secret.Name)
	}
}

func (d *controller) askSecret(name string) {
	d.tasks.Background(func() {
		has, err := keychain.Has(keychain.System(), name)
		d.tasks.Do(func() {
			known := settings.Secret{Name: name, State: settings.SecretMissing}
			switch {
			case err != nil:
				known.State, known.Note = settings.SecretUnreachable, kit.ErrorSentence(err)
			case has:
				known.State = settings.SecretPresent
			}
			d.choices.secrets[name] = known
			d.redraw()
		})
	})
}

func (d *controller) settingsActions() settings.Actions {
	changed := func(name string, done func(error)) func(error) {
		return func(err error) {
			d.askSecret(name)
			done(err)
		}
	}
	return settings.Actions{
		SetStartAtLogin: d.setLogin,
		SetLanguage:     d.setLanguage,
		Prefer: func(change func(*settings.Preferences), done func(error)) {
			before := d.preferences()
			d.prefer(change, func(err error) {
				d.applyPreferences(before)
				done(err)
			})
		},
		Edit: d.saver.Edit,
		SetSecret: func(name, value string, done func(error)) {
			d.tasks.After(func() error { return keychain.System().Set(name, value) }, changed(name, done))
		},
		DeleteSecret: func(name string, done func(error)) {
			d.tasks.After(func() error { return keychain.System().Delete(name) }, changed(name, done))
		},
		Later:      d.tasks.Do,
		Check:      d.checkComputer,
		StopCheck:  func() { d.choices.stop() },
		Fix:        d.fixComputer,
		CopyReport: d.copyReport,
		OpenFolder: d.window.OpenPath,
		OpenURL:    d.window.OpenURL,
		FirstSteps: d.firstStepsAction(),
	}
}
