package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	base "fyne.io/fyne/v2/theme"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/kit/drawn"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var (
	wide   = fyne.NewSize(680, 620)
	narrow = fyne.NewSize(480, 560)
)

func TestOffer(t *testing.T) {
	for _, c := range []struct {
		filters []string
		tool    string
		on      bool
		want    []string
	}{
		{nil, "b", false, []string{"a", "c", "d"}},
		{[]string{"*"}, "b", false, []string{"a", "c", "d"}},
		{[]string{"*", "gone"}, "a", false, []string{"b", "c", "d", "gone"}},
		{[]string{"d", "gone", "a"}, "a", false, []string{"d", "gone"}},
		{[]string{"a"}, "a", false, []string{}},
		{[]string{"a", "gone", "d"}, "b", true, []string{"a", "b", "gone", "d"}},
		{[]string{"gone", "d"}, "b", true, []string{"gone", "b", "d"}},
		{[]string{}, "b", true, []string{"b"}},
		{[]string{"gone"}, "b", true, []string{"gone", "b"}},
		{[]string{"a", "b", "a"}, "a", false, []string{"b"}},
	} {
		view := connected(c.filters, "a", "b", "c", "d")
		before := slices.Clone(c.filters)
		if diff := cmp.Diff(c.want, view.offer(c.tool, c.on)); diff != "" {
			t.Errorf("%v, %s %v (-want +got):\n%s", c.filters, c.tool, c.on, diff)
		}
		if !slices.Equal(before, c.filters) {
			t.Errorf("%v has become %v", before, c.filters)
		}
	}
}

