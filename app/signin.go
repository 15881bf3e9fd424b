package app

import (
	"context"
	"errors"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// signIn has the user sign in to a remote server in the browser, and starts it again where it waits for that. It tells whether
// that is possible: a server whose entry says itself who the user is wants another token and no sign-in.
func (d *controller) signIn(at toolboxes.Choice) bool {
	entry := d.remoteEntry(at)
	if entry == nil {
		return false
	}
	if d.signing != nil {
		d.signing.Hide() // the user wants another one, for example from the tray
	}
	ctx, cancel := context.WithCancel(d.tasks.Context())
	var page string // that the browser was sent to
	again := kit.NewButton(lang.L("Open the page again"), widget.MediumImportance, func() { d.openURL(page) })
	again.Disable()
	content := kit.Column(12,
		kit.NewParagraph(lang.L("Sign in on the page in your browser, and allow Workbench to use “{{.Name}}”. Then come back here.", map[string]any{"Name": kit.Line(at.Server)}), kit.TextStyle{}),
		kit.NewMarked(theme.StateWorking, lang.L("Waiting for your browser…")),
		kit.NewGap(0, 4))
	shown := kit.NewQuestion(lang.L("Sign in"), 480, content, d.window.window)
	giveUp := kit.NewButton(lang.L("Cancel"), widget.MediumImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{giveUp, again})
	shown.SetOnClosed(func() {
		cancel()
		if d.signing == shown {
			d.signing = nil
		}
	})
	d.signing = shown
	d.showDialog(shown)
	d.window.window.Canvas().Focus(giveUp)

	open := func(address string) error {
		parsed, err := url.Parse(address)
		if err != nil {
			return err
		}
		opened := make(chan error, 1)
		d.tasks.Do(func() {
			if ctx.Err() != nil {
				return
			}
			page = address
			again.Enable()
			opened <- d.options.App.OpenURL(parsed)
		})
		select {
		case err := <-opened:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	d.tasks.Background(func() {
		// All of the entry that counts for a sign-in; the rest of it may not be usable yet.
		server, err := (&config.Server{Transport: entry.Transport, URL: entry.URL, OAuth: entry.OAuth}).Expand(d.options.Lookup)
		if err == nil {
			err = d.options.SignIns.SignIn(ctx, server, open)
		}
		unsealed := err == nil && d.options.SignIns.Unsealed(server.URL)
		d.tasks.Do(func() {
			given := ctx.Err() != nil
			shown.Hide()
			if err == nil {
				d.signedIn(at, entry, unsealed)
			} else if !given {
				d.fail(signInError(err))
			}
		})
	})
	return true
}

// signInAdded is what the dialog that adds servers offers; nil where nobody can sign in.
func (d *controller) signInAdded() func(toolbox, server string) {
	if d.options.SignIns == nil {
		return nil
	}
	return func(toolbox, server string) {
		at := toolboxes.Choice{Toolbox: toolbox, Server: server}
		if !d.signIn(at) {
			d.showTab(at, editor.TabSetup)
		}
	}
}

// signedIn tells that the user has signed in, and starts what has waited for it.
func (d *controller) signedIn(at toolboxes.Choice, entry *config.Server, unsealed bool) {
	said := lang.L("You are signed in to “{{.Name}}”.", map[string]any{"Name": kit.Line(at.Server)})
	if unsealed {
		said += " " + lang.L("There is no keychain, so the sign-in is kept in a file that only you can read.")
	}
	d.say(said)
	d.restartAll(entry, status.SignIn)
}

// signOut forgets a sign-in, and lets go of what uses it.
func (d *controller) signOut(at toolboxes.Choice) {
	entry := d.remoteEntry(at)
	if entry == nil {
		return
	}
	d.tasks.Background(func() {
		address, err := signin.Address(entry, d.options.Lookup)
		if err == nil {
			err = d.options.SignIns.SignOut(d.tasks.Context(), address)
		}
		d.tasks.Do(func() {
			if err != nil {
				d.fail(err)
				return
			}
			d.say(lang.L("You are signed out of “{{.Name}}”.", map[string]any{"Name": kit.Line(at.Server)}))
			d.restartAll(entry, status.Connected)
		})
	})
}

// hasSignIn tells whether the user has signed in to a server. It looks for a file, and asks no keychain.
func (d *controller) hasSignIn(toolbox, server string) bool {
	entry := d.remoteEntry(toolboxes.Choice{Toolbox: toolbox, Server: server})
	if entry == nil {
		return false
	}
	lookup := d.options.Lookup
	lookup.Keyring = func(string) (string, error) { return "", errors.New("not asked") }
	address, err := signin.Address(entry, lookup)
	return err == nil && d.options.SignIns.Has(address)
}

// remoteEntry is the entry of a server that one can sign in to, else nil.
func (d *controller) remoteEntry(at toolboxes.Choice) *config.Server {
	if d.options.SignIns == nil {
		return nil
	}
	entry := d.now.Entry(at)
	if entry == nil || !signin.Possible(entry) {
		return nil
	}
	return entry
}

// restartAll starts all servers with the address of an entry anew that are in a state, in the engines that have them so.
func (d *controller) restartAll(entry *config.Server, state status.State) {
	for _, engine := range d.now.Live.Engines {
		if !engine.InReach() {
			continue
		}
		for _, server := range engine.Servers {
			at := toolboxes.Choice{Toolbox: server.Toolbox, Server: server.Name}
			if same := d.remoteEntry(at); same == nil || same.URL != entry.URL || server.State != state {
				continue
			}
			d.engines.RestartIn(engine.ID, at)
		}
	}
}

// signInError puts what people do themselves into their own words.
func signInError(err error) error {
	switch {
	case errors.Is(err, signin.ErrTimeout):
		return errors.New(lang.L("Nobody signed in within 5 minutes. Try again when you are ready."))
	case errors.Is(err, signin.ErrDenied):
		return errors.New(lang.L("The sign-in was not allowed in the browser."))
	}
	return err
}
