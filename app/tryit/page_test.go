package tryit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	os.Exit(m.Run())
}

// call is a call of a tool that the test answers.
type call struct {
	ctx       context.Context
	arguments json.RawMessage
	progress  func(done, total float64, message string)
	done      func(json.RawMessage, error)
}

// opened is a page in a window. Functions for the goroutine of the window are queued until the test runs them.
type opened struct {
	*Page
	t      *testing.T
	window *kittest.Window
	calls  []call
	copied string
	saved  map[string][]byte
	now    time.Time

	mu    sync.Mutex
	queue []func()
}

func open(t *testing.T, view View, size fyne.Size, variant fyne.ThemeVariant) *opened {
	t.Helper()
	app := test.NewTempApp(t)
	app.Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &opened{t: t, saved: map[string][]byte{}, now: time.Date(2026, 5, 4, 10, 42, 0, 0, time.UTC)}
	d.Page = New(fake{d})
	t.Cleanup(d.Close)
	d.window = kittest.Open(t, d.Object(), size)
	d.Apply(view)
	return d
}

// fake is the program around a page.
type fake struct{ *opened }

func (f fake) Run(ctx context.Context, _ View, arguments json.RawMessage, progress func(float64, float64, string),
	done func(json.RawMessage, error)) {
	f.calls = append(f.calls, call{ctx, arguments, progress, done})
}

func (f fake) Copy(text string)              { f.copied = text }
func (f fake) Save(name string, data []byte) { f.saved[name] = data }
func (f fake) Back()                         {}
func (f fake) Now() time.Time                { return f.now }

func (f fake) Do(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue = append(f.queue, do)
}

// until runs the queued functions until ok returns true.
func (d *opened) until(what string, ok func() bool) {
	d.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !ok() {
		d.mu.Lock()
		queue := d.queue
		d.queue = nil
		d.mu.Unlock()
		for _, f := range queue {
			f()
		}
		if len(queue) == 0 {
			if time.Now().After(deadline) {
				d.t.Fatalf("waited too long: %s", what)
			}
			time.Sleep(time.Millisecond) // polling, with a deadline
		}
	}
}

// answer ends the last call.
func (d *opened) answer(result string, err error) {
	d.t.Helper()
	d.now = d.now.Add(1234 * time.Millisecond)
	d.calls[len(d.calls)-1].done(json.RawMessage(result), err)
	d.until("the result is shown", func() bool { return !d.Running() })
}

func textsOf(objects []fyne.CanvasObject) string { return kittest.Texts(objects) }

// tap clicks the n-th button with a label.
func (d *opened) tap(label string, n int) {
	d.t.Helper()
	for _, object := range test.LaidOutObjects(d.window.Content()) {
		if button, ok := object.(*kit.Button); ok && button.AccessibilityLabel() == lang.L(label) && button.Visible() {
			if n == 0 {
				test.Tap(button)
				return
			}
			n--
		}
	}
	d.t.Errorf("there is no button %q", label)
}

// part returns the part of the value at a path of names.
func (d *opened) part(path ...string) *part {
	d.t.Helper()
	at := d.form.parts[d.form.root]
	for _, name := range path {
		var next *part
		for value, p := range d.form.parts {
			if p.parent == at && (value.Field.Name == name || (name == "branch" && at.value.Branch == value)) {
				next = p
			}
			for i, item := range at.value.Items {
				if item == value && name == string(rune('0'+i)) {
					next = p
				}
			}
		}
		if next == nil {
			d.t.Fatalf("there is no field %v", path)
		}
		at = next
	}
	return at
}

// write types text into a field.
func (d *opened) write(text string, path ...string) {
	d.t.Helper()
	p := d.part(path...)
	d.window.Canvas().Focus(p.focus)
	for _, r := range text {
		p.focus.TypedRune(r)
	}
}

// picture saves a picture of the window, if a folder is set.
func (d *opened) picture(name string) {
	d.t.Helper()
	drawn.Keep(d.t, d.window.Canvas(), name)
}

var (
	wide   = fyne.NewSize(680, 620)
	narrow = fyne.NewSize(480, 560)
)

// tool returns a view of a tool with a schema.
func tool(name, description, schema string) View {
	definition, err := json.Marshal(
		map[string]any{"name": name, "description": description, "inputSchema": json.RawMessage(schema)})
	if err != nil {
		panic(err)
	}
	return View{Toolbox: "dev", Server: "files", Tool: status.Tool{Name: name, Definition: definition, Allowed: true}}
}

