package toolboxes

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// order returns the tree as text: the names of toolboxes, and the names of servers after a dash.
func (o *opened) order() string { return names(o.view, o.rows) }

const all = "dev -filesystem -memory research -search -papers -arxiv home -calendar -notes"

func (o *opened) isOrder(want string) {
	o.t.Helper()
	if got := o.order(); got != want {
		o.t.Errorf("the tree is %q,\nwant %q", got, want)
	}
}

func (o *opened) isChoice(toolbox, server string) {
	o.t.Helper()
	if o.kept.Selected != (model.Choice{Toolbox: toolbox, Server: server}) {
		o.t.Errorf("selected is %+v, want %s/%s", o.kept.Selected, toolbox, server)
	}
}

func TestScreenShowsToolboxesAndServers(t *testing.T) {
	for _, size := range []fyne.Size{normal, small} {
		o := open(t, lively(true), size)
		o.isOrder(all)
		o.reads("dev", "filesystem", "14 tools", "research", "1 needs something", "Can't start",
			"Installing…", "home", "Switched off",
			"Development environment tools", "AI apps can use 2 of 2 servers.", "Light for the AI",
			"Used by Claude Desktop.", "research › search")
		o.click(model.Choice{Toolbox: "research"})
		o.reads("Find and read papers", "npx was not found", "Starts when an AI app uses it.",
			"Drop a server here")
		for _, label := range []string{"Change the command", "Stop", "Start", "Share…"} {
			if o.button(label) == nil {
				t.Errorf("there is no button %q", label)
			}
		}
	}
}

// TestWideScreen checks that texts and buttons stay together on a very wide screen.
func TestWideScreen(t *testing.T) {
	o := open(t, lively(true), fyne.NewSize(3840, 2100))
	for what, object := range map[string]fyne.CanvasObject{"the head": o.page.head.root, "a card": o.page.cards.Object(0),
		"the place to drop": o.page.zone, "the problems": o.strip} {
		if width := object.Size().Width; width != kit.WidthPage {
			t.Errorf("%s is %v pixels wide", what, width)
		}
	}
	if o.page.root.Size().Width < 3000 {
		t.Error("the mouse wheel does nothing beside the cards")
	}
}

func TestButtonsOfCards(t *testing.T) {
	o := open(t, lively(true), normal)
	o.asked()
	for _, label := range []string{"Restart", "Stop", "Log"} { // what works is let alone
		if o.button(label) != nil {
			t.Errorf("there is a button %q", label)
		}
	}
	o.menu(model.Choice{Toolbox: "dev", Server: "filesystem"}, "Restart")
	o.click(model.Choice{Toolbox: "research"})
	o.tap("Change the command")
	o.tap("Start")
	o.tap("Stop")
	o.menu(model.Choice{Toolbox: "research"}, "Start all")
	o.menu(model.Choice{Toolbox: "research"}, "Stop all")
	if got := o.asked(); got != "restart dev/filesystem; fix research/search; start research/arxiv; stop "+
		"research/papers; start research/arxiv; stop all [{research papers}]" {
		t.Error(got)
	}
	o.click(model.Choice{Toolbox: "home"})
	o.tap("Switch on")
	if got := o.asked(); !strings.HasPrefix(got, "clear ") || strings.Contains(o.file(), "disabled") {
		t.Error(got, o.file())
	}
}

// TestScreenOpensSettings checks that a click on a card opens the settings of its server, and that there is a way
// back.
func TestScreenOpensSettings(t *testing.T) {
	o := open(t, lively(false), normal)
	test.Tap(o.page.cards.Object(1).(*card))
	o.isChoice("dev", "memory")
	o.reads("the settings of a server")
	o.tree.focus()
	o.key(fyne.KeyDown) // research: a toolbox is shown again
	o.lacks("the settings of a server")
	o.key(fyne.KeyDown) // search: selected, but not opened
	o.lacks("the settings of a server")
	o.reads("Find and read papers")
	o.key(fyne.KeyReturn)
	o.reads("the settings of a server")
	o.key(fyne.KeyDown) // papers
	o.reads("the settings of a server")
	o.key(fyne.KeyEscape)
	o.lacks("the settings of a server")
	o.isChoice("research", "papers")
	o.key(fyne.KeyReturn)
	o.shortcut(&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierAlt})
	o.lacks("the settings of a server")
	o.key(fyne.KeyReturn)
	o.tap("research")
	o.lacks("the settings of a server")
	want := "settings of dev/memory; settings of /; settings of research/search; settings of research/papers; " +
		"settings of /; " +
		"settings of research/papers; settings of /; settings of research/papers; settings of /"
	if got := o.asked(); got != want {
		t.Errorf("the reports are %q", got)
	}
	if o.Back() {
		t.Error("Back still does something")
	}
}

