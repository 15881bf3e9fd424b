package tryit

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/bykeys"
	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// openedSheet is a sheet in a window, with a record of the actions that it has called.
type openedSheet struct {
	*Sheet
	t      *testing.T
	window fyne.Window
	told   []string
	opened []string
	fails  error
}

var asker = Asker{Toolbox: "dev", Server: "everything", Tool: "trigger-elicitation-request"}

func ask(t *testing.T, asker Asker, params string, size fyne.Size, variant fyne.ThemeVariant) *openedSheet {
	t.Helper()
	request, err := ReadRequest(json.RawMessage(params))
	if err != nil {
		t.Fatal(err)
	}
	test.NewTempApp(t).Settings().SetTheme(drawn.Theme{Variant: variant})
	d := &openedSheet{t: t}
	d.window = test.NewTempWindow(t, kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground}, kit.NewGap(1, 1)))
	d.window.SetPadded(false)
	d.window.Resize(size)
	d.Sheet = NewSheet(asker, request, d.window, d)
	d.window.Canvas().SetOnTypedKey(func(event *fyne.KeyEvent) {
		if event.Name == fyne.KeyEscape {
			d.Dismiss()
		}
	})
	d.Show()
	d.Sheet.Focus(false)
	return d
}

func (d *openedSheet) Answer(action Action, content json.RawMessage) {
	d.told = append(d.told, strings.TrimSpace(string(action)+" "+string(content)))
}

func (d *openedSheet) Open(page *url.URL, done func(error)) {
	d.opened = append(d.opened, page.String())
	done(d.fails)
}

func (d *openedSheet) Finish(done bool) {
	d.told = append(d.told, map[bool]string{true: "done", false: "given up"}[done])
}

// says returns all visible texts of the sheet.
func (d *openedSheet) says() string {
	return textsOf(test.LaidOutObjects(d.window.Canvas().Overlays().Top()))
}

func (d *openedSheet) reads(wanted ...string) {
	d.t.Helper()
	all := d.says()
	for _, text := range wanted {
		if !strings.Contains(all, text) {
			d.t.Errorf("the sheet does not say %q, but:\n%s", text, all)
		}
	}
}

func (d *openedSheet) write(text string) {
	for _, r := range text {
		d.window.Canvas().Focused().TypedRune(r)
	}
}

func (d *openedSheet) key(name fyne.KeyName) {
	event := &fyne.KeyEvent{Name: name}
	if focused := d.window.Canvas().Focused(); focused != nil {
		focused.TypedKey(event)
	} else {
		d.window.Canvas().OnTypedKey()(event)
	}
}

// tells checks what the sheet has reported, and whether it is closed.
func (d *openedSheet) tells(gone bool, wanted ...string) {
	d.t.Helper()
	if !slices.Equal(d.told, wanted) {
		d.t.Errorf("the reports are %q, want %q", d.told, wanted)
	}
	if d.Shown() == gone {
		d.t.Errorf("the sheet is closed: %v, want %v", !gone, gone)
	}
}

func (d *openedSheet) button(label string) *kit.Button {
	for _, object := range test.LaidOutObjects(d.window.Canvas().Overlays().Top()) {
		if button, ok := object.(*kit.Button); ok && button.AccessibilityLabel() == lang.L(label) && button.Visible() {
			return button
		}
	}
	return nil
}

func (d *openedSheet) press(label string) {
	d.t.Helper()
	button := d.button(label)
	if button == nil {
		d.t.Fatalf("there is no button %q", label)
	}
	test.Tap(button)
}

const someFields = `{"message":"Please fill in.\nIt is for the order.","requestedSchema":{"type":"object","required":["name"],"properties":{
	"name":{"type":"string","title":"Your name","description":"As in your passport","minLength":2},
	"line":{"type":"string","default":"It was a dark night."},
	"age":{"type":"integer","minimum":1,"maximum":100,"default":42},
	"agree":{"type":"boolean"},
	"friend":{"type":"string","enum":["a","b"],"enumNames":["Anna","Bob"],"default":"b"},
	"hero":{"type":"string","oneOf":[{"const":"h1","title":"Superman"},{"const":"h2","title":"Lantern"}]},
	"fish":{"type":"array","minItems":1,"items":{"anyOf":[{"const":"f1","title":"Tuna"},{"const":"f2","title":"Salmon"}]},"default":["f2"]}}}}`

