package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
	"github.com/workbench-mcp/workbench-desktop/engine/signin/fakeservice"
)

// remoteBench returns a controller with two servers at an address that needs a sign-in, and one with a token in a
// header.
func remoteBench(t *testing.T) (*bench, *fakeservice.Service) {
	t.Helper()
	service := fakeservice.New()
	t.Cleanup(service.Stop)
	far := map[string]any{"url": service.Address()}
	text, err := json.MarshalIndent(
		map[string]any{"toolboxes": map[string]any{"dev": map[string]any{"mcpServers": map[string]any{
			"far": far, "again": far, "own": map[string]any{"url": service.Address(),
				"headers": map[string]string{"Authorization": "Bearer ${NO_SUCH:-wrong}"}},
		}}}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	store := signin.Open(signin.Options{Dir: filepath.Join(t.TempDir(), "sign-ins")})
	b := newBench(t, string(text), func(o *Options) { o.SignIns = store })
	b.until(func() string {
		if _, ok := b.engines.OwnEngine(); !ok {
			return "the engine of the window is not there"
		}
		return ""
	})
	for _, name := range []string{"far", "again", "own"} {
		b.start(model.Choice{Toolbox: "dev", Server: name})
		b.untilWord(name, "Needs sign-in")
	}
	return b, service
}

// overlay returns the texts of the top dialog.
func (b *bench) overlay() string {
	top := b.window.Window.Canvas().Overlays().Top()
	if top == nil {
		return ""
	}
	var said []string
	for _, object := range test.LaidOutObjects(top) {
		switch object := object.(type) {
		case interface{ Text() string }:
			said = append(said, object.Text())
		case *kit.Button:
			said = append(said, "["+object.Text+"]")
		case *kit.Selectable:
			said = append(said, object.Text)
		}
	}
	return strings.Join(said, " ")
}

// press taps a button of the top dialog.
func (b *bench) press(label string) {
	b.t.Helper()
	for _, object := range test.LaidOutObjects(b.window.Window.Canvas().Overlays().Top()) {
		if button, ok := object.(*kit.Button); ok && button.Text == label {
			test.Tap(button)
			return
		}
	}
	b.t.Fatalf("there is no button %q: %s", label, b.overlay())
}

// page waits until the browser was opened for the n-th time, and returns the address.
func (b *bench) page(n int) string {
	b.t.Helper()
	b.until(func() string {
		if len(b.app.opened) < n {
			return fmt.Sprintf("the browser was opened %d times, not %d", len(b.app.opened), n)
		}
		return ""
	})
	return b.app.opened[n-1].String()
}

// agree confirms the sign-in, and waits until the browser was opened for the n-th time.
func (b *bench) agree(n int) string {
	b.t.Helper()
	b.until(func() string {
		if said := b.overlay(); !strings.Contains(said, "you will sign in at 127.0.0.1:") ||
			!strings.Contains(said, "[Open the browser]") {
			return "the window says " + said
		}
		return ""
	})
	if len(b.app.opened) >= n {
		b.t.Errorf("the browser was opened before anybody agreed")
	}
	b.press("Open the browser")
	return b.page(n)
}

func TestSignIn(t *testing.T) {
	b, service := remoteBench(t)
	at := model.Choice{Toolbox: "dev", Server: "far"}
	if b.signing.Has(at) {
		t.Fatal("the user is signed in before the sign-in")
	}

	// The user cancels, with the button and with Esc.
	b.fix(at)
	b.until(func() string {
		if said := b.overlay(); !strings.Contains(said, "[Open the browser]") ||
			!strings.Contains(said, "you will sign in at") {
			return "the window says " + said
		}
		return ""
	})
	if n := len(service.Registrations()); n != 0 {
		t.Errorf("Workbench has registered %d times before anybody agreed", n)
	}
	b.agree(1)
	if said := b.overlay(); !strings.Contains(said, "Come back here when you have finished on the page.") ||
		!strings.Contains(said, "[Cancel]") {
		t.Errorf("the dialog says %s", said)
	}
	b.press("Open the page again")
	if b.page(2) != b.page(1) {
		t.Error("the address of the page has changed")
	}
	b.fix(at) // a second call, as from the tray, replaces the first
	b.agree(3)
	b.press("Cancel")
	if b.overlay() != "" {
		t.Errorf("after Cancel, the dialog says %s", b.overlay())
	}
	b.fix(at)
	b.agree(4)
	b.window.Window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	b.until(func() string { return differs(b.overlay(), "") })

	// Signed in: all servers with this address are connected, and no others.
	b.fix(at)
	page := b.agree(5)
	go func() { _ = fakeservice.Browse(page) }()
	b.until(func() string { return differs(b.overlay(), "") })
	if said := b.toast(); !strings.HasPrefix(said, "You are signed in to “far”.") ||
		!strings.Contains(said, "keychain could not be used") {
		t.Errorf("the toast says %s", said)
	}
	b.untilWord("far", "Connected")
	b.untilWord("again", "Connected")
	if got := b.word("own"); got != "Needs sign-in" {
		t.Errorf("the server with a header is %q", got)
	}
	if !b.signing.Has(at) || b.signing.Has(model.Choice{Toolbox: "dev", Server: "own"}) {
		t.Error("Has is wrong about who has signed in")
	}

	b.signing.SignOut(at)
	b.untilWord("far", "Needs sign-in")
	b.untilWord("again", "Needs sign-in")
	if b.signing.Has(at) {
		t.Error("still signed in")
	}

	// The user declines in the browser.
	service.Set(func() { service.Deny = true })
	b.fix(at)
	page = b.agree(6)
	go func() { _ = fakeservice.Browse(page) }()
	b.until(func() string {
		if !strings.Contains(fmt.Sprint(b.labels()), "The sign-in was not allowed") {
			return "it is not told that the sign-in was not allowed"
		}
		return ""
	})
}

// TestSignInSaysWhere checks that nothing is opened before the user has seen the address, and that a site other than
// the server's own is pointed out.
func TestSignInSaysWhere(t *testing.T) {
	voice := locale.Install()
	voice.Speak("en")
	t.Cleanup(func() { voice.Speak("en") })
	b, service := remoteBench(t)
	elsewhere := strings.Replace(service.URL, "127.0.0.1", "localhost", 1) // counts as another site
	service.Set(func() {
		says := service.Metadata()
		says["authorization_endpoint"], says["token_endpoint"] = elsewhere+"/authorize?tenant=1", elsewhere+"/token"
		service.Override = map[string]http.HandlerFunc{
			"/.well-known/oauth-authorization-server": func(w http.ResponseWriter, _ *http.Request) {
				_ = json.NewEncoder(w).Encode(says)
			}}
	})
	b.fix(model.Choice{Toolbox: "dev", Server: "far"})
	host := strings.TrimPrefix(elsewhere, "http://")
	for _, want := range []string{"Server “far” · you will sign in at " + host,
		host + " is not the server's own site.", "[Cancel] [Open the browser]"} {
		b.until(func() string {
			if said := b.overlay() + " " + strings.Join(b.labels(), " "); !strings.Contains(said, want) {
				return fmt.Sprintf("there is no %q: %s", want, said)
			}
			return ""
		})
	}
	b.press("Cancel")
	b.until(func() string { return differs(b.overlay(), "") })
	if len(b.app.opened) > 0 || len(service.Asked()) > 0 {
		t.Errorf("the browser was sent to %v", b.app.opened)
	}

	// The dialog fits into the smallest window in each language, and Cancel has the focus.
	canvas := b.window.Window.Canvas()
	b.window.Window.Resize(fyne.NewSize(800, 560))
	for _, language := range locale.Languages() {
		voice.Speak(language.Tag)
		b.fix(model.Choice{Toolbox: "dev", Server: "far"})
		b.until(func() string {
			if said := b.overlay(); !strings.Contains(said, "·") || !strings.Contains(said, host) {
				return language.Tag + " says " + said
			}
			return ""
		})
		drawn.Keep(t, canvas, "app-signin-"+language.Tag)
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		b.until(func() string { return differs(b.overlay(), "") })
	}
	if len(b.app.opened) > 0 {
		t.Errorf("Enter has opened %v", b.app.opened)
	}
}

// TestSignInOfTheDialog checks that the dialog that adds servers can start a sign-in. For a server whose headers are
// configured, it shows the headers.
func TestSignInOfTheDialog(t *testing.T) {
	b, _ := remoteBench(t)
	b.adding.SignIn(model.Choice{Toolbox: "dev", Server: "far"})
	b.agree(1)
	b.press("Cancel")
	b.adding.SignIn(model.Choice{Toolbox: "dev", Server: "own"})
	if b.overlay() != "" || b.detail.Editor.Tab() != model.TabSetup || b.toolboxes.Selected().Server != "own" {
		t.Errorf("shown: %s, %v", b.overlay(), b.toolboxes.Selected())
	}
}

// labels returns the texts of the top dialog, including those of Fyne's dialogs.
func (b *bench) labels() []string {
	var said []string
	if top := b.window.Window.Canvas().Overlays().Top(); top != nil {
		for _, object := range test.LaidOutObjects(top) {
			switch o := object.(type) {
			case *widget.Label:
				said = append(said, o.Text)
			case *kit.Lines: // a paragraph of kit
				said = append(said, o.Text())
			case *widget.RichText: // a paragraph of Fyne
				said = append(said, o.String())
			}
		}
	}
	return said
}

// When a sign-in ends, only its own dialog closes. A question that was opened meanwhile stays.
func TestSignInEndsUnderAQuestion(t *testing.T) {
	b, _ := remoteBench(t)
	b.showTab(model.Choice{Toolbox: "dev", Server: "again"}, model.TabJSON)
	b.writes("x")
	b.fix(model.Choice{Toolbox: "dev", Server: "far"})
	page := b.agree(1)
	opened, err := b.configFile.Store()
	if err != nil {
		t.Fatal(err)
	}
	version := opened.Current()
	var decided []error
	b.saver.AskConflict(&store.Conflict{Theirs: version, Ours: version}, configfile.Change{}, func(err error) {
		decided = append(decided, err)
	})
	b.quit()
	go func() { _ = fakeservice.Browse(page) }()
	b.until(func() string {
		if b.model.SigningIn != (model.Choice{}) {
			return "it is still waited for the browser"
		}
		return ""
	})
	if b.asked() == "" || len(decided) > 0 {
		t.Fatalf("asked: %q; decided: %v", b.asked(), decided)
	}
	b.window.Window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if b.leaving != nil {
		t.Error("the question cannot be answered")
	}
	b.press("Keep what is in the file")
	if len(decided) != 1 || b.overlay() != "" {
		t.Errorf("decided: %v; shown: %s", decided, b.overlay())
	}
}

// TestSignInAsRegistered checks that the window signs in with the client that the user has registered, and takes its
// secret from the environment.
func TestSignInAsRegistered(t *testing.T) {
	service := fakeservice.New()
	t.Cleanup(service.Stop)
	service.Set(func() { service.NoRegistration, service.Known = true, map[string]string{"team": "wrong"} })
	text := fmt.Sprintf(`{"toolboxes": {"dev": {"mcpServers": {"far": {"url": %q, "oauth": {"clientId": "team", "clientSecret": "${NO_SUCH:-wrong}"}}}}}}`, service.Address())
	b := newBench(t, text, func(o *Options) {
		o.SignIns = signin.Open(signin.Options{Dir: filepath.Join(t.TempDir(), "sign-ins")})
	})
	b.until(func() string {
		if _, ok := b.engines.OwnEngine(); !ok {
			return "the engine of the window is not there"
		}
		return ""
	})
	at := model.Choice{Toolbox: "dev", Server: "far"}
	b.start(at)
	b.untilWord("far", "Needs sign-in")
	b.fix(at)
	page := b.agree(1)
	go func() { _ = fakeservice.Browse(page) }()
	b.untilWord("far", "Connected")
	if id := service.Asked()[0].Get("client_id"); id != "team" {
		t.Errorf("signed in as %q", id)
	}
}
