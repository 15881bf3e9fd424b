package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// loginState is whether the app starts at login.
type loginState struct {
	known bool // it can be told and changed here
	on    bool
	note  string // why it cannot
}

func loginOf(on bool, err error) loginState {
	state := loginState{known: err == nil, on: on}
	if err != nil {
		state.note = kit.ErrorSentence(err)
	}
	return state
}

// Login switches the start at login on and off. Both may take a moment.
type Login interface {
	On() (bool, error)
	Set(on bool) error
}

// askLogin finds out whether the app starts at login, in the background.
func (d *controller) askLogin() {
	if d.options.Login == nil {
		return
	}
	d.tasks.Background(func() {
		on, err := d.options.Login.On()
		d.tasks.Do(func() { d.showLogin(loginOf(on, err)) })
	})
}

func (d *controller) showLogin(login loginState) {
	d.login = login
	if d.tray != nil {
		d.tray.Update(trayState(d.now, d.login))
	}
	d.showSettings()
}

// toggleLogin has the app start at login, or not any more.
func (d *controller) toggleLogin() {
	d.setLogin(!d.login.on, func(err error) {
		if err != nil {
			d.open()
			d.fail(err)
		}
	})
}

func (d *controller) setLogin(on bool, done func(error)) {
	if d.options.Login == nil {
		done(nil)
		return
	}
	d.tasks.Background(func() {
		err := d.options.Login.Set(on)
		now, askErr := d.options.Login.On()
		d.tasks.Do(func() {
			d.showLogin(loginOf(now, askErr))
			done(err)
		})
	})
}