// TestFile ticks boxes and compares the file, byte for byte.
func TestFile(t *testing.T) {
	const begin = `{
  // mine
  "toolboxes": {
    "dev": {
      "mcpServers": {
        "files": {
          "command": "npx", // from npm
          "args": ["-y", "server-files"]
        }
      }
    }
  }
}
`
	folder := t.TempDir()
	path := filepath.Join(folder, "workbench-config.json")
	if err := os.WriteFile(path, []byte(begin), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := store.Open(store.Options{Location: config.Location{Path: path}, HistoryDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	d := open(t, connected(nil, "a", "b", "c"), wide, base.VariantLight)
	d.file = file
	expect := func(field string) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := begin
		if field != "" {
			want = strings.Replace(begin, `["-y", "server-files"]`, `["-y", "server-files"],`+"\n          "+field, 1)
		}
		if diff := cmp.Diff(want, string(data)); diff != "" {
			t.Errorf("the file (-want +got):\n%s", diff)
		}
		document := config.Parse(path, data)
		view := d.view
		view.Filters = document.Config.Toolboxes[0].Servers[0].ToolFilters
		d.Apply(view)
	}
	d.window.Reads("AI apps see 3 of its 3 tools.")
	test.Tap(d.row("b").check)
	expect(`"toolFilters": ["a", "c"]`)
	d.window.Reads("AI apps see 2 of its 3 tools.")
	test.Tap(d.row("a").check)
	test.Tap(d.row("b").check)
	expect(`"toolFilters": ["b", "c"]`)
	d.tap("Offer none")
	expect(`"toolFilters": []`)
	d.window.Reads("AI apps see 0 of its 3 tools.")
	test.Tap(d.row("c").check)
	expect(`"toolFilters": ["c"]`)
	d.tap("Offer all")
	expect("")
	d.window.Reads("AI apps see 3 of its 3 tools.")

	// During a search, the buttons change only the listed tools.
	d.listing.search.SetText("b")
	d.tap("Offer none")
	expect(`"toolFilters": ["a", "c"]`)
	d.tap("Offer all")
	expect(`"toolFilters": ["a", "b", "c"]`)
	d.listing.search.SetText("")
	d.tap("Offer all")
	expect("")
}

func TestUnknownNames(t *testing.T) {
	d := open(t, connected([]string{"a", "gone", "read_*"}, "a", "b"), wide, base.VariantLight)
	d.window.Reads("AI apps see 1 of its 2 tools.", "gone", "Not offered by the server, but named in the file", "read_*")
	test.Tap(d.row("gone").remove)
	want := []edit.Op{edit.SetField{Target: edit.Target{Toolbox: "dev", Server: "files"}, Field: []string{"toolFilters"},
		Value: json.RawMessage(`["a","read_*"]`)}}
	if diff := cmp.Diff(want, d.edits[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.window.Lacks("gone")
}

// A ticked box stays ticked while the file is written, and changes back if that fails.
func TestEditsTakeTime(t *testing.T) {
	view := connected(nil, "a", "b")
	d := open(t, view, wide, base.VariantLight)
	d.holding = true
	test.Tap(d.row("a").check)
	d.Apply(view) // something else has changed
	d.window.Reads("AI apps see 1 of its 2 tools.")
	d.hold[0](errors.New("the disk is full"))
	d.window.Reads("AI apps see 2 of its 2 tools.", "Not saved: the disk is full")
	d.holding = false
	test.Tap(d.row("b").check)
	d.window.Lacks("disk is full")

	view.Locked = "The file has an error that must be mended first."
	d.Apply(view)
	d.window.Reads(view.Locked)
	if !d.row("a").check.Disabled() {
		t.Error("a box can be ticked although the file cannot be changed")
	}
	locked := view.Locked
	view.Locked = ""
	d.Apply(view)
	d.window.Lacks(locked)
	if d.row("a").check.Disabled() {
		t.Error("no box can be ticked although the file is valid again")
	}
	d.fail = errors.New("the disk is full")
	test.Tap(d.row("a").check)
	d.Apply(view)
	d.window.Reads("the disk is full") // until the user tries something else
	view.Server = "other"
	d.Apply(view)
	d.window.Lacks("disk is full")
}

func TestSearch(t *testing.T) {
	d := open(t, connected(nil, "read_file", "write_file", "list"), wide, base.VariantLight)
	d.FocusSearch(d.window.Canvas())
	test.Type(d.listing.search, "does file")
	d.window.Lacks("Does list.")
	test.Type(d.listing.search, "xyz")
	d.window.Reads("Nothing matches")
	d.listing.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	d.window.Reads("Does list.")
}

func TestStates(t *testing.T) {
	view := View{Toolbox: "dev", Server: "files", Shown: live.Shown{State: theme.StateIdle, Word: "Not started"},
		Filters: []string{"a"}}
	d := open(t, view, narrow, base.VariantLight)
	d.window.Reads("Not started", "Start it to see its tools.")
	d.tap("Start")
	if d.started != 1 {
		t.Error("the button does not start the server")
	}
	approving := view
	approving.Shown = live.Shown{State: theme.StateNotice, Word: "Needs approval",
		Detail: "Another program wrote this.", Help: model.HelpReview}
	for _, state := range []status.State{status.NotStarted, status.Failed} {
		approving.Status.State = state
		d.Apply(approving)
		d.window.Reads("Needs approval", "Another program wrote this.")
		d.window.Lacks("Start")
		d.fixed = 0
		d.tap("Review…")
		if d.fixed != 1 {
			t.Error("the button does not show what waits for approval")
		}
	}
	view.Status.State, view.Shown = status.Starting,
		live.Shown{State: theme.StateWorking, Word: "Installing…", Detail: "The first start downloads what it needs."}
	d.Apply(view)
	d.window.Reads("Installing…", "The first start downloads what it needs.")
	view.Status = status.Server{State: status.Failed,
		Problem: &status.Problem{Message: words.Foreign("npx was not found"), Hint: words.Foreign("Install Node.js.")}}
	view.Shown = live.Shown{State: theme.StateWrong, Word: "Can't start"}
	d.Apply(view)
	d.window.Reads("Can't start", "npx was not found", "Install Node.js.")
	view.Shown.Detail = "It ended by itself. Its log says what it wrote last."
	d.Apply(view)
	d.window.Reads("Its log says what it wrote last.")
	d.window.Lacks("npx was not found")
	d.tap("Try again")
	d.tap("Show log")
	view = connected(nil)
	view.Status.AllTools = 3
	d.Apply(view)
	d.window.Reads("Asking the server for its tools…")
	d.window.Lacks("has no tools")
	view.Status.AllTools = 0
	d.Apply(view)
	d.window.Reads("This server has no tools")
}

func TestPages(t *testing.T) {
	view := connected(nil, "read_file", "list")
	view.Tools[1].Definition = json.RawMessage(
		`{"name":"list","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true,"openWorldHint":true}}`)
	view.Tools[1].Problem = words.Foreign("Its schema is not valid.")
	d := open(t, view, wide, base.VariantLight)
	d.listing.list.Select(0)
	d.window.Reads("read_file", "Does read_file.", "Inputs", "path", "text", "Required")
	d.tap("Try it")
	d.window.Reads("Run")
	for _, object := range test.LaidOutObjects(d.window.Content()) {
		if entry, ok := object.(fyne.Focusable); ok {
			if _, isText := object.(interface{ SetPlaceHolder(string) }); isText {
				d.window.Canvas().Focus(entry)
			}
		}
	}
	for _, r := range "a.txt" {
		d.window.Canvas().Focused().TypedRune(r)
	}
	d.Apply(view) // what was typed is kept
	d.Run()
	if want := []string{`dev/files/read_file{"path":"a.txt"}`}; !slices.Equal(d.calls, want) {
		t.Errorf("called %v, want %v\n%s", d.calls, want, d.window.Texts())
	}
	d.tap("Back")
	d.window.Reads("Inputs")
	d.tap("All tools")
	d.window.Reads("of its 2 tools.")
	d.listing.list.Select(0)
	d.tap("Try it")
	d.ShowAll() // a click on the tab calls it
	d.window.Reads("of its 2 tools.")
	d.Open("list")
	d.window.Reads("The server does not say.", "Its schema is not valid.", "May delete or overwrite",
		"Uses the internet")
	test.Tap(d.detail.offered)
	if len(d.edits) != 1 {
		t.Error("the box on the page does not change the file")
	}
	d.back()
	test.Tap(d.row("read_file").try)
	d.window.Reads("Run")
	d.tap("Back")
	d.window.Reads("AI apps see 1 of its 2 tools.")

	d.Open("read_file")
	d.Apply(connected(nil, "other")) // read_file no longer exists
	d.window.Reads("Does other.")
}

// A thousand tools must have widgets only for the visible rows, and long texts of a hostile server must stay in their
// rows.
func TestMany(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("tool_%04d", i))
	}
	view := connected(nil, names...)
	view.Tools[0].Definition = json.RawMessage(`{"name":"tool_0000","description":"\u202eturned\n\n` +
		strings.Repeat("long ", 5000) + `","inputSchema":[]}`)
	view.Tools[1].Name = strings.Repeat("wide", 100)
	begin := time.Now()
	d := open(t, view, narrow, base.VariantLight)
	test.Type(d.listing.search, "tool")
	d.listing.search.SetText("")
	d.window.Canvas().Capture()
	t.Logf("shown in %v", time.Since(begin))
	d.listing.list.ScrollTo(700)
	count := 0
	for _, object := range test.LaidOutObjects(d.window.Content()) {
		if _, ok := object.(*row); ok {
			count++
		}
	}
	if count == 0 || count > 30 {
		t.Errorf("%d rows have widgets", count)
	}
	for _, name := range []string{"tool_0000", view.Tools[1].Name} {
		d.Open(name)
		d.window.Canvas().Capture()
		if least := d.Object().MinSize(); least.Width > narrow.Width {
			t.Errorf("the page of %.20s needs a width of %v", name, least.Width)
		}
		d.tap("Try it")
		if least := d.Object().MinSize(); least.Width > narrow.Width {
			t.Errorf("trying %.20s needs a width of %v", name, least.Width)
		}
	}
}

// The definitions of many tools are read in the background. Definitions that were read before are kept.
func TestManyAreReadAhead(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("tool_%04d", i))
	}
	d := open(t, connected(nil, names...), narrow, base.VariantLight)
	first := d.reader.readSchema(d.view.Tools[0])
	select {
	case f := <-d.queue:
		f()
	case <-time.After(time.Minute):
		t.Fatal("the definitions are not read")
	}
	known := d.reader.known
	if len(known) != 1000 || known["tool_0000"] != first || d.reader.define(d.view.Tools[999]) != known["tool_0999"] {
		t.Errorf("%d definitions are known", len(known))
	}
	d.Apply(d.view)
	if d.reader.reading {
		t.Error("the definitions are read again")
	}
}

