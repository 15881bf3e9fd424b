package consent

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	os.Setenv("LC_ALL", "C")
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// opened is the window in a test.
type opened struct {
	*Window
	t     *testing.T
	queue chan func()
	told  []string
	seen  []bool
	above []string // what was asked when the window was raised; "" when that ended
}

func newOpened(t *testing.T, settle time.Duration, variant fyne.ThemeVariant) *opened {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &opened{t: t, queue: make(chan func(), 1000)}
	tasks := task.New(func(f func()) { d.queue <- f })
	d.Window = NewWindow(Options{App: app, Tasks: tasks, Settle: settle, Seen: func(seen bool) {
		d.seen = append(d.seen, seen)
	}, Raise: func(_ fyne.Window, title string) func() {
		d.above = append(d.above, title)
		return func() { d.above = append(d.above, "") }
	}})
	t.Cleanup(func() {
		tasks.Stop()
		if d.window != nil {
			d.window.Close()
		}
	})
	return d
}

// until runs the functions for the goroutine of the window until complaint returns "".
func (d *opened) until(complaint func() string) {
	d.t.Helper()
	limit := time.After(time.Minute)
	for complaint() != "" {
		select {
		case f := <-d.queue:
			f()
		case <-limit:
			d.t.Fatal(complaint())
		}
	}
}

// asks asks a question and waits until it is in the queue.
func (d *opened) asks(name, body string) context.CancelFunc {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	d.t.Cleanup(cancel)
	tell := func(what string) func() { return func() { d.told = append(d.told, name+" "+what) } }
	before := len(d.waiting)
	d.Ask(&Question{Context: ctx, Refuse: tell("refused"), Make: func() Content {
		return Content{Title: "Claude wants to use “" + name + "”", Where: "Server “files” in toolbox “dev”",
			Why:   "The server does not say that this tool only reads, so it may change something.",
			Label: "Sent to the tool", Body: body,
			Note: "“Allow once” runs this call. “Allow for an hour” also runs later calls of this tool of this server, as " +
				"long as Claude runs. “Refuse” does not run it, and tells Claude so. Claude waits until 12:30:45.",
			Refuse: "Refuse", Choices: []Choice{{"Allow for an hour", tell("for an hour")}, {"Allow once", tell("once")}}}
	}})
	d.until(func() string {
		if len(d.waiting) == before {
			return "nothing is asked"
		}
		return ""
	})
	return cancel
}

func (d *opened) settles() {
	d.t.Helper()
	d.until(func() string {
		if !d.settled {
			return "it does not settle"
		}
		return ""
	})
}

// buttons returns the visible buttons by label.
func (d *opened) buttons() map[string]*kit.Button {
	found := map[string]*kit.Button{}
	for _, object := range test.LaidOutObjects(d.window.Content()) {
		if b, ok := object.(*kit.Button); ok && b.Visible() {
			found[b.Text] = b
		}
	}
	return found
}

func (d *opened) press(name string) {
	d.t.Helper()
	button := d.buttons()[name]
	if button == nil {
		d.t.Fatalf("there is no %q", name)
	}
	test.Tap(button)
}

func (d *opened) key(name fyne.KeyName) { d.window.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: name}) }

func (d *opened) holds(want string) {
	d.t.Helper()
	if got := fmt.Sprint(d.told); got != want {
		d.t.Errorf("answers %s, want %s", got, want)
	}
}

func TestQuestionsComeOneAfterTheOther(t *testing.T) {
	d := newOpened(t, 0, base.VariantLight)
	d.asks("a", "")
	d.settles()
	if d.window.Canvas().Focused() != nil {
		t.Error("something has the focus, so a key would press it")
	}
	d.key(fyne.KeyReturn)
	d.key(fyne.KeySpace)
	d.holds("[]")
	gone := d.asks("b", "")
	d.asks("c", "")
	if d.buttons()["Refuse all 3"] == nil || d.count.Text() != "2 more wait" {
		t.Errorf("%v, %q", d.buttons(), d.count.Text())
	}
	d.press("Allow once")
	d.holds("[a once]")
	if d.shown.Make().Title != "Claude wants to use “b”" || !d.Open() {
		t.Errorf("shown is %+v", d.shown)
	}
	gone()
	d.until(func() string {
		if len(d.waiting) != 1 {
			return "a question stays that nobody waits for"
		}
		return ""
	})
	d.settles()
	d.press("Allow for an hour")
	d.holds("[a once c for an hour]")
	if d.Open() || fmt.Sprint(d.seen) != "[true false]" || len(d.above) != 2 || d.above[0] == "" || d.above[1] != "" {
		t.Errorf("open %v, seen %v, above %q", d.Open(), d.seen, d.above)
	}

	d.asks("d", "")
	d.settles()
	d.key(fyne.KeyEscape)
	d.holds("[a once c for an hour d refused]")
	d.told = nil
	d.asks("e", "")
	d.asks("f", "")
	d.settles()
	d.press("Refuse all 2")
	d.holds("[e refused f refused]")
	if d.Open() {
		t.Error("the window is still open")
	}
}

