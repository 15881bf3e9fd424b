package activity

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestMain(m *testing.M) {
	locale.Install().Speak("en")
	m.Run()
}

// Each word for how a call ended fits into its column, in every language.
func TestOutcomesFitTheirColumn(t *testing.T) {
	newApp(t)
	voice := locale.Install()
	t.Cleanup(func() { voice.Speak("en") })
	for _, language := range locale.Languages() {
		voice.Speak(language.Tag)
		for _, column := range columns() {
			if column.name != "outcome" {
				continue
			}
			for _, outcome := range []status.Outcome{status.Running, status.Done, status.ToolError, status.Error, status.Refused,
				status.Cancelled, ""} {
				word := kit.NewText(endingOf(outcome).word, kit.TextStyle{Size: theme.SizeSmall})
				if needs := markSize + kit.Gap + word.Full().Width; needs > column.width {
					t.Errorf("%s: %q needs %v of %v", language.Tag, word.Text(), needs, column.width)
				}
			}
		}
	}
}

func TestScreenShowsCalls(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.reads(t, "12 calls", "11:59:58", "Claude Desktop", "dev › filesystem ›", "search_files", "Running", "2 s…", "12 s…",
		"143 ms", "1 min 35 s", "< 1 ms",
		"Done", "Tool failed", "Failed", "Cancelled", "Connected since 10:42.",
		"It runs another version of Workbench. Quit Cursor fully and start it again.", "Connecting…")
	o.lacks(t, "No calls yet", "Nothing matches", "What the app sent")
	o.lacks(t, "20 Nov")
	// Times advance without a new view.
	o.Tick(noon().Add(3 * time.Second))
	o.reads(t, "5 s…", "15 s…")
	// A call that has ended keeps its row.
	view := sample()
	view.Calls[11].Outcome, view.Calls[11].Duration = status.Done, 4*time.Second
	o.Apply(view)
	o.reads(t, "4 s")
	if len(o.shown) != 12 {
		t.Errorf("there are %d rows", len(o.shown))
	}
}

func TestWords(t *testing.T) {
	if got := clock(noon().Add(-13*time.Hour), noon()); got != "20 Nov" {
		t.Errorf("yesterday is %q", got)
	}
	for d, want := range map[time.Duration]string{0: "< 1 ms", 999 * time.Millisecond: "999 ms",
		59999 * time.Millisecond: "59.9 s", 61 * time.Second: "1 min 1 s", 3 * time.Hour: "180 min 0 s"} {
		if got := kit.Duration(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
	for bytes, want := range map[int]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 999_949: "999.9 kB",
		999_950: "1.0 MB", 2_500_000: "2.5 MB"} {
		if got := kit.Bytes(bytes); got != want {
			t.Errorf("%d is %q, want %q", bytes, got, want)
		}
	}
	if got := kit.Block("a\n\tb\x00\u202ec"); got != "a\n bc" {
		t.Errorf("a block is %q", got)
	}
}

func TestEmptyScreenExplains(t *testing.T) {
	newApp(t)
	o := open(t, View{Now: noon()}, small)
	o.reads(t, "No calls yet", "No AI app is connected now")
	o.lacks(t, "Export…", "0 calls")
	o.Apply(sample())
	o.reads(t, "12 calls", "Export…")
	o.lacks(t, "No calls yet", "No AI app")
	o.Apply(View{Now: noon()})
	o.reads(t, "No calls yet")
}

func TestDetails(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.window.Canvas().Focus(o.table.body)
	key := func(name fyne.KeyName) { o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: name}) }
	for range 8 {
		key(fyne.KeyDown)
	}
	o.reads(t, "Access denied - path outside", "Tool failed", "2026-11-21 11:39:00",
		"225 bytes", `"token": "•••"`)
	o.lacks(t, "Only the beginning")
	o.tap(t, "Copy")
	if len(o.done) != 1 || !strings.HasPrefix(o.done[0], "copy {\n  \"path\": \"/etc/hosts\"") {
		t.Errorf("copied is %q", o.done)
	}
	o.tap(t, "Go to the server")
	if got := o.done[len(o.done)-1]; got != "show dev filesystem" {
		t.Errorf("the last action is %q", got)
	}
	o.window.Canvas().Focus(o.table.body)
	// The selection stays on its call when other calls are added.
	view := sample()
	view.Calls = append(view.Calls,
		model.Call{Engine: 9, Client: "VS Code",
			Call: status.Call{ID: 1, Tool: "new_one", Started: noon(), Outcome: status.Done}})
	o.Apply(view)
	o.reads(t, "Access denied", "new_one")
	key(fyne.KeyUp)
	o.lacks(t, "Access denied")
	o.reads(t, "search_papers_by_author_and_year_of_publication")
	key(fyne.KeyHome)
	o.reads(t, "Details", "None")
	key(fyne.KeyDown)
	key(fyne.KeyDown)
	o.reads(t, "Only the beginning is kept.", `{"id": "2411.01234", "format": "pdf`)
	key(fyne.KeyEscape)
	o.lacks(t, "Details")
	// The details close when their call is dropped.
	key(fyne.KeyEnd)
	o.reads(t, "Details", "list_allowed_directories")
	view.Calls = view.Calls[3:]
	o.Apply(view)
	o.lacks(t, "Details", "list_allowed_directories")
	if o.table.body.kept.Call != nil {
		t.Error("something is still selected")
	}
}