// The first field has the focus, and Enter sends the form. Problems are shown before anything is sent. Defaults are
// sent even if the user has not changed them.
func TestAnswerAForm(t *testing.T) {
	d := ask(t, asker, someFields, fyne.NewSize(800, 900), base.VariantLight)
	d.reads("“everything” asks you", "trigger-elicitation-request", "dev", "Please fill in.", "It is for the order.",
		"Your name", "As in your passport", "Tuna", "Salmon")
	d.key(fyne.KeyReturn)
	d.tells(false)
	d.reads("This is needed.")
	d.write("J")
	d.key(fyne.KeyReturn)
	d.tells(false)
	d.reads("This must have at least 2 characters.")
	d.write("o")
	d.key(fyne.KeyReturn)
	d.tells(true, `accept {"name":"Jo","line":"It was a dark night.","age":42,"friend":"b","fish":["f2"]}`)

	d = ask(t, asker, someFields, fyne.NewSize(800, 900), base.VariantLight)
	d.write("Jo")
	for _, object := range test.LaidOutObjects(d.window.Canvas().Overlays().Top()) {
		switch object := object.(type) {
		case *kit.Check: // change every box
			test.Tap(object)
		case *kit.Select:
			object.SetSelectedIndex(0)
		}
	}
	d.press("Send")
	d.tells(true, `accept {"name":"Jo","line":"It was a dark night.","age":42,"agree":true,"fish":["f1"]}`)
}

// The user can decline, and Esc cancels whatever has the focus.
func TestDeclineAndCancel(t *testing.T) {
	open := func() *openedSheet {
		d := ask(t, asker, someFields, fyne.NewSize(800, 560), base.VariantLight)
		d.write("not sent")
		return d
	}
	d := open()
	d.press("Decline")
	d.tells(true, "decline")
	d = open()
	d.press("Cancel")
	d.tells(true, "cancel")
	for range 12 {
		d := open()
		d.window.Canvas().FocusNext()
		d.key(fyne.KeyEscape)
		d.tells(true, "cancel")
	}
	d = open()
	d.Withdraw()
	d.tells(true)
	d = open()
	d.Sheet.Focus(true) // the user is typing elsewhere
	d.write("x")
	d.key(fyne.KeyReturn)
	d.tells(true, "cancel")
}

// A field that may hold a secret hides its text, and sends it unchanged.
func TestSecretsInAForm(t *testing.T) {
	d := ask(t, asker, `{"message":"Sign in","requestedSchema":{"type":"object","required":["apiKey"],"properties":{
		"apiKey":{"type":"string"},"word":{"type":"string","format":"password"},"PIN":{"type":"integer"},"user":{"type":"string"}}}}`, fyne.NewSize(800, 560), base.VariantLight)
	d.reads("Servers are not meant to ask for secrets in a form.")
	for _, text := range []string{"sesame-1", "sesame-2", "1234", "me"} {
		focused := d.window.Canvas().Focused()
		for focused == nil || !isInput(focused) {
			d.window.Canvas().FocusNext()
			focused = d.window.Canvas().Focused()
		}
		if hidden := focused.(*kit.Input).Password; hidden == (text == "me") {
			t.Errorf("the field is hidden: %v, for the text %q", hidden, text)
		}
		d.write(text)
		d.window.Canvas().FocusNext()
	}
	if all := d.says(); strings.Contains(all, "sesame") {
		t.Errorf("the sheet shows %s", all)
	}
	drawn.Keep(t, d.window.Canvas(), "ask-secrets")
	d.press("Send")
	d.tells(true, `accept {"apiKey":"sesame-1","word":"sesame-2","PIN":1234,"user":"me"}`)
}