// TestQuestionThatHasJustCome checks that a new question ignores what the user was typing or clicking.
func TestQuestionThatHasJustCome(t *testing.T) {
	d := newOpened(t, time.Hour, base.VariantLight)
	d.asks("a", "")
	for _, name := range []string{"Allow once", "Allow for an hour", "Refuse"} {
		d.press(name)
	}
	d.key(fyne.KeyEscape)
	d.refuseAll()
	d.holds("[]")
	if !d.buttons()["Allow once"].Disabled() {
		t.Error("the button is not disabled")
	}
}

func TestKeys(t *testing.T) {
	d := newOpened(t, 0, base.VariantLight)
	d.asks("a", "one\ntwo")
	d.asks("b", "")
	d.settles()
	bykeys.New(t, d.window, bykeys.Otherwise{}).Walk()
}

// TestReadingByKeys checks that the whole question can be read with the keyboard before answering.
func TestReadingByKeys(t *testing.T) {
	d := newOpened(t, 0, base.VariantLight)
	d.asks("a", strings.Repeat("line\n", 5000))
	d.settles()
	before := d.window.Canvas().Capture()
	d.key(fyne.KeyEnd)
	if reflect.DeepEqual(before, d.window.Canvas().Capture()) {
		t.Error("the End key does not scroll")
	}
}

func TestArguments(t *testing.T) {
	for raw, want := range map[string]string{
		``:   "No arguments.",
		`{}`: "No arguments.",
		`{"path":"/home/me","n":12345678901234567890}`:          "path\n    /home/me\nn\n    12345678901234567890",
		`{"text":"one\ntwo\r\n\tthree","empty":"","blank":" "}`: "text\n    one\n    two\n    \tthree\nempty\n    \"\"\nblank\n    \" \"",
		`{"a":{"b":[1,"\n"]}}`: "a\n    {\n        \"b\": [\n            1,\n           " +
			" \"\\n\"\n        ]\n    }",
		`{"a\nb":"x\u202ey","c":["\u202e","` + "\u202e" +
			`"]}`: "a\\u000ab\n    x\\u202ey\nc\n    [\n        \"\\u202e\",\n        \"\\u202e\"\n    ]",
		`[1]`:            "[\n    1\n]",
		`no JSON \u0000`: "no JSON \\u0000",
	} {
		if got := readable(json.RawMessage(raw)); got != want {
			t.Errorf("%s is\n%s\nwant\n%s", raw, got, want)
		}
	}
	// Blanks push nothing out of sight, wherever they stand.
	for _, blank := range []string{" ", `\n`, `\t`, `\u00a0`, `\u2003`, `\u2800`} {
		blanks := strings.Repeat(blank, 3000)
		for _, raw := range []string{`{"a":"ls` + blanks + `;rm x"}`, `{"ls` + blanks + `;rm x":1}`,
			`{"a":["ls` + blanks + `;rm x"]}`, `"ls` + blanks + `;rm x"`} {
			got := readable(json.RawMessage(raw))
			escapes := strings.Contains(raw, "\\u") || strings.Contains(raw, "\\n") || strings.Contains(raw, "\\t")
			if !strings.Contains(got, ";rm x") || !strings.Contains(got, "‹blank ×3000›") && !escapes {
				t.Errorf("%.20s: %.200s", raw, got)
			}
		}
	}
}

// TestPictures saves pictures for people to look at.
func TestPictures(t *testing.T) {
	for name, look := range drawn.Looks(fyne.NewSize(0, 0)) {
		d := newOpened(t, 0, look.Begin(t).Variant)
		question := Call(&ipc.Asked{Client: "Claude",
			Question: status.Question{Toolbox: "dev", Server: "files", Tool: "write_file",
				Until:     time.Date(2026, 11, 2, 12, 30, 45, 0, time.UTC),
				Arguments: json.RawMessage(`{"path":"/home/me/notes.txt","content":"first line\nsecond line \u202ewith a hidden mark\n\nשלום עולם"}`)}})
		question.Context = t.Context()
		d.Ask(question)
		d.asks("b", "")
		d.settles()
		drawn.Keep(t, d.window.Canvas(), "consent-"+name)
	}
}