const nested = `{"type":"object","required":["name","items","mode"],"properties":{
	"name":{"type":"string","title":"Name of the order","description":"How the order is called in the books, so that it is found again","minLength":3},
	"mode":{"enum":["fast","slow"]},
	"count":{"type":"integer","minimum":1,"maximum":10,"default":3,"description":"How many to make"},
	"express":{"type":"boolean","description":"Costs more"},
	"note":{"type":["string","null"]},
	"when":{"type":"string","format":"date"},
	"address":{"type":"object","description":"Where it goes to","required":["city"],"properties":{"city":{"type":"string"},"zip":{"type":"string","pattern":"^[0-9]{5}$"}}},
	"items":{"type":"array","minItems":1,"items":{"type":"object","required":["sku"],"properties":{"sku":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}}}},
	"labels":{"type":"object","additionalProperties":{"type":"string"}},
	"shape":{"oneOf":[{"title":"Circle","type":"object","required":["r"],"properties":{"r":{"type":"number"}}},{"title":"Square","type":"object","required":["a"],"properties":{"a":{"type":"number"}}}]},
	"extra":{"description":"Anything else"}}}`

func TestFormSendsWhatIsTyped(t *testing.T) {
	d := open(t, tool("order", "Orders something.", nested), fyne.NewSize(680, 1800), base.VariantLight)
	d.window.Reads("Order", "Orders something.", "Name of the order", "Required", "Costs more", "Not set")
	d.write("Paper", "name")
	d.part("mode").focus.(*kit.Select).SetSelected("slow")
	d.write("x", "count") // "3x"
	d.Run()
	if len(d.calls) > 0 {
		t.Fatal("the tool ran with letters for a number")
	}
	d.window.Reads("This must be a whole number of at least 1.")
	d.part("count").focus.(*kit.Input).SetText("7")
	d.Run()
	d.window.Reads("This needs at least 1 entry.")
	d.tap("Add an entry", 0) // of items
	d.write("A-1", "items", "0", "sku")
	d.tap("Add an entry", 0) // of its tags
	d.write("ré\"d", "items", "0", "tags", "0")
	test.Tap(d.part("express").focus.(*kit.Check))
	test.Tap(d.part("address").focus.(*kit.Check))
	d.write("Bern", "address", "city")
	d.part("shape").focus.(*kit.Select).SetSelected("Circle")
	d.write("12345678901234567890.5", "shape", "branch", "r")
	d.Run()
	want := `{"name":"Paper","mode":"slow","count":7,"express":true,"address":{"city":"Bern"},"items":[{"sku":"A-1","tags":["ré\"d"]}],"shape":{"r":12345678901234567890.5}}`
	if len(d.calls) != 1 || string(d.calls[0].arguments) != want {
		t.Fatalf("sent %v\nwant %s\n%s", d.calls, want, d.window.Texts())
	}
}

func TestJSONAndBack(t *testing.T) {
	d := open(t, tool("order", "", nested), wide, base.VariantLight)
	d.write("Paper", "name")
	d.mode.OnChosen(1)
	if got := d.json.Text(); got != "{\n  \"name\": \"Paper\",\n  \"items\": []\n}" {
		t.Errorf("as JSON: %s", got)
	}
	const arguments = `{"name":"P","more":{"x":1.50},"mode":"odd","items":[{"sku":"1"}],"count":10000000000000000000000}`
	d.json.SetText(arguments)
	d.check()
	d.window.Reads("Name of the order: This must have at least 3 characters.", "count: This must be at most 10.")
	d.mode.OnChosen(0)
	d.window.Reads("Also sent", "Write JSON here")
	d.mode.OnChosen(1)
	if got, want := string(d.arguments()),
		`{"name":"P","mode":"odd","count":10000000000000000000000,"items":[{"sku":"1"}],"more":{"x":1.50}}`; strings.Join(strings.Fields(got), "") != want {
		t.Errorf("in JSON again, the arguments are %s", got)
	}
	d.json.SetText(`{"name": }`)
	d.mode.OnChosen(0)
	if !d.asJSON {
		t.Error("the form was shown for text that is not JSON")
	}
	d.window.Reads("This is not valid JSON at line 1, column 10")
	d.Run()
	if len(d.calls) > 0 {
		t.Error("the tool ran with text that is not JSON")
	}
	d.window.Lacks("Ctrl+Enter")
}

