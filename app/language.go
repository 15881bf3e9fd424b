package app

import (
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/settings"
)

// setLanguage changes the language of the window. It stays as it is while something is typed that cannot be saved: all screens are made
// anew, and that would be lost.
func (d *controller) setLanguage(code string, done func(error)) {
	d.settle()
	if lost := d.unsavable(); len(lost) > 0 {
		done(errors.New(lost[0].text))
		return
	}
	d.prefer(func(p *settings.Preferences) { p.Language = code }, func(err error) {
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
	clear(d.choices.secrets)
	d.choose(at)
	if d.settings != nil {
		d.settings.FocusLanguage(d.window.Window.Canvas())
	}
}
