package toolboxes

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/kittest"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestWhoCanUseIt checks the sentence at the top of a page.
func TestWhoCanUseIt(t *testing.T) {
	claude := model.App{ID: "claude-desktop", Name: "Claude Desktop", Connected: true}
	cursor := model.App{ID: "cursor", Name: "Cursor", Connected: true}
	zed := model.App{ID: "zed", Name: "Zed"}
	for want, c := range map[string]struct {
		apps  []model.App
		known bool
		seen  []string
	}{
		"AI apps can use 2 of 3 servers.":                   {nil, false, nil},
		"No AI app is connected to this toolbox yet.":       {[]model.App{zed}, true, nil},
		"Claude Desktop can use 2 of 3 servers.":            {[]model.App{claude, zed}, true, nil},
		"Claude Desktop and Cursor can use 2 of 3 servers.": {[]model.App{claude, cursor, zed}, true, nil},
		"Cursor can use 2 of 3 servers.":                    {[]model.App{claude, cursor}, true, []string{"cursor", "zed"}},
	} {
		o := open(t, lively(true), normal)
		o.click(model.Choice{Toolbox: "research"})
		view := o.view
		view.Apps, view.AppsKnown = c.apps, c.known
		view.Toolboxes[1].Apps = c.seen
		o.Apply(view)
		o.reads(want)
	}
}

// An app that uses the toolboxes counts as one that can, though Workbench has not connected it: its user has written
// the entry by hand.
func TestWhoUsesItWithoutBeingConnected(t *testing.T) {
	began := testTime.Add(-time.Hour)
	for _, c := range []struct {
		want   string
		seen   []string
		engine model.Engine
	}{
		{"Cursor can use 2 of 3 servers.", nil, model.Engine{Client: "Cursor", Initialized: began}},
		{"Cursor can use 2 of 3 servers.", []string{"cursor"}, model.Engine{Client: "Cursor", Initialized: began}},
		{"mine can use 2 of 3 servers.", nil, model.Engine{Client: "mine", Initialized: began}},
		{"AI apps can use 2 of 3 servers.", nil, model.Engine{Client: live.ClientName("", ""), Initialized: began}},
		{"No AI app is connected to this toolbox yet.", []string{"zed"}, model.Engine{Client: "mine", Initialized: began}},
		{"No AI app is connected to this toolbox yet.", nil, model.Engine{Client: "Cursor"}},
		{"No AI app is connected to this toolbox yet.", nil, model.Engine{Client: "Workbench", Own: true, Initialized: began}},
		{"No AI app is connected to this toolbox yet.", nil,
			model.Engine{Client: "Cursor", Elsewhere: true, Initialized: began}},
	} {
		o := open(t, lively(true), normal)
		o.click(model.Choice{Toolbox: "research"})
		view := o.view
		view.AppsKnown = true
		view.Using = (&model.Live{Engines: []model.Engine{c.engine}}).Using()
		view.Toolboxes[1].Apps = c.seen
		o.Apply(view)
		o.reads(c.want)
	}
}

// A toolbox that no AI app has is no dead end: a button leads to where one is connected. There is nothing to ask about
// until then.
func TestNobodyHasIt(t *testing.T) {
	o := open(t, lively(true), normal)
	view := o.view
	view.Apps, view.AppsKnown = nil, true
	o.Apply(view)
	o.lacks("Ask me before its tools act")
	o.asked()
	o.tap("Connect AI apps")
	if got := o.asked(); got != "import" {
		t.Error(got)
	}
	view.Apps = []model.App{{ID: "cursor", Name: "Cursor", Connected: true}}
	o.Apply(view)
	o.lacks("Connect AI apps")
	o.reads("Ask me before its tools act")
}

// TestReady checks that a server that is not started shows how many tools it had the last time.
func TestReady(t *testing.T) {
	source := lively(false)
	source.Live = &model.Live{Config: source.Good.Config}
	o := open(t, source, normal)
	o.click(model.Choice{Toolbox: "dev"})
	o.reads("Ready · 14 tools", "14 tools", "AI apps can use 2 of 2 servers.")
	o.lacks("Ready · 9 tools · ")
}

// TestLoad checks that a toolbox says in a word how much of an AI app's memory it takes, and the number under the
// pointer and under Advanced.
func TestLoad(t *testing.T) {
	o := open(t, lively(false), normal)
	o.reads("Light for the AI")
	o.lacks("tokens", "Always open")
	o.page.head.load.MouseIn(nil)
	o.reads("About 4,500 tokens")
	o.page.head.load.MouseOut()
	o.lacks("tokens")
	o.tap("Advanced")
	o.reads("About 15 tokens closed · About 4,500 tokens open · 23 tools", "AI apps have its tools from the start.")
	for tokens, want := range map[int]string{10: "Light for the AI", 7_000: "Medium for the AI",
		99_000: "Heavy for the AI"} {
		l := newLoad()
		l.show(Cost{Open: tokens, Known: 1, Servers: 1})
		if l.word != want {
			t.Errorf("%d tokens are %q", tokens, l.word)
		}
	}
}

