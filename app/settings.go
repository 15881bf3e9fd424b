package app

import (
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// preferences are the user's choices as they are now. It can be called on any goroutine.
func (d *controller) preferences() model.Preferences {
	return preferred(d.options)
}

// prefer changes the preferences.
func (d *controller) prefer(change func(*model.Preferences), done func(error)) {
	if d.options.Preferences == nil {
		done(nil)
		return
	}
	before := d.preferences()
	d.tasks.After(func() error { return d.options.Preferences.Update(change) }, func(err error) {
		d.applyPreferences(before)
		d.redraw()
		done(err)
	})
}

// lookOf is the look that a preference means.
func lookOf(choice model.ThemeChoice) theme.Look {
	switch choice {
	case model.ThemeLight:
		return theme.LookLight
	case model.ThemeDark:
		return theme.LookDark
	}
	return theme.LookSystem
}

// applyTheme puts on the look that the user prefers.
func (d *controller) applyTheme() {
	d.options.App.Settings().SetTheme(theme.Theme{Look: lookOf(d.preferences().Theme)})
}

// applyPreferences does what follows from the preferences that are others than before.
func (d *controller) applyPreferences(before model.Preferences) {
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
	now := model.WindowSize{Width: size.Width, Height: size.Height}
	if err := d.options.Preferences.Update(func(p *model.Preferences) { p.Window = now }); err != nil {
		d.options.Logger.Warn("The size of the window is not remembered", "error", err)
	}
}

// settingsScreen makes the screen of the settings.
func (d *controller) settingsScreen() frame.Screen {
	d.settings = settings.New(d.computer.Actions())
	return &drawn[settings.View]{on: d.settings, view: d.computer.View, enter: d.computer.AskSecrets}
}

// setLanguage changes the language of the window. It stays as it is while something is typed that cannot be saved: all screens are made
// anew, and that would be lost.
func (d *controller) setLanguage(code string, done func(error)) {
	d.settle()
	if lost := d.unsavable(); len(lost) > 0 {
		done(errors.New(lost[0].text))
		return
	}
	d.prefer(func(p *model.Preferences) { p.Language = code }, func(err error) {
		done(err)
		if d.options.voice != nil {
			d.options.voice.Speak(d.preferences().Language)
			d.rebuild()
		}
	})
}

// rebuild makes all that is shown anew, in the language of now: every text is made with what shows it. What is shown and selected stays.
func (d *controller) rebuild() {
	at, choice, tab := d.at, d.toolboxes.Selected(), d.detail.Tab
	bar, _ := d.bar()
	d.window.Build(bar)
	if d.tray.renderer != nil {
		d.window.Status.HasTray()
	}
	d.detail.Rebuild()
	d.pages = pages{detail: d.detail}
	clear(d.made)
	d.at = ""

	d.take(d.look(d.aggregator.Collect()))
	d.updateTray()
	d.choose(placeToolboxes)
	d.draw()
	d.window.Toast.Follow(d.now.File.Edits)
	d.toolboxes.Select(choice)
	d.detail.Open(tab)
	d.askLogin() // which may say why it cannot be
	clear(d.model.Secrets)
	d.choose(at)
	if d.settings != nil {
		d.settings.FocusLanguage(d.window.Window.Canvas())
	}
}
