package detail

import (
	"context"
	"errors"
	"net/url"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// SignIn has the user sign in to remote servers.
type SignIn struct {
	options SignInOptions
	dialog  dialog.Dialog // that waits for a sign-in, or nil
}

// SignInOptions say for what a [SignIn] works.
type SignInOptions struct {
	SignIns *signin.Store // nil: nobody can sign in
	Lookup  config.Lookup
	Tasks   *task.Tasks
	Engines *engines.Engines
	Window  *frame.Window
	Model   *model.Model

	ShowSetup func(model.Choice)
}

// NewSignIn gives one that waits for nothing.
func NewSignIn(options SignInOptions) *SignIn { return &SignIn{options: options} }

// Waits reports whether a sign-in is waited for.
func (s *SignIn) Waits() bool { return s.dialog != nil }

// Begin has the user sign in to a remote server in the browser, and starts it again where it waits for that. It tells whether
// that is possible: a server whose entry says itself who the user is wants another token and no sign-in.
func (s *SignIn) Begin(at model.Choice) bool {
	entry := s.remoteEntry(at)
	if entry == nil {
		return false
	}
	if s.dialog != nil {
		s.dialog.Hide() // the user wants another one, for example from the tray
	}
	ctx, cancel := context.WithCancel(s.options.Tasks.Context())
	var page string // that the browser was sent to
	again := kit.NewButton(lang.L("Open the page again"), widget.MediumImportance, func() { s.options.Window.OpenURL(page) })
	again.Disable()
	content := kit.Column(12,
		kit.NewParagraph(lang.L("Sign in on the page in your browser, and allow Workbench to use “{{.Name}}”. Then come back here.", map[string]any{"Name": kit.Line(at.Server)}), kit.TextStyle{}),
		kit.NewMarked(theme.StateWorking, lang.L("Waiting for your browser…")),
		kit.NewGap(0, 4))
	shown := kit.NewQuestion(lang.L("Sign in"), 480, content, s.options.Window.Window)
	giveUp := kit.NewButton(lang.L("Cancel"), widget.MediumImportance, shown.Hide)
	shown.SetButtons([]fyne.CanvasObject{giveUp, again})
	shown.SetOnClosed(func() {
		cancel()
		if s.dialog == shown {
			s.dialog = nil
		}
	})
	s.dialog = shown
	s.options.Window.ShowDialog(shown)
	s.options.Window.Window.Canvas().Focus(giveUp)

	open := func(address string) error {
		parsed, err := url.Parse(address)
		if err != nil {
			return err
		}
		opened := make(chan error, 1)
		s.options.Tasks.Do(func() {
			if ctx.Err() != nil {
				return
			}
			page = address
			again.Enable()
			opened <- s.options.Window.Visit(parsed)
		})
		select {
		case err := <-opened:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.options.Tasks.Background(func() {
		// All of the entry that counts for a sign-in; the rest of it may not be usable yet.
		server, err := (&config.Server{Transport: entry.Transport, URL: entry.URL, OAuth: entry.OAuth}).Expand(s.options.Lookup)
		if err == nil {
			err = s.options.SignIns.SignIn(ctx, server, open)
		}
		unsealed := err == nil && s.options.SignIns.Unsealed(server.URL)
		s.options.Tasks.Do(func() {
			given := ctx.Err() != nil
			shown.Hide()
			if err == nil {
				s.signedIn(at, entry, unsealed)
			} else if !given {
				s.options.Window.Fail(signInError(err))
			}
		})
	})
	return true
}

// Added is what the dialog that adds servers offers; nil where nobody can sign in.
func (s *SignIn) Added() func(toolbox, server string) {
	if s.options.SignIns == nil {
		return nil
	}
	return func(toolbox, server string) {
		at := model.Choice{Toolbox: toolbox, Server: server}
		if !s.Begin(at) {
			s.options.ShowSetup(at)
		}
	}
}

// signedIn tells that the user has signed in, and starts what has waited for it.
func (s *SignIn) signedIn(at model.Choice, entry *config.Server, unsealed bool) {
	said := lang.L("You are signed in to “{{.Name}}”.", map[string]any{"Name": kit.Line(at.Server)})
	if unsealed {
		said += " " + lang.L("There is no keychain, so the sign-in is kept in a file that only you can read.")
	}
	s.options.Window.Say(said)
	s.restartAll(entry, status.SignIn)
}

// SignOut forgets a sign-in, and lets go of what uses it.
func (s *SignIn) SignOut(at model.Choice) {
	entry := s.remoteEntry(at)
	if entry == nil {
		return
	}
	s.options.Tasks.Background(func() {
		address, err := signin.Address(entry, s.options.Lookup)
		if err == nil {
			err = s.options.SignIns.SignOut(s.options.Tasks.Context(), address)
		}
		s.options.Tasks.Do(func() {
			if err != nil {
				s.options.Window.Fail(err)
				return
			}
			s.options.Window.Say(lang.L("You are signed out of “{{.Name}}”.", map[string]any{"Name": kit.Line(at.Server)}))
			s.restartAll(entry, status.Connected)
		})
	})
}

// Has tells whether the user has signed in to a server. It looks for a file, and asks no keychain.
func (s *SignIn) Has(toolbox, server string) bool {
	entry := s.remoteEntry(model.Choice{Toolbox: toolbox, Server: server})
	if entry == nil {
		return false
	}
	lookup := s.options.Lookup
	lookup.Keyring = func(string) (string, error) { return "", errors.New("not asked") }
	address, err := signin.Address(entry, lookup)
	return err == nil && s.options.SignIns.Has(address)
}

// remoteEntry is the entry of a server that one can sign in to, else nil.
func (s *SignIn) remoteEntry(at model.Choice) *config.Server {
	if s.options.SignIns == nil {
		return nil
	}
	entry := s.options.Model.Entry(at)
	if entry == nil || !signin.Possible(entry) {
		return nil
	}
	return entry
}

// restartAll starts all servers with the address of an entry anew that are in a state, in the engines that have them so.
func (s *SignIn) restartAll(entry *config.Server, state status.State) {
	for _, engine := range s.options.Model.Live.Engines {
		if !engine.InReach() {
			continue
		}
		for _, server := range engine.Servers {
			at := model.Choice{Toolbox: server.Toolbox, Server: server.Name}
			if same := s.remoteEntry(at); same == nil || same.URL != entry.URL || server.State != state {
				continue
			}
			s.options.Engines.RestartIn(engine.ID, at)
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