// TestFewThingsToPress checks that the upper part of a page has at most five things to press.
func TestFewThingsToPress(t *testing.T) {
	o := open(t, lively(true), normal)
	count := 0
	for _, object := range seen(o.page.head.root) {
		switch object.(type) {
		case *kit.Button, *kit.Switch:
			count++
		}
	}
	if count > 5 {
		t.Errorf("there are %d", count)
	}
}

// TestHeadScrollsAway checks that a small window has room for the cards of a toolbox.
func TestHeadScrollsAway(t *testing.T) {
	o := open(t, lively(true), small)
	o.click(model.Choice{Toolbox: "research"})
	o.page.root.ScrollToBottom()
	driver := fyne.CurrentApp().Driver()
	if y := driver.AbsolutePositionForObject(o.page.head.root).Y; y >= 0 {
		t.Errorf("the head stays at %v", y)
	}
	if o.strip.Visible() {
		t.Error("the strip says what the card says")
	}
	o.click(model.Choice{Toolbox: "dev"})
	if !o.strip.Visible() {
		t.Error("nothing says that another toolbox has a problem")
	}
	o.click(model.Choice{Toolbox: "research"})
	o.ShowProblems()
	if !o.strip.Visible() {
		t.Error("the problems are not shown to somebody who asks for them")
	}
	o.Select(model.Choice{Toolbox: "dev", Server: "filesystem"})
	if o.strip.Visible() {
		t.Error("the problems have followed to the page of a server")
	}
	o.ShowProblems()
	if !o.strip.Visible() {
		t.Error("the problems are not shown on the page of a server to somebody who asks for them")
	}
}

// TestStateWordsStay checks that the state of a server is cut next to a long name, but never left out: neither in the
// tree nor on its card, whatever the state is.
func TestStateWordsStay(t *testing.T) {
	name := strings.Repeat("a-very-long-name-", 12)
	for state, begins := range map[status.State]string{
		status.Failed: "Can't", status.NotStarted: "Not s", status.Starting: "Starti", status.Connected: "9 too",
		status.SignIn: "Needs", status.NeedsApproval: "Needs", status.Stopped: "Stopp",
	} {
		source := from(`{"toolboxes": {"dev": {"mcpServers": {"` + name + `": {"command": "x"}}}}}`)
		source.Live = &model.Live{Config: source.Good.Config, Engines: []model.Engine{{Servers: []status.Server{
			{Toolbox: "dev", Name: name, State: state, Tools: 9, AllTools: 9, Since: testTime}}}}}
		o := open(t, source, small)
		card, row := o.page.cards.Object(0).(*card), o.tree.rows.Object(1).(*treeRow)
		if drawn := drawnIn(card.word); drawn == "" {
			t.Errorf("%v: on the card nothing is drawn", state)
		}
		if drawn := drawnIn(row.note); !strings.HasPrefix(drawn, begins) {
			t.Errorf("%v: in the tree %q is drawn", state, drawn)
		}
		if !slices.Contains(o.visible(), name) {
			t.Errorf("%v: the name is not shown", state)
		}
	}
}

// drawnIn returns the characters that are drawn of a text.
func drawnIn(text *kit.Text) string {
	for _, object := range kittest.Seen(text) {
		if line, ok := object.(*canvas.Text); ok {
			return line.Text
		}
	}
	return ""
}

// TestPurposeIsAskedFor checks that a user who has made a toolbox is asked once what it is for: its description has
// the keyboard.
func TestPurposeIsAskedFor(t *testing.T) {
	o := open(t, lively(false), normal)
	o.NewToolbox()
	o.tree.field.SetText("office")
	o.key(fyne.KeyReturn)
	field := o.page.head.description.Field
	if o.window.Canvas().Focused() != fyne.Focusable(field) ||
		field.PlaceHolder != "What is it for? The AI reads this." {
		t.Fatalf("%T has the keyboard", o.window.Canvas().Focused())
	}
	field.SetText("Letters and contracts")
	o.key(fyne.KeyReturn)
	if !strings.Contains(o.file(), `"description": "Letters and contracts"`) {
		t.Error(o.file())
	}

	first := open(t, from(`{"toolboxes": {}}`), normal)
	first.NewToolbox()
	if first.window.Canvas().Focused() != fyne.Focusable(first.tree.field) {
		t.Fatalf("before its name, %T has the keyboard", first.window.Canvas().Focused())
	}
	first.key(fyne.KeyReturn) // keeps the name
	if first.window.Canvas().Focused() != fyne.Focusable(first.page.head.description.Field) {
		t.Errorf("%T has the keyboard", first.window.Canvas().Focused())
	}
	first.key(fyne.KeyEscape)
	first.rename(model.Choice{Toolbox: "my-tools"}, "other")
	first.key(fyne.KeyReturn)
	if first.window.Canvas().Focused() == fyne.Focusable(first.page.head.description.Field) {
		t.Error("it is asked twice")
	}
}