func TestClicksSelect(t *testing.T) {
	newApp(t)
	o := open(t, sample(), small)
	at := func(row int) {
		o.table.body.Tapped(&fyne.PointEvent{Position: fyne.NewPos(50, float32(row)*rowHeight+5)})
	}
	at(8)
	o.reads(t, "Details", "web_search", "search did not answer within 30 s")
	o.lacks(t, "Outcome", "Connected since") // in a small window, the details replace the table
	o.tap(t, "Close")
	o.reads(t, "Outcome", "Connected since")
	if o.window.Canvas().Focused() != o.table.body {
		t.Error("the table does not have the focus")
	}
	at(8)
	at(8)
	at(500)
	o.lacks(t, "Details")
}

func TestFilter(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	test.Type(o.bar.search, "CURSOR paper")
	if len(o.shown) != 2 {
		t.Errorf("%d calls match", len(o.shown))
	}
	o.reads(t, "2 of 12 calls")
	o.bar.outcome.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if len(o.shown) != 1 || o.shown[0].Tool != "download_paper" {
		t.Errorf("the running calls are %v", o.shown)
	}
	o.bar.outcome.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	o.reads(t, "Nothing matches", "0 of 12 calls")
	o.tap(t, "Show all")
	if len(o.shown) != 12 || o.bar.search.Text != "" || o.bar.outcome.Chosen() != 0 {
		t.Errorf("after “Show all”, there are %d calls, the search is %q and the outcome %d", len(o.shown),
			o.bar.search.Text, o.bar.outcome.Chosen())
	}
	test.Type(o.bar.search, "access denied")
	if len(o.shown) != 1 {
		t.Errorf("%d calls have that problem, want 1", len(o.shown))
	}
	o.bar.search.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if len(o.shown) != 12 {
		t.Errorf("after Esc, there are %d calls", len(o.shown))
	}
}

func TestPause(t *testing.T) {
	newApp(t)
	view := sample()
	view.Calls = view.Calls[:11]
	o := open(t, view, normal)
	o.tap(t, "Pause the list")
	next := sample()
	next.Calls[10].Outcome, next.Calls[10].Duration = status.Done, 7*time.Second // it was running
	o.Apply(next)
	o.reads(t, "Continue (1 new)", "7 s")
	o.lacks(t, "search_files")
	test.Type(o.bar.search, "git")
	o.reads(t, "Continue")
	o.lacks(t, "Continue (") // no new call passes the filter
	o.bar.search.SetText("")
	o.tap(t, "Continue (1 new)")
	o.reads(t, "search_files", "Pause the list")
	o.Apply(view)
	o.lacks(t, "new)")
}

