package app

import (
	"errors"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
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
	at, choice, tab := d.at, d.screen.Selected(), d.detail.tab
	d.window.build()
	if d.tray != nil {
		d.window.status.hasTray()
	}
	d.detail.rebuild()
	d.screen = toolboxes.New(d.toolboxesActions())
	d.activity, d.clients, d.settings, d.file = nil, nil, nil, nil

	d.apply(d.look(d.aggregator.Collect()))
	d.window.toast.follow(d.now.File.Edits)
	d.screen.Select(choice)
	d.detail.open(tab)
	d.askLogin() // which may say why it cannot be
	clear(d.choices.secrets)
	d.choose(at)
	if d.settings != nil {
		d.settings.FocusLanguage(d.window.window.Canvas())
	}
}

// rebuild makes the tabs anew. They show nothing until a server is.
func (t *detail) rebuild() {
	before := t.tools
	t.desk.tasks.Background(before.Close)
	t.at, t.tab, t.looker = toolboxes.Choice{}, editor.TabSetup, editor.Looker{}
	t.build()
}