func TestPictures(t *testing.T) {
	if !drawn.Wanted() {
		t.Skip("no folder for pictures")
	}
	data, err := os.ReadFile("testdata/everything.json")
	if err != nil {
		t.Fatal(err)
	}
	var definitions []json.RawMessage
	if err := json.Unmarshal(data, &definitions); err != nil {
		t.Fatal(err)
	}
	view := connected([]string{"echo", "get-sum", "get-tiny-image", "old-tool"})
	for _, definition := range definitions {
		var named struct{ Name string }
		if err := json.Unmarshal(definition, &named); err != nil {
			t.Fatal(err)
		}
		view.Tools = append(view.Tools, status.Tool{Name: named.Name, Definition: definition, Allowed: true})
	}
	deep := connected(nil, "order")
	deep.Tools[0].Definition = json.RawMessage(
		`{"name":"order","title":"Order something","description":"Orders something from the shop.\n\nUse it when the user has said what to buy. It takes a while.","annotations":{"destructiveHint":true,"openWorldHint":true},"inputSchema":{"type":"object","required":["items"],"properties":{
		"items":{"type":"array","minItems":1,"description":"What to order","items":{"type":"object","required":["sku"],"properties":{"sku":{"type":"string","pattern":"^[A-Z]-[0-9]+$","description":"The number in the catalogue"},"count":{"type":"integer","minimum":1,"maximum":99,"default":1},"tags":{"type":"array","items":{"type":"string"}}}}},
		"speed":{"enum":["fast","slow"],"default":"slow"},"address":{"type":"object","properties":{"city":{"type":"string"},"zip":{"type":["string","null"]}}},
		"pay":{"oneOf":[{"title":"Card","type":"object","required":["number"],"properties":{"number":{"type":"string"}}},{"title":"Invoice","type":"object","properties":{"to":{"type":"string","format":"email"}}}]}}}}`)
	failed := View{Toolbox: "dev", Server: "files", Filters: []string{"a", "b"},
		Status: status.Server{State: status.Failed,
			Problem: &status.Problem{Message: words.Foreign("npx was not found"),
				Hint: words.Foreign("Install Node.js, or choose another program in Setup.")}},
		Shown: live.Shown{State: theme.StateWrong, Word: "Can't start"}}
	for name, variant := range map[string]fyne.ThemeVariant{"light": base.VariantLight, "dark": base.VariantDark} {
		for size, pane := range map[string]fyne.Size{"680": wide, "480": narrow} {
			d := open(t, view, pane, variant)
			d.picture("tools-list-" + size + "-" + name)
			d.Open("get-resource-links")
			d.picture("tools-page-" + size + "-" + name)
			d.tap("Try it")
			d.picture("tools-try-" + size + "-" + name)
			d.Apply(deep)
			d.Open("order")
			d.picture("tools-deep-" + size + "-" + name)
			d.Apply(failed)
			d.picture("tools-failed-" + size + "-" + name)
		}
	}
}