func isInput(focused fyne.Focusable) bool {
	_, ok := focused.(*kit.Input)
	return ok
}

const aPage = `{"mode":"url","message":"Please sign in at Example.","url":"https://accounts.example.com/login?next=%2Fa&x=1","elicitationId":"e1"}`

// A page is shown with its whole address, and opened only when the user agrees. The server is told at once.
func TestOpenAPage(t *testing.T) {
	d := ask(t, asker, aPage, fyne.NewSize(800, 560), base.VariantLight)
	d.reads("Please sign in at Example.", "accounts.example.com\n", "https://accounts.example.com/login?next=%2Fa&x=1")
	if len(d.opened) > 0 {
		t.Fatal("the page was opened before the user has agreed")
	}
	d.fails = errors.New("no browser")
	d.press("Open the browser")
	d.reads("That could not be done: no browser")
	d.tells(false)
	d.fails = nil
	d.press("Open the browser")
	d.tells(false, "accept")
	d.reads("Come back here when you have finished on the page.")
	d.press("Open the page again")
	if d.button("Decline") != nil || len(d.opened) != 3 ||
		d.opened[2] != "https://accounts.example.com/login?next=%2Fa&x=1" {
		t.Errorf("opened %q", d.opened)
	}
	d.press("Done")
	d.tells(true, "accept", "done")

	for _, giveUp := range []func(*openedSheet){func(d *openedSheet) {
		d.press("Cancel")
	}, func(d *openedSheet) { d.key(fyne.KeyEscape) }} {
		d = ask(t, asker, aPage, fyne.NewSize(800, 560), base.VariantLight)
		d.press("Open the browser")
		giveUp(d)
		d.tells(true, "accept", "given up")
	}
	d = ask(t, asker, aPage, fyne.NewSize(800, 560), base.VariantLight)
	d.key(fyne.KeyReturn) // Enter, pressed by accident
	d.tells(true, "cancel")
	if len(d.opened) > 0 {
		t.Errorf("opened %q", d.opened)
	}
}

func TestPagesThatStayClosed(t *testing.T) {
	for address, opens := range map[string]bool{
		"https://example.com/a": true, "http://localhost:8080/x": true, "http://127.0.0.1/": true, "http://[::1]:1/": true,
		"http://example.com/": false, "http://localhost.evil.example/": false, "http://10.0.0.1/": false,
		"file:///etc/passwd":  false,
		"javascript:alert(1)": false, "vscode://x/y": false, "https:///nowhere": false,
		"https://example.com@evil.example/": false,
		"https://ex\u0430mple.com/":         false, "HTTPS://EXAMPLE.COM/": true,
	} {
		params, _ := json.Marshal(map[string]string{"mode": "url", "message": "m", "url": address})
		d := ask(t, asker, string(params), fyne.NewSize(800, 560), base.VariantLight)
		if got := d.button("Open the browser") != nil; got != opens {
			t.Errorf("%s can be opened: %v", address, got)
		}
		if opens {
			continue
		}
		d.reads("does not open this address")
		d.key(fyne.KeyReturn)
		d.tells(true, "cancel")
		if len(d.opened) > 0 {
			t.Errorf("opened %s", d.opened)
		}
	}
	for _, params := range []string{
		`{"mode":"url","url":""}`, `{"mode":"url","url":"nothing"}`,
		`{"mode":"url","url":"https://` + strings.Repeat("a", maxAddress) + `"}`, `{"mode":"telepathy"}`,
		`[]`, `{"message":1}`, `{"message":"m"}`, `{"message":"m","requestedSchema":{"type":"string"}}`,
		`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}}`,
		`{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}}`,
		`{"message":"m","requestedSchema":{"type":"object","properties":{"a":true}}}`,
	} {
		if _, err := ReadRequest(json.RawMessage(params)); err == nil {
			t.Errorf("%.80s is accepted", params)
		}
	}
	if r, err := ReadRequest(json.RawMessage(`{"mode":"url","url":"https://example.com/\u202ea b\n?q=ä"}`)); err != nil ||
		r.Page.String() != "https://example.com/%E2%80%AEa%20b%0A?q=%C3%A4" {
		t.Errorf("%v, %v", r.Page, err)
	}
}