func TestSearch(t *testing.T) {
	o := open(t, lively(false), normal)
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "search_nodes")
	o.isOrder("dev -memory")
	o.reads("search_nodes") // the tool by which the server was found
	o.key(fyne.KeyReturn)
	o.isChoice("dev", "memory")
	o.key(fyne.KeyEscape)
	o.isOrder(all)
	o.isChoice("dev", "memory")
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "find and read")
	o.key(fyne.KeyReturn)
	o.isChoice("research", "") // the search has found the toolbox itself
	o.key(fyne.KeyEscape)
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "quantum")
	o.reads("Nothing matches")
	o.tap("Show all")
	o.isOrder(all)
	o.search.SetText("old")
	o.Select(model.Choice{Toolbox: "research", Server: "papers"}) // as a click in the tray does
	if o.search.Text != "" || o.page.toolbox.Name != "research" || o.page.marked != "papers" {
		t.Errorf("search %q, shown %q, marked %q", o.search.Text, o.page.toolbox.Name, o.page.marked)
	}
}

// TestCardsComeIntoSight checks that the card of the selected server becomes visible in a toolbox of any length.
func TestCardsComeIntoSight(t *testing.T) {
	var servers []string
	for i := range 60 {
		servers = append(servers, fmt.Sprintf(`"server-%d": {"command": "x"}`, i))
	}
	o := open(t, from(`{"toolboxes": {"dev": {"mcpServers": {`+strings.Join(servers, ", ")+`}}}}`), normal)
	o.tree.focus()
	o.key(fyne.KeyEnd)
	card, ok := o.page.cards.Object(59).(*card)
	if !ok || !card.look.marked {
		t.Fatal("the card of the last server is not visible")
	}
	o.key(fyne.KeyHome)
	o.menu(model.Choice{Toolbox: "dev", Server: "server-50"}, "Duplicate")
	o.isChoice("dev", "server-50-2")
	top, bottom := o.page.cards.Place(51)
	top, bottom = top+o.page.cards.Position().Y, bottom+o.page.cards.Position().Y
	if at := o.page.root.Offset.Y; at > top || at+o.page.root.Size().Height < bottom {
		t.Errorf("the copy is at %v, the view begins at %v", top, at)
	}
	if o.tree.rows.Object(52) == nil {
		t.Error("the tree does not show the copy")
	}
	// The Tab key reaches every card.
	o.page.root.ScrollToTop()
	o.page.see()
	reached := map[string]bool{}
	canvas := o.window.Canvas()
	for range 400 {
		canvas.FocusNext()
		if focused, ok := canvas.Focused().(interface{ AccessibilityLabel() string }); ok {
			reached[focused.AccessibilityLabel()] = true
		}
	}
	for i := range 60 {
		if name := fmt.Sprintf("server-%d, Not started", i); !reached[name] {
			t.Fatalf("the Tab key does not reach %q", name)
		}
	}
}

func TestPasteAndDrop(t *testing.T) {
	o := open(t, lively(false), normal)
	fyne.CurrentApp().Clipboard().SetContent("npx -y server-git")
	o.click(model.Choice{Toolbox: "home"})
	o.asked()
	test.Tap(o.page.zone)
	o.window.Canvas().Focus(o.page.zone)
	o.shortcut(&fyne.ShortcutPaste{})
	if got := o.asked(); got != `paste "npx -y server-git" to home; paste "npx -y server-git" to home` {
		t.Error(got)
	}
	uris := []fyne.URI{storage.NewFileURI("/tmp/server.mcpb")}
	driver := fyne.CurrentApp().Driver()
	row := driver.AbsolutePositionForObject(o.tree).Add(o.at(model.Choice{Toolbox: "research", Server: "papers"}, 0.5))
	if !o.Dropped(row, uris) || !o.Dropped(fyne.NewPos(700, 300), uris) || !o.Dropped(fyne.NewPos(100, 640), uris) {
		t.Error("the screen does not take a file that is dropped on it")
	}
	if got := o.asked(); got != "drop server.mcpb to research; drop server.mcpb to home; drop server.mcpb to " {
		t.Error(got)
	}
	if o.Dropped(fyne.NewPos(5000, 10), uris) {
		t.Error("the screen takes a file that is dropped elsewhere")
	}
}