func TestToolsByKeyboard(t *testing.T) {
	d := open(t, connected(nil, "a", "b", "c"), narrow, base.VariantLight)
	canvas := d.window.Canvas()
	canvas.FocusNext()
	if canvas.Focused() != fyne.Focusable(d.listing.search) {
		t.Errorf("the first stop is %T, want the search", canvas.Focused())
	}
	// Next come the button for all tools, the list, and the box and the button of every row.
	var reached []string
	for range 8 {
		canvas.FocusNext()
		reached = append(reached, strings.TrimPrefix(fmt.Sprintf("%T", canvas.Focused()), "*"))
	}
	if got, want := strings.Join(reached, " "),
		"kit.Button kit.List kit.Check kit.Button kit.Check kit.Button kit.Check kit.Button"; got != want {
		t.Errorf("the Tab key goes through %s, want %s", got, want)
	}
	// A ticked box keeps the focus and still belongs to the same tool.
	box := d.row("b").check
	canvas.Focus(box)
	box.TypedRune(' ')
	if canvas.Focused() != fyne.Focusable(box) || d.row("b").check != box || box.Checked {
		t.Errorf("the focus is on %T, ticked %v", canvas.Focused(), box.Checked)
	}
	box.TypedRune(' ')
	if len(d.edits) != 2 || !d.view.offers("b") {
		t.Errorf("edits %v", d.edits)
	}
	canvas.Focus(d.listing.list)
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyReturn} {
		canvas.Focused().TypedKey(&fyne.KeyEvent{Name: key})
	}
	d.window.Reads("Does b.", "Inputs")
	// The focus follows to each page and back.
	if canvas.Focused() != fyne.Focusable(d.detail.try) {
		t.Fatalf("on the page of a tool, the focus is on %T", canvas.Focused())
	}
	canvas.Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	d.tap("Back")
	if canvas.Focused() != fyne.Focusable(d.detail.try) {
		t.Errorf("back from trying the tool, the focus is on %T", canvas.Focused())
	}
	d.tap("All tools")
	if canvas.Focused() != fyne.Focusable(d.listing.list) {
		t.Errorf("back in the list, the focus is on %T", canvas.Focused())
	}
}

// TestStatesAreThoseOfTheHeader checks that the tab uses the word of the header, and its button, for a server that the
// user has stopped and for one that needs a key.
func TestStatesAreThoseOfTheHeader(t *testing.T) {
	view := View{Toolbox: "dev", Server: "files", Shown: live.Shown{State: theme.StateIdle, Word: "Stopped"},
		Status: status.Server{State: status.NotStarted, Held: true}}
	d := open(t, view, narrow, base.VariantLight)
	d.window.Reads("Stopped", "Start it to see its tools.")
	d.window.Lacks("Not started")
	view.Shown = live.Shown{State: theme.StateKey, Word: "Needs a key", Detail: "To fill in: API_KEY.", Help: model.HelpFill}
	d.Apply(view)
	d.window.Reads("Needs a key", "To fill in: API_KEY.", "Fill it in")
	d.window.Lacks("Start it to see its tools.")
}
