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

// SignIn lets the user sign in to remote servers.
type SignIn struct {
	options SignInOptions
	dialog  dialog.Dialog // the dialog of a running sign-in, or nil
}

// SignInOptions configure a [SignIn].
type SignInOptions struct {
	SignIns *signin.Store // nil if sign-in is not available
	Lookup  config.Lookup
	Tasks   *task.Tasks
	Engines *engines.Engines
	Window  *frame.Window
	Model   *model.Model
	Program Program
}

// NewSignIn returns a SignIn without a running sign-in.
func NewSignIn(options SignInOptions) *SignIn { return &SignIn{options: options} }

// Begin lets the user sign in to a remote server in the browser. After that, it restarts the server in each engine in
// which the server waits for the sign-in. It returns false if the user cannot sign in, for example because the entry
// of the server has its own Authorization header.
func (s *SignIn) Begin(at model.Choice) bool {
	entry := s.remoteEntry(at)
	if entry == nil {
		return false
	}
	if s.dialog != nil {
		s.dialog.Hide() // the user wants to sign in to another server, for example from the tray
	}
	ctx, cancel := context.WithCancel(s.options.Tasks.Context())
	w := &waiting{SignIn: s, at: at, cancel: cancel}
	w.show()

	s.options.Tasks.Background(func() {
		// A sign-in needs only these fields. The others may not be usable yet.
		server, err := entry.ExpandRemote(s.options.Lookup)
		if err == nil {
			agree := func(page string) error { return w.agree(ctx, server.URL, page) }
			err = s.options.SignIns.SignIn(ctx, server, agree, func(page string) error { return w.open(ctx, page) })
		}
		unsealed := err == nil && s.options.SignIns.Unsealed(server.URL)
		s.options.Tasks.Do(func() {
			cancelled := ctx.Err() != nil
			w.question.Hide()
			if err == nil {
				s.signedIn(at, entry, unsealed)
			} else if !cancelled {
				s.options.Window.Fail(err)
			}
		})
	})
	return true
}

// waiting is the dialog of a sign-in.
type waiting struct {
	*SignIn
	at       model.Choice
	cancel   context.CancelFunc // ends the sign-in
	stage    stage
	server   string       // the address of the server; known from asks on
	page     string       // where the user signs in; known from asks on
	agreed   chan<- error // gets nil when the user wants to go to the page
	question *kit.Question
	content  *fyne.Container
	visit    *kit.Button
}

// stage is how far a sign-in is.
type stage int

const (
	looks  stage = iota // the server is asked where to sign in
	asks                // the user is asked whether to go there
	opened              // the page is open
)

// show opens the dialog in the present language.
func (w *waiting) show() {
	s := w.SignIn
	w.content = kit.Column(kit.GapWide)
	w.question = kit.NewQuestion(lang.L("Sign in"), 480, w.content, s.options.Window.Window)
	giveUp := kit.NewButton(lang.L("Cancel"), widget.MediumImportance, w.question.Hide)
	w.visit = kit.NewButton(lang.L("Open the browser"), widget.HighImportance, nil)
	w.question.SetButtons([]fyne.CanvasObject{giveUp, w.visit})
	question := w.question
	question.SetOnClosed(func() {
		w.cancel()
		if s.dialog == question {
			s.dialog, s.options.Model.SigningIn = nil, model.Choice{}
		}
	})
	question.SetAgain(w.show)
	w.goTo(w.stage)
	s.dialog, s.options.Model.SigningIn = question, w.at
	s.options.Window.ShowDialog(question)
	s.options.Window.Window.Canvas().Focus(giveUp)
}

// goTo goes on to a stage, and shows it.
func (w *waiting) goTo(to stage) {
	switch w.stage = to; to {
	case looks:
		w.visit.Disable()
		w.say(kit.NewMarked(theme.StateWorking, lang.L("Asking the server where to sign in…")))
	case asks:
		w.ask()
	case opened:
		w.wait()
	}
}