func TestExport(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.bar.search.SetText("cursor")
	o.tap(t, "Export…")
	menu := o.window.Canvas().Overlays().Top()
	if menu == nil {
		t.Fatal("no menu has opened")
	}
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	o.window.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	if len(o.done) != 1 || o.done[0] != "export csv 3" {
		t.Errorf("the last action is %q", o.done)
	}
}

func TestEncode(t *testing.T) {
	calls := sampleCalls()
	calls[0].Tool = "=cmd|' /C calc'!A1"
	text, err := Encode(CSV, calls)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil || len(rows) != 13 || rows[0][0] != "time" {
		t.Fatalf("there are %d rows, %v", len(rows), err)
	}
	if got := rows[1][4]; got != "'=cmd|' /C calc'!A1" {
		t.Errorf("a formula is %q", got)
	}
	if got := rows[5]; got[0] != "2026-11-21T11:39:00Z" || got[5] != "tool_error" || got[6] != "9" || got[7] != "225" ||
		got[9] != calls[4].Arguments {
		t.Errorf("a row is %q", got)
	}
	text, err = Encode(JSON, calls)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 12 {
		t.Fatalf("there are %d calls, %v", len(list), err)
	}
	if arguments, ok := list[4]["arguments"].(map[string]any); !ok || arguments["path"] != "/etc/hosts" {
		t.Errorf("arguments are %v", list[4]["arguments"])
	}
	if got, ok := list[10]["arguments"].(string); !ok || got != calls[10].Arguments {
		t.Errorf("arguments that were cut are %v", list[10]["arguments"])
	}
	if _, err := Encode("xml", nil); err == nil {
		t.Error("an unknown format is accepted")
	}
	if text, err := Encode(JSON, nil); err != nil || string(text) != "[]\n" {
		t.Errorf("an empty list is written as %q, %v", text, err)
	}
}

func TestClosingAToolbox(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	o.tap(t, "Log")
	if len(o.done) != 1 || o.done[0] != "log 7" {
		t.Errorf("the last action is %q", o.done)
	}
	o.done = nil
	o.tap(t, "Close research")
	if len(o.done) != 1 || o.done[0] != "close 7 research" {
		t.Errorf("the last action is %q", o.done)
	}
	o.tap(t, "Close research")
	if len(o.done) != 1 {
		t.Error("the toolbox is closed twice")
	}
	o.ends[0](errors.New("the engine does not answer"))
	o.reads(t, "That could not be done: the engine does not answer")
	o.tap(t, "Close research")
	o.lacks(t, "could not be done")
	view := sample()
	view.Engines[0].Open = []string{"dev"}
	o.Apply(view)
	o.ends[1](nil)
	o.lacks(t, "Close research")
	o.reads(t, "Close dev")
}

// TestOwnEngine checks that the window's own engine does not count as an app.
func TestOwnEngine(t *testing.T) {
	newApp(t)
	view := View{Engines: []model.Engine{{ID: 10, Own: true, Started: noon()}}, Now: noon()}
	o := open(t, view, normal)
	o.lacks(t, "Workbench")
	o.reads(t, "No AI app is connected now")
	view.Engines = []model.Engine{{ID: 10, Client: "Workbench", Own: true, Started: noon(), Open: []string{"dev"}}}
	o.Apply(view)
	o.reads(t, "Workbench", "Connected since 12:00.", "Close dev")
}

