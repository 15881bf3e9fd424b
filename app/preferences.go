package app

import (
	"errors"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// prefer changes and saves the preferences, applies them and redraws. Without preferences it does nothing.
func (c *controller) prefer(change func(*model.Preferences), done func(error)) {
	if c.options.Preferences == nil {
		done(nil)
		return
	}
	before := c.options.Preferences.Get()
	c.tasks.After(func() error { return c.options.Preferences.Update(change) }, func(err error) {
		c.applyPreferences(before)
		c.redraw()
		done(err)
	})
}

// applyPreferences applies the preferences that have changed.
func (c *controller) applyPreferences(before model.Preferences) {
	now := c.options.Preferences.Get()
	if now.Theme != before.Theme {
		c.options.App.Settings().SetTheme(theme.Theme{Look: theme.Look(now.Theme)})
	}
	if now.Usage != before.Usage && c.options.Usage.Folder != "" {
		c.followUsage(now.Usage)
	}
	if now.LogLevel != before.LogLevel && c.options.LogLevel != nil {
		// it is one of four words; another would change nothing
		_ = c.options.LogLevel.UnmarshalText([]byte(now.LogLevel))
	}
}

// followUsage deletes the recorded calls when the user switches recording off, and says so. The engines read the
// preferences themselves.
func (c *controller) followUsage(on bool) {
	if on {
		c.aggregator.LookAtUsage()
		return
	}
	c.tasks.After(c.options.Usage.Folder.Forget, func(err error) {
		c.aggregator.LookAtUsage()
		if err != nil {
			c.window.Fail(err)
			return
		}
		c.window.Say(lang.L("What was counted is deleted, and nothing is kept from now on."))
	})
}

// remember saves the size of the window and the selection for the next start.
func (c *controller) remember() { c.keeper()() }

// keeper returns a function that saves the size of the window and the selection, as they are now, for the next start.
// It can be called on any goroutine.
func (c *controller) keeper() func() {
	size := c.window.Window.Canvas().Size()
	if c.options.Preferences == nil || size.Width < 400 || size.Height < 300 {
		return func() {}
	}
	now, selected := model.WindowSize{Width: size.Width, Height: size.Height}, model.Selected(c.toolboxes.Selected())
	return func() {
		if err := c.options.Preferences.Update(func(p *model.Preferences) {
			p.Window, p.Selected = now, selected
		}); err != nil {
			c.options.Logger.Warn("The size of the window and the selection are not remembered", "error", err)
		}
	}
}

// selectAgain selects what was selected when the window was last used, if it is still there.
func (c *controller) selectAgain() {
	at := model.Choice(c.options.Preferences.Get().Selected)
	if c.now.Good == nil || at.Toolbox == "" {
		return
	}
	if _, ok := c.now.Good.Config.Toolbox(at.Toolbox); ok && (at.Server == "" || c.now.Entry(at) != nil) {
		c.toolboxes.Select(at)
	}
}

// setLanguage changes the language of the window. It refuses while a screen has typed text that cannot be saved,
// because all screens are made again and that text would be lost.
func (c *controller) setLanguage(code string, done func(error)) {
	if err := c.rebuildable(); err != nil {
		done(err)
		return
	}
	task.Find(c.tasks, func() bool { return c.options.System == nil || c.options.System.Shows(code) }, func(can bool) {
		if !can {
			done(errors.New(noFont()))
			return
		}
		c.speak(code, done)
	})
}

// noFont says that this computer cannot show a language, and what helps.
func noFont() string {
	return lang.L("This computer has no font for this language. Install {{.Package}}, then choose it again.",
		map[string]any{"Package": locale.Fonts})
}

// speak saves the language, and shows the window in it.
func (c *controller) speak(code string, done func(error)) {
	c.prefer(func(p *model.Preferences) { p.Language = code }, func(err error) {
		if again := c.rebuildable(); err == nil && again != nil {
			err = again // the user has typed something meanwhile; the next start will use the language
		}
		done(err)
		if err == nil && c.options.voice != nil {
			c.options.voice.Speak(c.options.Preferences.Get().Language)
			c.rebuild()
		}
	})
}

// rebuildable returns why the screens cannot be made again now, or nil.
func (c *controller) rebuildable() error {
	c.settle()
	switch lost := c.inText(); {
	case len(lost) > 0:
		return errors.New(lost[0].text)
	case c.detail.Tools.Running():
		return errors.New(lang.L("A tool is still running under “Try it”. Wait for its end, or cancel it."))
	}
	return nil
}

// rebuild makes the whole content of the window again, because widgets keep the language in which they were made. The
// model knows what was open.
func (c *controller) rebuild() {
	at, tab := c.places.At(), c.model.Opened.Tab
	c.window.Build()
	c.menus()
	if c.tray.renderer != nil {
		c.window.Status.HasTray()
	}
	c.detail.Rebuild()
	c.places.Clear()
	c.pages = pages{detail: c.detail}

	c.take(c.viewsOf(c.aggregator.Collect()))
	c.updateTray()
	c.places.Choose(placeToolboxes)
	c.draw()
	c.window.Toast.Follow(c.now.File.Edits)
	c.detail.Open(tab)
	c.computer.AskLogin() // its text depends on the language
	clear(c.model.Secrets)
	c.places.Choose(at)
	switch {
	case at == placeWelcome:
		c.welcome.Focus()
	case c.settings != nil:
		c.settings.FocusLanguage(c.window.Window.Canvas())
	}
	c.adding.SpeakAgain()
	c.window.SpeakAgain()
}
