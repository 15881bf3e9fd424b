package add

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// tryOne adds a pasted server, which is then tried.
func tryOne(t *testing.T) *opened {
	o := newOpened(t).show(normal, Start{Text: "uvx mcp-server-time"})
	o.chooser.next()
	o.tap("Add and try")
	return o
}

func TestTrial(t *testing.T) {
	o := tryOne(t)
	o.reads("1 server is added", "time", "Starting…", "a minute or two", "In the toolbox “dev”")
	o.done(status.Server{State: status.Connected, Tools: 3, AllTools: 14})
	o.reads("Works · 14 tools")
	o.key(fyne.KeyReturn)
	if o.closed != 1 || !o.Closed() || o.window.Canvas().Overlays().Top() != nil {
		t.Error("Enter does not close the dialog")
	}
}

// TestTrialSaysThatTheKeyWasNotTried checks that the dialog does not say that the key of a started server is right,
// because the server has not used it yet.
func TestTrialSaysThatTheKeyWasNotTried(t *testing.T) {
	o := newOpened(t).show(normal, Start{Text: "API_KEY=wrong npx -y some-mcp"})
	o.chooser.next()
	o.tap("Add and try")
	o.done(status.Server{State: status.Connected, Tools: 2, AllTools: 2})
	o.reads("Works · 2 tools", "You will see whether its key is right when one of its tools is used")
}

func TestTrialStopped(t *testing.T) {
	o := tryOne(t)
	ctx, done := o.ctx, o.done
	o.tap("Stop")
	if ctx.Err() == nil {
		t.Error("the trial was not cancelled")
	}
	done(status.Server{State: status.Connected, Tools: 1})
	o.lacks("Works ·")
	o.tap("Try again")
	o.done(status.Server{State: status.Connected, Tools: 1, AllTools: 1})
	o.reads("Works · 1 tool")
	if len(o.tried) != 2 {
		t.Errorf("tried %v", o.tried)
	}
}

func TestTrialFails(t *testing.T) {
	for kind, want := range map[status.Kind][]string{
		status.KindProgram:  {"Get uv", "Change the command", "Try again"},
		status.KindVariable: {"Fill it in", "Try again"},
		status.KindKey:      {"Fill it in", "Try again"},
		status.KindTimeout:  {"Try again", "Show log", "Open settings"},
		status.KindExited:   {"Show log", "Open settings", "Try again"},
		status.KindNetwork:  {"Try again", "Open settings"},
		status.KindSignIn:   {"Sign in…", "Fill it in", "Try again"},
		status.KindOther:    {"Show log", "Open settings", "Try again"},
	} {
		o := tryOne(t)
		o.done(status.Server{State: status.Failed,
			Problem: &status.Problem{Kind: kind, Message: words.Foreign("it went wrong"), Hint: words.Foreign("mend it")}})
		o.reads("It went wrong.")
		var got []string
		for _, r := range o.trial.rows[0].remedies() {
			got = append(got, r.label)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", kind, got, want)
		}
	}
	o := tryOne(t)
	o.done(status.Server{State: status.Failed})
	o.reads("It ended by itself.")
	o.tap("Open settings")
	if !slices.Equal(o.asked, []string{"edit args dev time"}) || !o.Closed() {
		t.Errorf("asked for %v", o.asked)
	}
}

func TestSeveralTrials(t *testing.T) {
	o := newOpened(t).show(normal,
		Start{Text: `{"mcpServers":{"a":{"command":"a-mcp"},"b":{"command":"b-mcp"},"c":{"command":"c-mcp"},"d":{"command":"d-mcp"},"e":{"command":"e-mcp"},"off":{"command":"x","disabled":true}}}`})
	o.chooser.next()
	o.tap("Add and try")
	if !slices.Equal(o.tried, []string{"a", "b", "c", "d"}) {
		t.Errorf("tried at once: %v", o.tried)
	}
	o.reads("Waiting", "Switched off")
	o.done(status.Server{State: status.Connected})
	if !slices.Equal(o.tried, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("tried: %v", o.tried)
	}
	o.reads("This server has no tools")
}