// The Tab key must reach everything that can be clicked.
func TestAskingByKeys(t *testing.T) {
	for _, params := range []string{someFields, aPage} {
		d := ask(t, asker, params, fyne.NewSize(800, 560), base.VariantLight)
		bykeys.New(t, d.window, bykeys.Otherwise{"*kit.Sheet": "nothing happens"}).Walk()
	}
}

// A form with as many fields as are allowed, in a small window: the first field has the focus, and a problem far below
// is shown.
func TestLongRequest(t *testing.T) {
	var fields []string
	for range 120 {
		fields = append(fields, `"field_with_a_long_name_`+strings.Repeat("x", 60)+string(rune('a'+len(fields)/26))+
			string(rune('a'+len(fields)%26))+`":{"type":"string","description":"`+strings.Repeat("word ", 60)+`"}`)
	}
	d := ask(t, asker, `{"message":"`+strings.Repeat(`A long message. `, 400)+
		`","requestedSchema":{"type":"object","required":["last"],"properties":{`+strings.Join(fields, ",")+
		`,"last":{"type":"integer","maximum":3}}}}`,
		fyne.NewSize(800, 560), base.VariantLight)
	drawn.Keep(t, d.window.Canvas(), "ask-long-begin")
	if _, ok := d.window.Canvas().Focused().(interface{ SetText(string) }); !ok {
		t.Errorf("the focus is on %T", d.window.Canvas().Focused())
	}
	d.press("Send")
	d.tells(false)
	drawn.Keep(t, d.window.Canvas(), "ask-long-problem")
	d.write("9")
	d.reads("This must be at most 3.")
	d.key(fyne.KeyBackspace)
	d.write("2")
	d.key(fyne.KeyReturn)
	d.tells(true, `accept {"last":2}`)
}

func TestAskingPictures(t *testing.T) {
	for _, size := range []fyne.Size{{Width: 800, Height: 560}, {Width: 1100, Height: 720}} {
		for name, look := range drawn.Looks(size) {
			variant := look.Begin(t).Variant
			small := map[bool]string{true: "-800", false: "-1100"}[size.Width == 800] + "-" + name
			d := ask(t, asker, someFields, size, variant)
			drawn.Keep(t, d.window.Canvas(), "ask-form"+small)
			d.press("Send")
			drawn.Keep(t, d.window.Canvas(), "ask-problem"+small)
			d = ask(t, Asker{Toolbox: strings.Repeat("toolbox", 20), Server: strings.Repeat("server", 30),
				Tool: strings.Repeat("tool_", 30)},
				`{"message":"`+strings.Repeat("A long message that goes on. ", 200)+
					`","requestedSchema":{"type":"object","properties":{"`+strings.Repeat("name", 40)+`":{"type":"string","title":"`+
					strings.Repeat("Title", 40)+`"}}}}`, size, variant)
			drawn.Keep(t, d.window.Canvas(), "ask-names"+small)
			d = ask(t, asker, aPage, size, variant)
			drawn.Keep(t, d.window.Canvas(), "ask-page"+small)
			d.press("Open the browser")
			drawn.Keep(t, d.window.Canvas(), "ask-opened"+small)
			d = ask(t, asker, `{"mode":"url","message":"Please sign in.","url":"https://`+strings.Repeat("long.", 30)+
				`example.com/`+strings.Repeat("abcdef0123456789", 60)+`"}`, size, variant)
			drawn.Keep(t, d.window.Canvas(), "ask-address"+small)
			d = ask(t, asker, `{"mode":"url","message":"Look.","url":"http://example.com/x"}`, size, variant)
			drawn.Keep(t, d.window.Canvas(), "ask-refused"+small)
		}
	}
}