// Run keeps its place and the focus while a tool runs and afterwards, and does nothing during the call. Cancel is far
// from Run. Back stays visible when the page is scrolled.
func TestRunKeepsThePlace(t *testing.T) {
	d := open(t, tool("ping", "Answers.", `{"type":"object","properties":{},"additionalProperties":false}`), narrow,
		base.VariantLight)
	d.Focus(d.window.Canvas())
	if d.window.Canvas().Focused() != d.bar.run {
		t.Fatal("without fields, Run does not have the focus")
	}
	place := d.bar.run.Position()
	for range 3 { // a second click, and Enter
		d.bar.run.OnTapped()
		d.bar.run.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	if len(d.calls) != 1 || d.calls[0].ctx.Err() != nil {
		t.Errorf("%d calls, the first with %v", len(d.calls), d.calls[0].ctx.Err())
	}
	if d.window.Canvas().Focused() != d.bar.run || d.bar.run.Position() != place ||
		d.bar.cancel.Position().X < place.X+200 {
		t.Errorf("Run is at %v and was at %v, Cancel is at %v", d.bar.run.Position(), place, d.bar.cancel.Position())
	}
	d.answer(`{"content":[{"type":"text","text":"`+strings.Repeat(`line\n`, 200)+`"}]}`, nil)
	if d.window.Canvas().Focused() != d.bar.run {
		t.Error("after the call, Run does not have the focus")
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(d.back)
	if at.Y < 1 || at.Y > 60 { // an object that is not shown is at 0
		t.Errorf("Back is at %v", at)
	}
}

func TestRunAndCancel(t *testing.T) {
	d := open(t, tool("wait", "Waits.", `{"type":"object","properties":{"seconds":{"type":"number"}}}`), wide,
		base.VariantLight)
	d.write("3", "seconds")
	d.window.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(
		&desktop.CustomShortcut{KeyName: fyne.KeyReturn, Modifier: fyne.KeyModifierShortcutDefault})
	if len(d.calls) != 1 {
		t.Fatal("Ctrl+Enter does not run the tool")
	}
	d.window.Reads("Running")
	if !d.bar.mark.Visible() || d.bar.meters.Visible() {
		t.Error("the mark of a running call is missing, or there is a bar without known progress")
	}
	d.calls[0].progress(1, 4, "Halfway\nthere")
	d.window.Reads("Halfway there")
	if !d.bar.meters.Visible() {
		t.Error("the progress is not shown")
	}
	if d.bar.meter.Value != 0.25 {
		t.Errorf("the bar is at %v", d.bar.meter.Value)
	}
	d.calls[0].progress(-1, 0, "")
	d.until("the seconds are shown", func() bool {
		d.now = d.now.Add(time.Second)
		return strings.HasSuffix(d.bar.seconds.Text(), " s")
	})
	d.Run()
	if len(d.calls) != 1 {
		t.Error("the tool runs twice at once")
	}
	d.tap("Cancel", 0)
	if d.calls[0].ctx.Err() == nil {
		t.Error("the call was not cancelled")
	}
	d.window.Reads("Cancelling…")
	d.answer("", context.Canceled)
	d.window.Reads("Cancelled", "You stopped it")
	if d.bar.mark.Visible() || d.bar.meters.Visible() {
		t.Error("the page still shows a running call")
	}
	d.Run()
	d.answer(`{"content":[{"type":"text","text":"Waited."}]}`, nil)
	d.window.Reads("Done", "Waited.", "1.2 s", "Earlier runs")
	d.Run()
	d.answer("", errors.New("the server ended"))
	d.window.Reads("Failed", "The server ended.")
}

// results returns answers of well-known servers.
func results(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for name, result := range raw {
		found[name] = string(result)
	}
	return found
}

func TestPictures(t *testing.T) {
	if !drawn.Wanted() {
		t.Skip("no folder for pictures")
	}
	for name, variant := range map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark} {
		for size, pane := range map[string]fyne.Size{"680": wide, "480": narrow} {
			d := open(t, tool("order", "Orders something. It takes a while, and what has been ordered cannot be given back.",
				nested), pane, variant)
			d.write("Pa", "name")
			d.picture("form-" + size + "-" + name)
			d.Run()
			d.tap("Add an entry", 0)
			d.write("A-1", "items", "0", "sku")
			d.tap("Add an entry", 0)
			d.write("first", "items", "0", "tags", "0")
			test.Tap(d.part("address").focus.(*kit.Check))
			d.picture("nested-" + size + "-" + name)
			d.mode.Follow(1)
			d.mode.OnChosen(1)
			d.picture("json-" + size + "-" + name)
			for kind, result := range results(t) {
				d := open(t, tool("echo", "Echoes.",
					`{"type":"object","properties":{"message":{"type":"string","description":"Message to echo"}}}`), pane, variant)
				d.Run()
				d.answer(result, nil)
				d.picture("result-" + kind + "-" + size + "-" + name)
			}
			d = open(t, tool("echo", "Echoes.", `{"type":"object"}`), pane, variant)
			d.Run()
			d.calls[0].progress(3, 10, "Working on step 3")
			d.picture("running-" + size + "-" + name)
			d.answer(`{"content":[{"type":"text","text":"[{\"name\":\"README.md\",\"size\":1204,\"kind\":\"file\"},{\"name\":\"docs\",\"size\":0,\"kind\":\"folder\",\"note\":\"a long note that says more than there is room for\"}]"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},{"type":"image","data":"AAAA","mimeType":"image/png"}]}`, nil)
			d.picture("result-table-" + size + "-" + name)
			d.Run()
			d.answer(`{"content":[{"type":"text","text":"`+strings.Repeat("A line of a long text that goes on.\\n", 3000)+
				`"}]}`, nil)
			d.picture("result-long-" + size + "-" + name)
			d.tap("Show all", 0)
			d.picture("result-all-" + size + "-" + name)
			d.Run()
			d.answer("", errors.New("the server \"files\" ended while the tool was running (exit status 1): out of memory"))
			d.picture("result-failed-" + size + "-" + name)
		}
	}
}

// A form with as many fields as are allowed can be drawn and typed into without a noticeable pause, and fits a narrow
// window.
func TestLongForm(t *testing.T) {
	var properties []string
	for i := range 380 {
		kind := []string{`{"type":"string"}`, `{"type":"integer","minimum":1,"default":3}`, `{"type":"boolean"}`,
			`{"enum":["a","b"]}`}[i%4]
		properties = append(properties, fmt.Sprintf(`"property_with_a_very_long_name_that_goes_on_%d":%s`, i, kind))
	}
	begin := time.Now()
	d := open(t, tool("long", strings.Repeat("word ", 500),
		`{"type":"object","properties":{`+strings.Join(properties, ",")+`}}`), narrow, base.VariantLight)
	d.window.Canvas().Capture()
	t.Logf("opened in %v", time.Since(begin))
	took := time.Hour // of the fastest key; slower ones may have waited for another program
	for _, key := range strings.Split("0123456789", "") {
		begin = time.Now()
		d.write(key, "property_with_a_very_long_name_that_goes_on_0")
		took = min(took, time.Since(begin))
	}
	if t.Logf("a key takes %v", took); took > 100*time.Millisecond {
		t.Error("the pause is noticeable")
	}
	if least := d.Object().MinSize(); least.Width > narrow.Width {
		t.Errorf("the page needs a width of %v", least.Width)
	}
}

// Focus focuses the first field. Without fields, it focuses Run.
func TestFocusBegins(t *testing.T) {
	d := open(t, tool("order", "", nested), narrow, base.VariantLight)
	d.Focus(d.window.Canvas())
	first := d.form.parts[d.form.root].first()
	if got := d.window.Canvas().Focused(); first.focus == nil || got != first.focus {
		t.Errorf("the focus is on %T, want the first field", got)
	}
	d = open(t, tool("now", "", `{"type":"object"}`), narrow, base.VariantLight)
	d.Focus(d.window.Canvas())
	if got := d.window.Canvas().Focused(); got == nil {
		t.Error("without fields, nothing has the focus")
	}
}

// The Tab key goes through the whole page, and the control with the focus is visible.
func TestByKeyboard(t *testing.T) {
	d := open(t, tool("order", "", nested), narrow, base.VariantLight)
	canvas := d.window.Canvas()
	seen := map[fyne.Focusable]bool{}
	ran := false
	for range 60 {
		canvas.FocusNext()
		focused := canvas.Focused()
		if focused == nil || seen[focused] {
			break
		}
		seen[focused] = true
		ran = ran || focused == fyne.Focusable(d.bar.run)
		for _, p := range d.form.parts {
			if p.focus != focused {
				continue
			}
			object := focused.(fyne.CanvasObject)
			top := fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Y
			if top < 0 || top+object.Size().Height > narrow.Height {
				t.Errorf("%s is at %v, out of view", p.value.Field.Name, top)
			}
		}
	}
	for value, p := range d.form.parts {
		if p.focus != nil && !seen[p.focus] {
			t.Errorf("%s cannot be reached with the Tab key", value.Field.Name)
		}
	}
	if !ran {
		t.Error("Run cannot be reached with the Tab key")
	}
}

// TestRunAnywayNeedsArguments checks that "Run anyway" stays hidden, whatever else changes, if the arguments cannot be
// sent.
func TestRunAnywayNeedsArguments(t *testing.T) {
	test.NewTempApp(t)
	b := newBar(nil, nil, nil)
	b.setProblems(1, false)
	b.setBlocked("")
	if b.anyway.Visible() {
		t.Error("the button is shown for arguments that cannot be sent")
	}
	if b.setProblems(1, true); !b.anyway.Visible() {
		t.Error("the button is not shown for wrong arguments")
	}
}