// TestTrialIsTranslated looks for English words on the pages of the trial, in a language that has none.
func TestTrialIsTranslated(t *testing.T) {
	voice := locale.Install()
	voice.Alter(wordstest.Alter)
	t.Cleanup(func() { voice.Speak("en") })
	try := func(now status.Server) {
		t.Helper()
		o := newOpened(t).show(normal, Start{Text: "uvx t1"})
		o.chooser.next()
		o.tap(lang.L("Add and try"))
		check := func() {
			t.Helper()
			wordstest.CheckNoEnglish(t, strings.Join(o.visible(), "\n"), "dev", "uvx", "uv", "MCP", "JSON")
		}
		check()
		o.done(now)
		check()
	}
	try(status.Server{State: status.Connected, Tools: 3, AllTools: 14})
	try(status.Server{State: status.Failed})
	for _, kind := range []status.Kind{status.KindProgram, status.KindVariable, status.KindTimeout, status.KindExited,
		status.KindNetwork, status.KindSignIn, status.KindOther} {
		try(status.Server{State: status.Failed,
			Problem: &status.Problem{Kind: kind, Message: words.Foreign("1"), Hint: words.Foreign("2")}})
	}
}

// TestWhatItCanDo checks that a server that works says what it can do now, that one of its tools can be tried at once,
// and that the server is shown when the dialog is closed.
func TestWhatItCanDo(t *testing.T) {
	o := tryOne(t)
	for _, name := range []string{"delete_note", "read_note", "list-notes", "addNote", "pin_note", "share_note"} {
		o.tools = append(o.tools, status.Tool{Name: name, Definition: json.RawMessage(
			`{"name":"` + name + `","annotations":{"readOnlyHint":` + strconv.FormatBool(name == "read_note") + `}}`)})
	}
	o.done(status.Server{State: status.Connected, Tools: 6, AllTools: 6})
	o.reads("It can now: Delete note, Read note, List notes and 3 others.")
	o.tap("Try one")
	if !slices.Equal(o.asked, []string{"try read_note dev time"}) || !o.Closed() {
		t.Errorf("asked for %q; closed: %v", o.asked, o.Closed())
	}
	for name, leave := range map[string]func(*opened){
		"Done": func(o *opened) { o.tap("Done") }, "Esc": func(o *opened) { o.key(fyne.KeyEscape) },
		"Enter": func(o *opened) { o.window.Canvas().Unfocus(); o.key(fyne.KeyReturn) },
	} {
		o := tryOne(t)
		o.done(status.Server{State: status.Connected, Tools: 1, AllTools: 1})
		leave(o)
		if want := (model.Choice{Toolbox: "dev", Server: "time"}); o.shown != want || !o.Closed() {
			t.Errorf("after %s, %+v is shown; closed: %v", name, o.shown, o.Closed())
		}
	}
}

// TestEscapeLosesNothing checks that Esc, pressed however often, does not discard what was typed, and that the
// keyboard is back where it was.
func TestEscapeLosesNothing(t *testing.T) {
	o := newOpened(t).show(normal, Start{Way: WayHand})
	o.chooser.hand.command.SetText("npx -y my-server")
	o.window.Canvas().Focus(o.chooser.hand.command)
	for range 3 {
		o.key(fyne.KeyEscape)
		if !o.closing.asking || o.Closed() {
			t.Fatal("Esc does not ask")
		}
		o.key(fyne.KeyEscape)
		if o.closing.asking || o.Closed() || o.window.Canvas().Focused() != fyne.Focusable(o.chooser.hand.command) {
			t.Fatalf("the second Esc: asking %v, closed %v, the keyboard is in %T", o.closing.asking, o.Closed(),
				o.window.Canvas().Focused())
		}
	}
}