// TestEngineElsewhere checks that the card of an engine with other toolboxes shows its folder in full.
func TestEngineElsewhere(t *testing.T) {
	newApp(t)
	folder := filepath.FromSlash("/home/me/a-folder-with-a-rather-long-name")
	o := open(t, View{Engines: []model.Engine{{ID: 3, Client: "VS Code", Started: noon(), Elsewhere: true,
		Config: filepath.Join(folder, "workbench-config.json")}}, Now: noon()}, normal)
	o.reads(t, "It has other toolboxes, from "+folder+".")
	for _, object := range test.LaidOutObjects(o.window.Content()) {
		if text, ok := object.(*canvas.Text); ok && strings.HasPrefix(text.Text, "It has") &&
			strings.HasSuffix(text.Text, "…") {
			t.Errorf("the card cuts %q", text.Text)
		}
	}
}

// TestCardsBeginAlike checks that the names on all cards are at the same height, with a button for the log and without.
func TestCardsBeginAlike(t *testing.T) {
	newApp(t)
	o := open(t, View{Engines: []model.Engine{{ID: 1, Client: "Cursor", Started: noon(), Initialized: noon()},
		{ID: 2, Client: "VS Code", Started: noon(), Elsewhere: true, Config: "/home/me/x/workbench-config.json"}},
		Now: noon()}, normal)
	places := map[string]float32{}
	for _, object := range seen(o.window.Content()) {
		if text, ok := object.(*kit.Text); ok {
			places[text.Text()] = fyne.CurrentApp().Driver().AbsolutePositionForObject(object).Y + object.Size().Height/2
		}
	}
	if places["Cursor"] == 0 || max(places["Cursor"]-places["VS Code"], places["VS Code"]-places["Cursor"]) >= 1 {
		t.Errorf("the names are at %v and %v", places["Cursor"], places["VS Code"])
	}
}

// TestEnginesInTrouble checks the card of an engine that does not answer or runs another version. Its open toolboxes
// are unknown and cannot be closed.
func TestEnginesInTrouble(t *testing.T) {
	newApp(t)
	engine := model.Engine{ID: 1, Client: "Zed", Program: "9", Started: noon(), Initialized: noon(),
		Open: []string{"dev"}}
	view := View{Engines: []model.Engine{engine}, Version: "10", Now: noon()}
	o := open(t, view, normal)
	o.reads(t, "Connected since 12:00", "Close dev")
	for trouble, wanted := range map[model.Trouble][]string{
		model.Silent: {"Zed", "Not responding", "Its Workbench does not answer", "Quit Zed fully and start it again"},
		model.OtherVersion: {"Zed", "Unknown", "It runs another version of Workbench",
			"Quit Zed fully and start it again"},
	} {
		view.Engines = []model.Engine{engine}
		view.Engines[0].Trouble = trouble
		o.Apply(view)
		o.reads(t, wanted...)
		o.lacks(t, "Connected since", "Close dev", "No toolbox is open")
	}
}

// TestEnginesComeAndGo checks that the calls use the room of the cards when there are none.
func TestEnginesComeAndGo(t *testing.T) {
	newApp(t)
	with := sample()
	without := with
	without.Engines = nil
	top := func(o *opened) float32 {
		return fyne.CurrentApp().Driver().AbsolutePositionForObject(o.bar.search).Y
	}
	low, high := top(open(t, with, small)), top(open(t, without, small))
	if low <= high {
		t.Fatalf("the calls begin at %v with apps, and at %v without", low, high)
	}
	o := open(t, with, small)
	if o.Apply(without); top(o) != high {
		t.Errorf("the calls begin at %v instead of %v", top(o), high)
	}
	if o.Apply(with); top(o) != low {
		t.Errorf("the calls begin at %v instead of %v", top(o), low)
	}
}