// say replaces the content of the dialog.
func (w *waiting) say(lines ...fyne.CanvasObject) {
	w.content.Objects = append(lines, kit.NewGap(0, kit.GapTight))
	w.content.Refresh()
	w.question.Refresh()
}

// agree shows the host on which the user would sign in, and returns nil if the user wants to. It waits for the user,
// so do not call it on the goroutine of the window.
func (w *waiting) agree(ctx context.Context, server, page string) error {
	return w.inWindow(ctx, func(done chan<- error) {
		w.server, w.page, w.agreed = server, page, done
		w.goTo(asks)
	})
}

// open opens the page on which the user signs in. Do not call it on the goroutine of the window.
func (w *waiting) open(ctx context.Context, page string) error {
	parsed, err := url.Parse(page)
	if err != nil {
		return err
	}
	return w.inWindow(ctx, func(done chan<- error) {
		w.page = page
		w.goTo(opened)
		w.options.Window.Visit(parsed, func(err error) { done <- err })
	})
}

// inWindow calls f on the goroutine of the window, and waits until f, or what f has begun, sends an error or nil to
// done once.
func (w *waiting) inWindow(ctx context.Context, f func(done chan<- error)) error {
	done := make(chan error, 1)
	w.options.Tasks.Do(func() {
		if ctx.Err() == nil {
			f(done)
		}
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// ask shows where the user would sign in, and offers to open the browser.
func (w *waiting) ask() {
	hosts := map[string]any{"Name": kit.Line(w.at.Server), "Host": kit.Line(signin.Host(w.page))}
	lines := []fyne.CanvasObject{
		kit.NewParagraph(lang.L("Server “{{.Name}}” · you will sign in at {{.Host}}", hosts), kit.TextStyle{Bold: true}),
	}
	if !signin.SameSite(w.server, w.page) {
		lines = append(lines, kit.Marked(theme.StateNotice,
			kit.NewParagraph(lang.L("{{.Host}} is not the server's own site. Go on only if you want this server to get "+
				"access to your account there.", hosts), kit.TextStyle{})))
	}
	w.visit.OnTapped = func() {
		w.goTo(looks)
		w.agreed <- nil
	}
	w.visit.Enable()
	w.say(lines...)
}

// wait says that the user has to continue in the browser.
func (w *waiting) wait() {
	w.visit.Enable()
	w.visit.Importance = widget.MediumImportance
	w.visit.SetText(lang.L("Open the page again"))
	w.visit.OnTapped = func() { w.options.Window.OpenURL(w.page) }
	w.say(kit.NewMarked(theme.StateWorking, lang.L("Come back here when you have finished on the page.")))
}

// signedIn says that the user has signed in, and restarts the servers that have waited for the sign-in.
func (s *SignIn) signedIn(at model.Choice, entry *config.Server, unsealed bool) {
	said := lang.L("You are signed in to “{{.Name}}”.", map[string]any{"Name": kit.Line(at.Server)})
	if unsealed {
		said = kit.Together(said,
			lang.L("The keychain could not be used, so the sign-in is kept in a file that only you can read."))
	}
	s.options.Window.Say(said)
	s.restartAll(entry, status.SignIn)
}

// SignOut deletes a sign-in and restarts the connected servers that use it.
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

// Has reports whether the user has signed in to a server. It checks whether a file exists, and does not ask the
// keychain.
func (s *SignIn) Has(at model.Choice) bool {
	entry := s.remoteEntry(at)
	if entry == nil {
		return false
	}
	lookup := s.options.Lookup
	lookup.Keyring = func(string) (string, error) { return "", errors.New("not asked") }
	address, err := signin.Address(entry, lookup)
	return err == nil && s.options.SignIns.Has(address)
}

// remoteEntry returns the entry of a server that supports sign-in, or nil.
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

// restartAll restarts the servers that have the URL of entry and are in the given state, in all engines.
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
			s.options.Engines.RestartIn(at, engine.ID)
		}
	}
}