// TestOddNames checks that names of any length and content stay in their place, and do not make the screen wider than
// its window.
func TestOddNames(t *testing.T) {
	long := strings.Repeat("long ", 2000)
	well, doubt, entry := &model.Finding{}, &model.Problem{Weight: model.Doubt}, &config.Server{}
	view := View{Findings: &model.Findings{Problems: []*model.Problem{doubt}},
		Path: strings.Repeat("/folder", 100), Toolboxes: []Toolbox{
			{Name: long, Description: long, Note: long, Servers: []Server{
				{Finding: well, entry: entry, Name: long + "\u202e\nx", line: long, Word: "Not started", Note: long,
					Detail: long},
				{Finding: well, entry: entry, Name: "\x00", Word: "Not started"}}},
			{Name: "\u202eexe.txt\n\n", Servers: []Server{
				{Finding: well, entry: entry, Name: strings.Repeat("x", 10000), Detail: strings.Repeat("y", 10000)}}},
			{Name: "\xff", Description: "\u2066"}},
		Problems: []Problem{{Problem: doubt, Where: long, Place: long, Message: long, Hint: strings.Repeat("x", 2000),
			Fix: long, State: theme.StateNotice}}}
	o := open(t, from("{}"), small)
	fits := func() {
		t.Helper()
		if got := o.window.Canvas().Size(); got.Width > small.Width || got.Height > small.Height {
			t.Errorf("the window has grown to %v", got)
		}
		if least := o.Object().MinSize(); least.Width > small.Width || least.Height > small.Height {
			t.Errorf("the screen needs %v", least)
		}
	}
	o.Apply(view)
	fits()
	for _, toolbox := range view.Toolboxes {
		o.click(model.Choice{Toolbox: toolbox.Name})
		o.strip.setUnfolded(!o.strip.unfolded)
		fits()
		for _, server := range toolbox.Servers {
			choice := model.Choice{Toolbox: toolbox.Name, Server: server.Name}
			o.click(choice)
			fits()
			o.menuFor(choice)
			o.key(fyne.KeyF2)
			fits()
			o.key(fyne.KeyEscape)
			o.dragTo(choice, model.Choice{Toolbox: view.Toolboxes[0].Name}, 0.5)
			o.tree.cancelDrag()
			o.tree.DragEnd()
		}
	}
	for _, text := range o.visible() {
		if strings.ContainsAny(text, "\u202e\n\x00") {
			t.Errorf("the screen shows %q", text)
		}
	}
	for _, broken := range []View{
		{Findings: &model.Findings{Problems: view.Findings.Problems, Broken: true}, Path: view.Path, Problems: view.Problems},
		{Findings: &model.Findings{}, Path: view.Path}} {
		o.Apply(broken)
		fits()
	}
}

// What was typed for a server is saved when the user goes elsewhere, and never because another program has changed
// what is shown.
func TestOnlyTheUserLeaves(t *testing.T) {
	const source = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}}}}}`
	o := open(t, &model.Snapshot{File: model.File{Now: config.Parse(path, []byte(source))}, Live: &model.Live{}}, normal)
	at := func(server string) model.Choice { return model.Choice{Toolbox: "dev", Server: server} }
	for name, write := range map[string]string{
		"removed": `{"toolboxes": {"dev": {"mcpServers": {"b": {"command": "x"}}}}}`,
		"renamed": strings.Replace(source, `"a"`, `"c"`, 1), "empty": `{}`, "broken": `{`,
	} {
		o.Select(at("a"))
		o.write(write)
		o.write(source)
		if o.left != 0 {
			t.Errorf("%s: the server is left %d times", name, o.left)
		}
	}
	for want, do := range []func(){func() {
		o.Select(at("a"))
	}, func() { o.Select(at("b")) }, func() { o.Back() }, func() { o.Back() }} {
		do()
		if want = min(want, 2); o.left != want {
			t.Errorf("the server is left %d times, want %d", o.left, want)
		}
	}
}
