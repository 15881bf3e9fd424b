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
	"fyne.io/fyne/v2/widget"

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
	ends  time.Time
	now   time.Time
	above []string // what was asked when the window was raised; "" when that ended
}

func newOpened(t *testing.T, settle time.Duration, variant fyne.ThemeVariant) *opened {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &opened{t: t, queue: make(chan func(), 1000)}
	tasks := task.New(func(f func()) { d.queue <- f })
	d.Window = NewWindow(Options{Now: func() time.Time { return d.now }, App: app, Tasks: tasks, Settle: settle, Program: d})
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

// Seen implements [Program].
func (d *opened) Seen(seen bool) { d.seen = append(d.seen, seen) }

// Raise implements [Program].
func (d *opened) Raise(_ fyne.Window, title string) func() {
	d.above = append(d.above, title)
	return func() { d.above = append(d.above, "") }
}

// asked is a question about a tool.
type asked struct {
	*opened
	ctx        context.Context
	name, body string
}

func (q *asked) Context() context.Context { return q.ctx }

func (q *asked) Answer(answer status.Answer) {
	what := map[status.Answer]string{status.Refuse: "refused", status.AllowHour: "for an hour", status.AllowOnce: "once"}
	q.told = append(q.told, q.name+" "+what[answer])
}

func (q *asked) Content() Content {
	return Content{Title: "Claude wants to use “" + q.name + "”",
		Where: "For the tool “" + q.name + "” of the server “files” in the toolbox “dev”",
		Why:   "The server does not say that this tool only reads, so it may change something.",
		Form:  []Field{{Name: "Text", Value: q.body}}, Until: q.ends,
		Missed: q.name + " went on without it.",
		Note:   "An hour is for this tool only, as long as Claude runs.",
		Refuse: "Refuse", Choices: []Choice{{"Allow for an hour", status.AllowHour}, {"Allow once", status.AllowOnce}}}
}

// within is a question whose answer is needed as long as a context.
type within struct {
	Question
	ctx context.Context
}

func (q within) Context() context.Context { return q.ctx }

// asks asks a question and waits until it is in the queue.
func (d *opened) asks(name, body string) context.CancelFunc {
	d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	d.t.Cleanup(cancel)
	before := len(d.waiting)
	d.Ask(&asked{opened: d, ctx: ctx, name: name, body: body})
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
	if d.buttons()["Refuse all 3"] == nil || d.count.Text() != "and 2 more" {
		t.Errorf("%v, %q", d.buttons(), d.count.Text())
	}
	d.press("Allow once")
	d.holds("[a once]")
	if d.shown.Content().Title != "Claude wants to use “b”" || !d.Open() {
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

// TestArguments checks that what is sent is shown whole, as a form, and that nothing in it can be hidden.
func TestArguments(t *testing.T) {
	for raw, want := range map[string]string{
		``:   "",
		`{}`: "",
		`{"path":"/home/me","n":12345678901234567890}`:          "Path\n    /home/me\nN\n    12345678901234567890",
		`{"text":"one\ntwo\r\n\tthree","empty":"","blank":" "}`: "Text\n    one\n    two\n    \tthree\nEmpty\n    \"\"\nBlank\n    \" \"",
		`{"a":{"b":[1,"\n"]}}`: "A\n    {\n        \"b\": [\n            1,\n           " +
			" \"\\n\"\n        ]\n    }",
		`{"a\nb":"x\u202ey","c":[1,"` + "\u202e" +
			`"]}`: "a\\u000ab\n    x\\u202ey\nC\n    [\n        1,\n        \"\\u202e\"\n    ]",
		`{"due_date":true,"sendTo":["a","b"],"userID":false}`: "Due date\n    Yes\nSend to\n    • a\n    • b\nUser ID\n    No",
		`{"to":"a","To":"b","rm x":1}`:                        "to\n    a\nTo\n    b\nrm x\n    1",
		`{"_meta":1,"a__b":2,"KEY_A":3}`:                      "_meta\n    1\na__b\n    2\nKEY A\n    3",
		`[1]`:                                                 "\n    [\n        1\n    ]",
		`no JSON \u0000`:                                      "\n    no JSON \\u0000",
	} {
		if got := whole(fieldsOf(json.RawMessage(raw))); got != want {
			t.Errorf("%s is\n%q\nwant\n%q", raw, got, want)
		}
	}
	// Blanks push nothing out of sight, wherever they stand.
	for _, blank := range []string{" ", `\n`, `\t`, `\u00a0`, `\u2003`, `\u2800`} {
		blanks := strings.Repeat(blank, 3000)
		for _, raw := range []string{`{"a":"ls` + blanks + `;rm x"}`, `{"ls` + blanks + `;rm x":1}`,
			`{"a":["ls` + blanks + `;rm x"]}`, `"ls` + blanks + `;rm x"`} {
			got := whole(fieldsOf(json.RawMessage(raw)))
			escapes := strings.Contains(raw, "\\u") || strings.Contains(raw, "\\n") || strings.Contains(raw, "\\t")
			if !strings.Contains(got, ";rm x") || !strings.Contains(got, "‹blank ×3000›") && !escapes {
				t.Errorf("%.20s: %.200s", raw, got)
			}
		}
	}
}

// texts returns all texts of the window.
func (d *opened) texts() string {
	var all []string
	for _, object := range test.LaidOutObjects(d.window.Content()) {
		if text, ok := object.(interface{ Text() string }); ok && object.Visible() {
			all = append(all, text.Text())
		}
		if text, ok := object.(*widget.Label); ok {
			all = append(all, text.Text)
		}
	}
	return strings.Join(all, "\n")
}

// TestQuestionReadsLikeAForm checks what a person sees of a call, without line numbers.
func TestQuestionReadsLikeAForm(t *testing.T) {
	d := newOpened(t, 0, base.VariantLight)
	d.now = time.Date(2026, 11, 2, 12, 30, 0, 0, time.UTC)
	q := Call(&ipc.Asked{Client: "Claude", Question: status.Question{Toolbox: "Contracts", Server: "letters",
		Tool: "send_letter", Title: "Send a letter", Says: "Sends a letter by post.", Destructive: true,
		Arguments: json.RawMessage(`{"to":"Mr Miller","letter_text":"Dear Mr Miller"}`), Until: d.now.Add(5 * time.Minute)}})
	d.Ask(within{q, t.Context()})
	d.settles()
	shown := d.texts()
	for _, want := range []string{"Claude wants to use “Send a letter”", "send_letter", "letters", "Contracts",
		"Sends a letter by post.", "To\nMr Miller", "Letter text\nDear Mr Miller", "5 min 0 s left"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is missing in\n%s", want, shown)
		}
	}
	d.now = d.now.Add(time.Minute)
	d.until(func() string {
		if !strings.Contains(d.texts(), "4 min 0 s left") {
			return "the clock stands still"
		}
		return ""
	})
	d.now = d.now.Add(3*time.Minute + 30*time.Second)
	d.until(func() string {
		if !strings.Contains(d.texts(), "30 s left") {
			return "the clock shows parts of a second"
		}
		return ""
	})
}

// TestMissedQuestionLeavesATrace checks that a question that came while nobody was there is said, until it is closed.
func TestMissedQuestionLeavesATrace(t *testing.T) {
	d := newOpened(t, 0, base.VariantLight)
	d.now = time.Date(2026, 11, 2, 12, 30, 0, 0, time.UTC)
	d.ends = d.now.Add(time.Minute)
	gone := d.asks("send_letter", "x")
	d.now = d.ends
	gone()
	d.until(func() string {
		if d.shown != nil {
			return "the question stays"
		}
		return ""
	})
	if shown := d.texts(); !strings.Contains(shown, "You were asked while you were away") ||
		!strings.Contains(shown, "send_letter went on without it.") || !d.Open() {
		t.Errorf("it shows %s", shown)
	}
	d.ends = time.Time{}
	d.asks("another", "x") // it comes first, and what was missed stays
	d.settles()
	d.press("Allow once")
	d.settles()
	if shown := d.texts(); !strings.Contains(shown, "send_letter went on without it.") {
		t.Errorf("it shows %s", shown)
	}
	d.press("Close")
	if d.Open() {
		t.Error("it stays open")
	}
	d.asks("a third", "x")
	d.settles()
	d.press("Refuse")
	if d.Open() {
		t.Error("what was closed comes back")
	}
}

// TestPictures saves pictures for people to look at.
func TestPictures(t *testing.T) {
	for name, look := range drawn.Looks(fyne.NewSize(0, 0)) {
		d := newOpened(t, 0, look.Begin(t).Variant)
		d.now = time.Date(2026, 11, 2, 12, 30, 45, 0, time.UTC)
		question := Call(&ipc.Asked{ClientID: "claude-desktop",
			Question: status.Question{Toolbox: "Contracts & Letters", Server: "contracts", Tool: "send_letter",
				Title: "Send a letter", Says: "Prints a letter and sends it by post.", Destructive: true,
				Until: d.now.Add(5 * time.Minute), Arguments: json.RawMessage(`{"to":"Mr Miller","copies_to":["Ms Ng","שלום"],` +
					`"text":"Dear Mr Miller,\n\nyour lease ends on 31 December. \u202ePlease return the keys.","registered":true}`)}})
		d.Ask(within{question, t.Context()})
		d.asks("b", "")
		d.settles()
		d.now = d.now.Add(88 * time.Second)
		d.clock.tell()
		drawn.Keep(t, d.window.Canvas(), "consent-"+name)
		d.waiting[0], d.now = within{question, over()}, d.now.Add(time.Hour)
		d.waiting = d.waiting[:1]
		d.next()
		d.settles()
		drawn.Keep(t, d.window.Canvas(), "consent-missed-"+name)
	}
}

// over returns a context that has ended.
func over() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