// TestScrolling checks that new calls do not move the rows while the table is scrolled down. At the top, new calls
// come into view.
func TestScrolling(t *testing.T) {
	newApp(t)
	o := open(t, View{Calls: many(500), Now: noon()}, normal)
	body := o.table.body
	body.scrollTo(100*rowHeight + 10)
	first := body.entries[100].Key()
	o.Apply(View{Calls: many(500)[3:], Now: noon()})
	o.Apply(View{Calls: append(many(500), sampleCalls()...), Now: noon()}) // three of them are newer
	if row := body.rowOf(first); row != 103 || body.scroll.Offset.Y != 103*rowHeight+10 {
		t.Errorf("the call is in row %d, and the offset is %v", row, body.scroll.Offset.Y/rowHeight)
	}
	body.scrollTo(0)
	o.Apply(View{Calls: append(many(500), sample().Calls...), Now: noon()})
	if body.scroll.Offset.Y != 0 {
		t.Errorf("at the top, the offset is %v", body.scroll.Offset.Y)
	}
	body.choose(499)
	if top := body.scroll.Offset.Y; top < 480*rowHeight {
		t.Errorf("the selected call is out of view: the offset is %v", top)
	}
}

// TestTabOrder checks that the Tab key reaches every control in reading order.
func TestTabOrder(t *testing.T) {
	newApp(t)
	o := open(t, sample(), normal)
	var order []string
	for range 10 {
		o.window.Canvas().FocusNext()
		switch focused := o.window.Canvas().Focused().(type) {
		case *kit.Button:
			order = append(order, focused.AccessibilityLabel())
		case *kit.Input:
			order = append(order, "filter")
		case *kit.Choice:
			order = append(order, "outcome")
		case *tableBody:
			order = append(order, "table")
		}
	}
	if got := strings.Join(order, ", "); got != "Log, Close dev, Close research, Log, Log, filter, "+
		"outcome, Pause the list, Export…, table" {
		t.Errorf("the order is %s", got)
	}
	o.window.Canvas().Unfocus()
	o.FocusSearch(o.window.Canvas())
	if o.window.Canvas().Focused() != o.bar.search {
		t.Error("the search does not have the focus")
	}
}

// TestOnlyWhatIsSeenHasWidgets checks that only visible rows have widgets, so that a long list costs no more than a
// short one.
func TestOnlyWhatIsSeenHasWidgets(t *testing.T) {
	newApp(t)
	o := open(t, View{Calls: many(2000), Dropped: 7, Now: noon()}, normal)
	o.reads(t, "The newest 2,000 calls")
	o.table.body.scrollTo(1000 * rowHeight)
	if count := o.table.body.rows.Count(); count < 10 || count > 30 {
		t.Errorf("%d rows have widgets", count)
	}
}

func BenchmarkApplyTwoThousandCalls(b *testing.B) {
	newApp(b)
	o := open(b, View{Calls: many(2000), Engines: sampleEngines(), Now: noon()}, normal)
	o.bar.search.SetText("e")
	views := []View{{Calls: many(2000), Engines: sampleEngines(), Now: noon()},
		{Calls: many(1999), Engines: sampleEngines(), Now: noon()}}
	for b.Loop() {
		o.Apply(views[0])
		o.Apply(views[1])
	}
}

// A screen that is made again, as after a change of the language, lists the same calls and shows the details of the
// same one, even if the calls arrive later.
func TestMadeAgain(t *testing.T) {
	newApp(t)
	o := open(t, View{Calls: sampleCalls(), Now: noon()}, normal)
	o.bar.outcome.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	o.bar.outcome.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	o.table.body.choose(1)
	call, listed := o.kept.Call, len(o.shown)
	if call == nil || listed == 0 || listed == len(sampleCalls()) {
		t.Fatalf("chosen is %v, listed are %d", call, listed)
	}
	before := o.detail.call
	o.Screen = New(fake{o}, o.kept)
	o.window.SetContent(o.Object())
	o.Apply(View{Now: noon()})
	o.Apply(View{Calls: sampleCalls(), Now: noon()})
	if len(o.shown) != listed || o.bar.outcome.Chosen() != onlyProblems {
		t.Errorf("listed are %d, the outcome is %d", len(o.shown), o.bar.outcome.Chosen())
	}
	if !o.detail.root.Visible() || o.detail.call == nil || o.detail.call.Key() != before.Key() {
		t.Errorf("the details of %v are shown: %v", o.detail.call, o.detail.root.Visible())
	}
}
