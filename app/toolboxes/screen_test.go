package toolboxes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func ctrl(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierControl}
}

// order is the tree as it is: toolboxes by name, servers after a dash.
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
	if o.choice != (Choice{toolbox, server}) {
		o.t.Errorf("selected is %+v, want %s/%s", o.choice, toolbox, server)
	}
}

func TestScreenShowsToolboxesAndServers(t *testing.T) {
	for _, size := range []fyne.Size{normal, small} {
		o := open(t, lively(true), size)
		o.isOrder(all)
		o.reads("dev", "2 of 2 connected", "filesystem", "14 tools", "research", "1 needs attention", "Can't start", "Installing…", "home", "Switched off",
			"Development environment tools", "2 servers", "About 4,500 tokens open · 23 tools", "Connected since 09:00 by Claude Desktop.", "1 problem")
		o.click(Choice{Toolbox: "research"})
		o.reads("Find and read papers", "npx was not found", "Starts when an AI app opens this toolbox.", "Drop a server here")
		for _, label := range []string{"Fix…", "Log", "Stop", "Start", "Open all"} {
			if o.button(label) == nil {
				t.Errorf("there is no button %q", label)
			}
		}
	}
}

func TestButtonsOfCards(t *testing.T) {
	o := open(t, lively(true), normal)
	o.asked()
	o.tap("Restart")
	o.click(Choice{Toolbox: "research"})
	o.tap("Fix…")
	o.tap("Start")
	o.tap("Stop")
	o.tap("Open all")
	if got := o.asked(); got != "restart dev/filesystem; fix research/search; start research/arxiv; stop research/papers; open research" {
		t.Error(got)
	}
	o.click(Choice{Toolbox: "home"})
	o.tap("Switch on")
	if got := o.asked(); !strings.HasPrefix(got, "clear ") || strings.Contains(o.file(), "disabled") {
		t.Error(got, o.file())
	}
}

// A click on a card opens the settings of its server, and there is a way back.
func TestScreenOpensSettings(t *testing.T) {
	o := open(t, lively(false), normal)
	test.Tap(o.page.cards.Object(1).(*card))
	o.isChoice("dev", "memory")
	o.reads("the settings of a server")
	o.tree.body.focus()
	o.key(fyne.KeyDown) // research: a toolbox again
	o.lacks("the settings of a server")
	o.key(fyne.KeyDown) // search: on the way, not opened
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
	want := "settings of dev/memory; settings of /; settings of research/search; settings of research/papers; settings of /; " +
		"settings of research/papers; settings of /; settings of research/papers; settings of /"
	if got := o.asked(); got != want {
		t.Errorf("told %q", got)
	}
	if o.Back() {
		t.Error("there is still something to go back from")
	}
}

func TestTreeByKeyboard(t *testing.T) {
	o := open(t, lively(false), normal)
	canvas := o.window.Canvas()
	test.FocusNext(canvas)
	if canvas.Focused() != fyne.Focusable(o.search) {
		t.Errorf("first comes %T, want the search", canvas.Focused())
	}
	for range 3 { // the two buttons, and the tree
		test.FocusNext(canvas)
	}
	if canvas.Focused() != fyne.Focusable(o.tree.body) {
		t.Fatalf("fourth comes %T, want the tree", canvas.Focused())
	}
	o.key(fyne.KeyLeft)
	o.isOrder("dev research -search -papers -arxiv home -calendar -notes")
	o.key(fyne.KeyDown, fyne.KeyRight)
	o.isChoice("research", "search")
	o.key(fyne.KeyLeft)
	o.isChoice("research", "")
	o.key(fyne.KeyUp, fyne.KeyRight)
	o.isOrder(all)
	o.key(fyne.KeyEnd)
	o.isChoice("home", "notes")
	o.key(fyne.KeyDown)
	o.isChoice("home", "notes")
	o.key(fyne.KeyHome)
	o.isChoice("dev", "")
	o.key(fyne.KeyPageDown)
	o.isChoice("home", "notes")
	o.key(desktop.KeyMenu)
	if canvas.Overlays().Top() == nil {
		t.Error("the menu key opens no menu")
	}
}

// A folded toolbox stands for what is selected in it.
func TestTreeFoldedAroundTheSelection(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(Choice{"research", "papers"})
	o.foldRow("research", true)
	o.isChoice("research", "papers") // its settings are open
	if row := o.tree.body.selectedRow(); !o.tree.body.look(row).selected || o.view.at(o.rows[row]) != (Choice{Toolbox: "research"}) {
		t.Error("nothing is marked")
	}
	o.key(fyne.KeyDown)
	o.isChoice("home", "")
}

func TestRenameInPlace(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(Choice{"dev", "memory"})
	o.asked()
	o.key(fyne.KeyF2)
	field := o.tree.body.field
	if o.window.Canvas().Focused() != fyne.Focusable(field) || field.Text != "memory" || field.SelectedText() != "memory" {
		t.Fatalf("F2 gives %T with %q", o.window.Canvas().Focused(), field.Text)
	}
	test.Type(field, "filesystem")
	o.reads("This toolbox has a server of this name already")
	o.key(fyne.KeyReturn)
	if !field.Visible() || o.asked() != "" {
		t.Error("a name that is taken is taken")
	}
	field.SetText("notebook")
	o.lacks("This toolbox has a server of this name already")
	o.key(fyne.KeyReturn)
	o.isOrder("dev -filesystem -notebook research -search -papers -arxiv home -calendar -notes")
	o.isChoice("dev", "notebook")
	if got := o.asked(); !strings.Contains(got, "rename") || !strings.HasSuffix(got, "settings of dev/notebook") {
		t.Errorf("asked: %s", got)
	}
	if o.window.Canvas().Focused() != fyne.Focusable(o.tree.body) {
		t.Error("the tree has not got the focus back")
	}
	o.undo()
	o.isOrder(all)
	o.isChoice("dev", "memory")

	// Esc gives up; a click elsewhere saves.
	o.key(fyne.KeyF2)
	field.SetText("something")
	o.key(fyne.KeyEscape)
	o.isOrder(all)
	o.Back()
	o.menu(Choice{Toolbox: "home"}, "Rename")
	o.isChoice("home", "")
	field.SetText("house")
	o.window.Canvas().Unfocus()
	o.isOrder("dev -filesystem -memory research -search -papers -arxiv house -calendar -notes")
	o.isChoice("house", "")

	// What cannot be saved is said, and what was typed is still there.
	o.refuse = errors.New("somebody else has changed the same")
	o.tree.body.focus()
	o.key(fyne.KeyF2)
	field.SetText("other")
	o.key(fyne.KeyReturn)
	o.reads("Somebody else has changed the same")
	if !field.Visible() || field.Text != "other" {
		t.Errorf("the name that was typed is lost: %q", field.Text)
	}
	o.refuse = nil
	o.key(fyne.KeyReturn)
	o.isChoice("other", "")
	o.lacks("Somebody else has changed the same")
}

// A folded toolbox stays folded under its new name.
func TestRenameKeepsTheFold(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tree.body.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, 5)})
	o.isOrder("dev research -search -papers -arxiv home -calendar -notes")
	o.click(Choice{Toolbox: "dev"})
	o.key(fyne.KeyF2)
	o.tree.body.field.SetText("work")
	o.key(fyne.KeyReturn)
	o.isOrder("work research -search -papers -arxiv home -calendar -notes")
}

func TestNewToolbox(t *testing.T) {
	o := open(t, lively(false), small)
	o.tap("Toolbox")
	field := o.tree.body.field
	if !field.Visible() || o.window.Canvas().Focused() != fyne.Focusable(field) {
		t.Fatal("there is no field for its name")
	}
	o.key(fyne.KeyReturn) // nothing typed: nothing happens
	if field.Visible() {
		t.Error("the field stays although there is nothing to save")
	}
	o.tap("Toolbox")
	test.Type(field, "dev")
	o.reads("There is a toolbox of this name already")
	field.SetText("music")
	o.key(fyne.KeyReturn)
	o.isOrder(all + " music")
	o.isChoice("music", "")
	o.reads("This toolbox has no servers yet")
	o.undo()
	o.isOrder(all)
	o.menu(Choice{}, "New toolbox")
	if !field.Visible() {
		t.Error("the menu gives no field")
	}
}

func TestDeleteOffersUndo(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(Choice{"dev", "memory"})
	o.asked()
	o.key(fyne.KeyDelete)
	o.isOrder("dev -filesystem research -search -papers -arxiv home -calendar -notes")
	o.isChoice("dev", "filesystem")
	if got := o.asked(); !strings.HasSuffix(got, "undoable: Deleted “memory”") || !strings.Contains(got, "settings of /") {
		t.Error(got)
	}
	o.undo()
	o.isOrder(all)
	o.isChoice("dev", "memory") // what was selected is so again
	o.menu(Choice{Toolbox: "research"}, "Delete")
	o.isOrder("dev -filesystem -memory home -calendar -notes")
	o.isChoice("home", "") // the next one
	if got := o.asked(); !strings.HasSuffix(got, "undoable: Deleted the toolbox “research”") {
		t.Error(got)
	}
	o.refuse = errors.New("the file is read-only")
	o.key(fyne.KeyDelete)
	if got := o.asked(); strings.Contains(got, "undoable") {
		t.Error("what was not deleted can be undone")
	}
	o.reads("The file is read-only")
}

func TestOrderByKeyboard(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(Choice{"research", "search"})
	o.shortcut(ctrl(fyne.KeyDown))
	o.shortcut(ctrl(fyne.KeyDown))
	o.shortcut(ctrl(fyne.KeyDown)) // the end
	o.isOrder("dev -filesystem -memory research -papers -arxiv -search home -calendar -notes")
	o.shortcut(ctrl(fyne.KeyUp))
	o.isOrder("dev -filesystem -memory research -papers -search -arxiv home -calendar -notes")
	o.isChoice("research", "search")
	o.click(Choice{Toolbox: "home"})
	o.shortcut(ctrl(fyne.KeyUp))
	o.shortcut(ctrl(fyne.KeyUp))
	o.shortcut(ctrl(fyne.KeyUp))
	o.isOrder("home -calendar -notes dev -filesystem -memory research -papers -search -arxiv")
	o.isChoice("home", "")
}

// Shortcuts that the tree does not know are the window's.
func TestShortcutsOfTheWindow(t *testing.T) {
	o := open(t, lively(false), normal)
	for _, shortcut := range []fyne.Shortcut{ctrl(fyne.KeyF), ctrl(fyne.Key2), ctrl(fyne.KeyZ), &fyne.ShortcutUndo{},
		&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierAlt}} {
		if o.treeShortcut(shortcut) {
			t.Errorf("%s does not get there", shortcut.ShortcutName())
		}
	}
	o.isOrder(all)
}

func TestMenus(t *testing.T) {
	memory := Choice{"dev", "memory"}
	for _, c := range []struct {
		choice Choice
		labels []string
		order  string
		asked  string
	}{
		{memory, []string{"Duplicate"}, "dev -filesystem -memory -memory-copy research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Move to", "home"}, "dev -filesystem research -search -papers -arxiv home -calendar -notes -memory", ""},
		{memory, []string{"Copy to", "home"}, "dev -filesystem -memory research -search -papers -arxiv home -calendar -notes -memory", ""},
		{memory, []string{"Move up"}, "dev -memory -filesystem research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Delete"}, "dev -filesystem research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Restart"}, all, "restart dev/memory"},
		{memory, []string{"Stop"}, all, "stop dev/memory"},
		{memory, []string{"Show log"}, all, "log dev/memory"},
		{Choice{"research", "search"}, []string{"Fix…"}, all, "fix research/search"},
		{Choice{"research", "arxiv"}, []string{"Start"}, all, "start research/arxiv"},
		{Choice{Toolbox: "home"}, []string{"Duplicate"}, all + " home-copy -calendar -notes", ""},
		{Choice{Toolbox: "home"}, []string{"Move up"}, "dev -filesystem -memory home -calendar -notes research -search -papers -arxiv", ""},
		{Choice{Toolbox: "home"}, []string{"Delete"}, "dev -filesystem -memory research -search -papers -arxiv", ""},
		{Choice{Toolbox: "home"}, []string{"New server…"}, all, "add to home"},
		{Choice{Toolbox: "home"}, []string{"Open all"}, all, "open home"},
	} {
		o := open(t, lively(true), normal)
		o.asked()
		o.menu(c.choice, c.labels...)
		o.isOrder(c.order)
		if got := o.asked(); c.asked != "" && got != c.asked {
			t.Errorf("%v of %+v asks %q, want %q", c.labels, c.choice, got, c.asked)
		}
	}

	o := open(t, lively(true), normal)
	o.menu(memory, "Switch off")
	if server := o.view.Toolboxes[0].Servers[1]; server.State != theme.StateDisabled {
		t.Errorf("memory is %s", server.Word)
	}
	o.menu(memory, "Switch on")
	if server := o.view.Toolboxes[0].Servers[1]; server.State != theme.StateConnected {
		t.Errorf("memory is %s", server.Word)
	}
	o.menu(memory, "Open settings")
	o.reads("the settings of a server")
}

func TestDragInTheTree(t *testing.T) {
	for _, c := range []struct {
		from, to Choice
		part     float32
		want     string
	}{
		{Choice{"dev", "memory"}, Choice{"dev", "filesystem"}, 0.2, "dev -memory -filesystem research -search -papers -arxiv home -calendar -notes"},
		{Choice{"dev", "memory"}, Choice{"research", "papers"}, 0.8, "dev -filesystem research -search -papers -memory -arxiv home -calendar -notes"},
		{Choice{"research", "arxiv"}, Choice{"dev", ""}, 0.5, "dev -filesystem -memory -arxiv research -search -papers home -calendar -notes"},
		{Choice{"home", ""}, Choice{"dev", ""}, 0.2, "home -calendar -notes dev -filesystem -memory research -search -papers -arxiv"},
		{Choice{"dev", ""}, Choice{"home", "notes"}, 0.9, "research -search -papers -arxiv home -calendar -notes dev -filesystem -memory"},
		{Choice{"dev", "memory"}, Choice{"dev", "memory"}, 0.9, all},
	} {
		o := open(t, lively(false), normal)
		o.dragTo(c.from, c.to, c.part)
		if !o.tree.body.drag.on {
			t.Fatal("nothing is dragged")
		}
		o.tree.body.DragEnd()
		o.isOrder(c.want)
		if o.tree.body.drag.on || o.tree.body.line.Visible() {
			t.Error("the line stays")
		}
		if c.want != all && c.from.Server != "" && o.choice.Server != c.from.Server {
			t.Errorf("selected is %+v", o.choice)
		}
	}
}

func TestDragShowsWhere(t *testing.T) {
	o := open(t, lively(false), normal)
	body := o.tree.body
	o.dragTo(Choice{"dev", "memory"}, Choice{"research", "papers"}, 0.9)
	if !body.line.Visible() || body.line.Position().X < stateLeft || body.line.Position().Y < 6*step-6 || body.line.Position().Y > 6*step+6 {
		t.Errorf("the line is at %v, visible %v", body.line.Position(), body.line.Visible())
	}
	o.dragTo(Choice{"dev", "memory"}, Choice{"home", ""}, 0.5)
	if body.line.Visible() || !body.look(body.rowOf(Choice{"home", ""})).into {
		t.Error("the toolbox that takes it is not marked")
	}
	if !body.look(body.rowOf(Choice{"dev", "memory"})).faded {
		t.Error("what is dragged looks as ever")
	}

	// Esc leaves all as it is, also when the mouse moves on and lets go.
	o.key(fyne.KeyEscape)
	if body.drag.on || body.line.Visible() {
		t.Error("Esc does not end it")
	}
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, 10)}, Dragged: fyne.NewDelta(0, -50)})
	body.DragEnd()
	o.isOrder(all)
	o.drag(Choice{"dev", "memory"}, Choice{"home", ""}, 0.5)
	o.isOrder("dev -filesystem research -search -papers -arxiv home -calendar -notes -memory")
}

// A hand that trembles while it clicks drags nothing.
func TestDragNeedsSomeWay(t *testing.T) {
	o := open(t, lively(false), normal)
	body, at := o.tree.body, o.at(Choice{"research", "arxiv"}, 0.9)
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: at.AddXY(2, 3)}, Dragged: fyne.NewDelta(2, 3)})
	if body.drag.on {
		t.Error("something is dragged")
	}
	body.DragEnd()
	o.isOrder(all)
	o.isChoice("research", "arxiv")
	// From beside the rows nothing can be dragged.
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 900)}, Dragged: fyne.NewDelta(0, 30)})
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(9, 20)}, Dragged: fyne.NewDelta(0, -880)})
	body.DragEnd()
	o.isOrder(all)
}

func TestDragOntoTheSameName(t *testing.T) {
	o := open(t, from(`{"toolboxes": {"a": {"mcpServers": {"x": {"command": "1"}}}, "b": {"mcpServers": {"x": {"command": "2"}}}}}`), small)
	o.drag(Choice{"a", "x"}, Choice{"b", ""}, 0.5)
	o.isOrder("a -x b -x")
	o.reads("“b” has a server called “x” already")
	o.tap("Close")
	o.lacks("has a server called")
}

// While something is dragged near the edge the tree scrolls, and what lands there is what is under the pointer then.
func TestDragScrolls(t *testing.T) {
	o := open(t, many(), normal)
	body := o.tree.body
	o.dragTo(Choice{"toolbox-0", "server-0-1"}, Choice{"toolbox-0", "server-0-3"}, 0.5)
	edge := o.tree.scroll.Size().Height - 4
	body.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(50, edge)}})
	before := body.drag.landing
	for range 100 {
		body.scrollOn(0.02)
	}
	if o.tree.scroll.Offset.Y < 500 || body.drag.landing == before {
		t.Errorf("scrolled to %v, lands at %+v", o.tree.scroll.Offset.Y, body.drag.landing)
	}
	if count := body.rows.Count(); count > 40 {
		t.Errorf("%d rows have widgets", count)
	}
	if !body.ghost.root.Visible() || body.ghost.name.Text() != "server-0-1" {
		t.Error("the name of what is dragged is not at the pointer")
	}
	target := body.drag.landing.To
	body.DragEnd()
	if target.Toolbox == "toolbox-0" || o.choice != (Choice{target.Toolbox, "server-0-1"}) {
		t.Errorf("aimed at %+v, it is at %+v", target, o.choice)
	}
	at := o.tree.scroll.Offset.Y
	body.scrollOn(1)
	if body.drag.on || o.tree.scroll.Offset.Y != at {
		t.Error("it scrolls on")
	}
	// What has landed can be seen, in the tree and as a card.
	if row := body.rowOf(o.choice); body.rows.Object(row) == nil {
		t.Error("what has landed cannot be seen")
	}
	for i, server := range o.page.toolbox.Servers {
		if server.Name == "server-0-1" && o.choice.Server == "server-0-1" && o.page.cards.Object(i) == nil {
			t.Error("its card cannot be seen")
		}
	}
}

// The file changes under a drag: it goes on with what is there, or ends when that is gone.
func TestDragWhileTheFileChanges(t *testing.T) {
	o := open(t, lively(false), normal)
	o.dragTo(Choice{"dev", "memory"}, Choice{"home", ""}, 0.5)
	o.write(strings.Replace(livelyText, `"memory"`, `"notebook"`, 1))
	if what := o.tree.body.drag.what; !o.tree.body.drag.on || what != (Choice{"dev", "notebook"}) {
		t.Errorf("dragged is %+v", what)
	}
	o.write(`{"toolboxes": {"home": {"mcpServers": {}}}}`)
	if o.tree.body.drag.on {
		t.Error("what is gone is still dragged")
	}
	o.tree.body.DragEnd()
	o.isOrder("home")
}

func TestSearch(t *testing.T) {
	o := open(t, lively(false), normal)
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "search_nodes")
	o.isOrder("dev -memory")
	o.reads("search_nodes") // why it is found
	o.key(fyne.KeyReturn)
	o.isChoice("dev", "memory")
	o.key(fyne.KeyEscape)
	o.isOrder(all)
	o.isChoice("dev", "memory")
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "find and read")
	o.key(fyne.KeyReturn)
	o.isChoice("research", "") // the toolbox itself is what was looked for
	o.key(fyne.KeyEscape)
	o.FocusSearch(o.window.Canvas())
	test.Type(o.search, "quantum")
	o.reads("Nothing matches")
	o.tap("Clear the search")
	o.isOrder(all)
	o.search.SetText("old")
	o.Select(Choice{"research", "papers"}) // a click in the tray
	if o.search.Text != "" || o.page.toolbox.Name != "research" || o.page.marked != "papers" {
		t.Errorf("search %q, shown %q, marked %q", o.search.Text, o.page.toolbox.Name, o.page.marked)
	}
}

func TestPageInPlace(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tap("Rename")
	field := o.page.head.name.field
	if o.window.Canvas().Focused() != fyne.Focusable(field) || field.Text != "dev" {
		t.Fatalf("there is no field, or it says %q", field.Text)
	}
	field.SetText("home")
	o.reads("There is a toolbox of this name already")
	o.key(fyne.KeyReturn)
	if !field.Visible() {
		t.Error("a name that is taken is taken")
	}
	field.SetText("work")
	o.key(fyne.KeyReturn)
	o.isChoice("work", "")
	o.reads("work")
	o.tap("Change the description")
	field = o.page.head.description.field
	field.SetText("What I work with")
	o.key(fyne.KeyEscape)
	if strings.Contains(o.file(), "What I work with") {
		t.Error("Esc saves")
	}
	o.tap("Change the description")
	field.SetText("What I work with")
	o.key(fyne.KeyReturn)
	if !strings.Contains(o.file(), `"description": "What I work with"`) {
		t.Error(o.file())
	}
	o.tap("Change the description")
	field.SetText("")
	o.key(fyne.KeyReturn)
	if strings.Contains(o.file(), "What I work with") {
		t.Error(o.file())
	}
	o.reads("No description")
}

// What somebody is typing, and where the focus is, survive a save by another editor.
func TestTypingSurvivesAChange(t *testing.T) {
	other := strings.Replace(livelyText, `"home": {`, `"new": {"mcpServers": {}}, "home": {`, 1)
	renamed := strings.Replace(strings.Replace(other, `"memory"`, `"notebook"`, 1), `"dev"`, `"work"`, 1)

	o := open(t, lively(false), normal)
	o.click(Choice{"dev", "memory"})
	o.key(fyne.KeyF2)
	field := o.tree.body.field
	field.SetText("half")
	for _, text := range []string{other, renamed} {
		o.write(text)
		if !field.Visible() || field.Text != "half" || o.window.Canvas().Focused() != fyne.Focusable(field) {
			t.Fatalf("what was typed is lost: %q", field.Text)
		}
	}
	field.SetText("half a name")
	o.key(fyne.KeyReturn)
	o.isChoice("work", "half a name")
	o.key(fyne.KeyF2)
	o.write(`{"toolboxes": {"work": {"mcpServers": {}}}}`)
	if field.Visible() {
		t.Error("the name of what is gone can be changed")
	}

	o = open(t, lively(false), normal)
	o.tap("Change the description")
	field = o.page.head.description.field
	field.SetText("half")
	for _, text := range []string{other, renamed} {
		o.write(text)
		if !field.Visible() || field.Text != "half" || o.window.Canvas().Focused() != fyne.Focusable(field) {
			t.Fatalf("what was typed is lost: %q", field.Text)
		}
	}
	o.key(fyne.KeyReturn)
	if o.view.Toolboxes[0].Name != "work" || o.view.Toolboxes[0].Description != "half" {
		t.Errorf("%+v", o.view.Toolboxes[0])
	}

	// A button of a card keeps the focus when its card moves.
	o = open(t, lively(true), normal)
	o.click(Choice{Toolbox: "research"})
	start := o.button("Start")
	o.window.Canvas().Focus(start)
	o.write(strings.Replace(livelyText, `"search": {`, `"first": {"command": "x"}, "search": {`, 1))
	o.asked()
	o.key(fyne.KeySpace)
	if got := o.asked(); got != "start research/arxiv" {
		t.Errorf("the button does %q now", got)
	}

	// The search stays too.
	o.search.SetText("papers")
	o.write(other)
	if o.search.Text != "papers" {
		t.Error("the search is lost")
	}
	o.isOrder("research -search -papers -arxiv") // by its description
}

// Once a second the same view comes again while something counts down. Nothing is made anew.
func TestApplyingTheSameChangesNothing(t *testing.T) {
	o := open(t, lively(true), normal)
	o.click(Choice{Toolbox: "research"})
	before := o.page.cards.Object(0)
	fix := o.button("Fix…")
	o.window.Canvas().Focus(fix)
	for range 3 {
		o.Apply(Look(lively(true)))
	}
	if o.page.cards.Object(0) != before || o.window.Canvas().Focused() != fyne.Focusable(fix) {
		t.Error("the cards are others now")
	}
}

// The buttons of problems keep the focus too.
func TestApplyingTheSameProblemsChangesNothing(t *testing.T) {
	o := open(t, lively(true), normal)
	o.tap("Show or hide all problems")
	show := o.button("Show")
	o.window.Canvas().Focus(show)
	o.Apply(Look(lively(true)))
	if o.window.Canvas().Focused() != fyne.Focusable(show) || o.button("Show") != show {
		t.Error("the buttons are others now")
	}
}

// What is being typed about a toolbox ends when another one is shown.
func TestTypingEndsWithItsToolbox(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tap("Change the description")
	field := o.page.head.description.field
	field.SetText("about dev")
	o.pick(Choice{Toolbox: "home"}, byClick)
	if field.Visible() || strings.Contains(o.file(), "about dev") {
		t.Error("the description of dev is still being typed, over home")
	}
	o.tap("Change the description")
	field.SetText("about home")
	o.write(`{"toolboxes": {"dev": {"mcpServers": {}}}}`)
	if field.Visible() {
		t.Error("the description of what is gone is still being typed")
	}
}

// The card of what is selected comes into sight, in a toolbox of any length.
func TestCardsComeIntoSight(t *testing.T) {
	var servers []string
	for i := range 60 {
		servers = append(servers, fmt.Sprintf(`"server-%d": {"command": "x"}`, i))
	}
	o := open(t, from(`{"toolboxes": {"dev": {"mcpServers": {`+strings.Join(servers, ", ")+`}}}}`), normal)
	o.tree.body.focus()
	o.key(fyne.KeyEnd)
	card, ok := o.page.cards.Object(59).(*card)
	if !ok || !card.look.marked {
		t.Fatal("the card of the last server cannot be seen")
	}
	o.key(fyne.KeyHome)
	o.menu(Choice{"dev", "server-50"}, "Duplicate")
	o.isChoice("dev", "server-50-copy")
	top, bottom := o.page.cards.Place(51)
	if at := o.page.scroll.Offset.Y; at > top || at+o.page.scroll.Size().Height < bottom {
		t.Errorf("the copy is at %v, seen is what is at %v", top, at)
	}
	if o.tree.body.rows.Object(52) == nil {
		t.Error("the tree does not show the copy")
	}
	// With the Tab key one comes to every card.
	o.page.scroll.ScrollToTop()
	o.page.see()
	reached := map[string]bool{}
	canvas := o.window.Canvas()
	for range 400 {
		test.FocusNext(canvas)
		if focused, ok := canvas.Focused().(interface{ AccessibilityLabel() string }); ok {
			reached[focused.AccessibilityLabel()] = true
		}
	}
	for i := range 60 {
		if name := fmt.Sprintf("server-%d, Not started", i); !reached[name] {
			t.Fatalf("the Tab key does not come to %q", name)
		}
	}
}

func TestPasteAndDrop(t *testing.T) {
	o := open(t, lively(false), normal)
	fyne.CurrentApp().Clipboard().SetContent("npx -y server-git")
	o.click(Choice{Toolbox: "home"})
	o.asked()
	test.Tap(o.page.zone)
	o.window.Canvas().Focus(o.page.zone)
	o.shortcut(&fyne.ShortcutPaste{})
	if got := o.asked(); got != `paste "npx -y server-git" to home; paste "npx -y server-git" to home` {
		t.Error(got)
	}
	uris := []fyne.URI{storage.NewFileURI("/tmp/server.mcpb")}
	driver := fyne.CurrentApp().Driver()
	row := driver.AbsolutePositionForObject(o.tree.body).Add(o.at(Choice{"research", "papers"}, 0.5))
	if !o.Dropped(row, uris) || !o.Dropped(fyne.NewPos(700, 300), uris) || !o.Dropped(fyne.NewPos(100, 640), uris) {
		t.Error("what is dropped on the screen is not taken")
	}
	if got := o.asked(); got != "drop server.mcpb to research; drop server.mcpb to home; drop server.mcpb to " {
		t.Error(got)
	}
	if o.Dropped(fyne.NewPos(5000, 10), uris) {
		t.Error("what is dropped elsewhere is taken")
	}
}

func TestProblems(t *testing.T) {
	source := lively(true)
	source.Now = parse(strings.Replace(livelyText, `"notes-mcp"`, `"notes-mcp", "comand": "x"`, 1))
	source.Good = source.Now
	o := open(t, source, fyne.NewSize(1400, 800))
	o.reads("2 problems", `home › notes › comand: Unknown key "comand"`)
	o.lacks("npx was not found")
	folded := o.strip.Size().Height
	o.tap("Show or hide all problems")
	o.reads("research › search", "npx was not found")
	if o.strip.Size().Height <= folded+40 || o.strip.Position().Y+o.strip.Size().Height > o.trail.Size().Height {
		t.Errorf("unfolded they have %v, at %v of %v", o.strip.Size(), o.strip.Position(), o.trail.Size())
	}
	o.asked()
	o.tap("Show")
	if got := o.asked(); got != "show line 11" {
		t.Error(got)
	}
	// Of a server that does not run, Show goes to it and Fix… helps with it.
	var shows []*kit.Button
	for _, object := range seen(o.strip.list) {
		if button, ok := object.(*kit.Button); ok && (button.Text == "Show" || button.Text == "Fix…") {
			shows = append(shows, button)
		}
	}
	for _, button := range shows[1:] {
		test.Tap(button)
	}
	if got := o.asked(); got != "fix research/search; settings of research/search" {
		t.Error(got)
	}
}

// The settings of a server get the room of the problems, unless somebody looks at these.
func TestProblemsGiveWayToSettings(t *testing.T) {
	o := open(t, lively(true), small)
	o.Select(Choice{"dev", "memory"})
	o.lacks("1 problem")
	o.ShowProblems()
	o.reads("1 problem", "npx was not found", "the settings of a server")
	o.tap("Show or hide all problems") // which folds them again
	o.lacks("1 problem")
	o.Back()
	o.reads("1 problem")
	o.write(`{"toolboxes": {`)
	o.Select(Choice{"dev", "memory"})
	o.reads("Shown is the last version that could be used")
}

// Without room for it no text is cut: there is less of it.
func TestProblemsInLittleRoom(t *testing.T) {
	broken := lively(true)
	broken.Now = parse(strings.Replace(livelyText, `"disabled": true`, `"disabled" true,,`, 1))
	for _, source := range []Source{lively(true), broken} {
		for width := float32(640); width < 1500; width += 60 {
			o := open(t, source, fyne.NewSize(width, 524))
			for _, object := range seen(o.strip) {
				text, ok := object.(*kit.Text)
				if ok && text.Size().Width+1 < text.Full().Width && text.Size().Width > 0 {
					t.Errorf("at %v pixels %q is cut", width, text.Text())
				}
			}
			if got := strings.Join(o.visible(), "\n"); !strings.Contains(got, "problem") && !strings.Contains(got, "The file cannot be used") {
				t.Errorf("at %v pixels nothing is said", width)
			}
		}
	}
}

func TestBrokenFile(t *testing.T) {
	for _, size := range []fyne.Size{normal, small} {
		broken := strings.Replace(livelyText, `"disabled": true`, `"disabled" true,,`, 1)
		o := open(t, from(broken), size)
		o.reads("The configuration cannot be used", "home › notes › disabled · Line 11", "It is left as it is", path)
		o.asked()
		o.tap("Add the colon")
		o.tap("Repair everything")
		o.tap("Open the file")
		o.tap("Open its folder")
		o.tap("Show")
		if got := o.asked(); got != "apply: Add the colon; repair everything; open the file; open the folder; show line 11" {
			t.Error(got)
		}
		o.NewToolbox() // must not write into it
		if got := o.asked(); got != "" {
			t.Error(got)
		}

		o.write(livelyText)
		o.isOrder(all)
		o.write(broken) // now there is a last good version
		o.isOrder(all)
		o.reads("Shown is the last version that could be used")
		o.asked()
		o.tap("Repair everything")
		o.tap("Add the colon")
		if got := o.asked(); got != "repair everything; apply: Add the colon" {
			t.Error(got)
		}
		o.write(livelyText)
		o.lacks("The file cannot be used")
		if o.strip.unfolded {
			t.Error("the problems stay unfolded though nobody unfolded them")
		}
	}
}

func TestEmpty(t *testing.T) {
	o := open(t, from(`{"toolboxes": {}}`), small)
	o.reads("No toolboxes yet", "Add from the catalogue", "Paste", "Bring in from another app")
	if o.split.Visible() {
		t.Error("the tree is there too")
	}
	canvas := o.window.Canvas()
	fyne.CurrentApp().Clipboard().SetContent("x")
	o.asked()
	for range 4 {
		test.FocusNext(canvas)
		if choice, ok := canvas.Focused().(*bigChoice); !ok {
			t.Fatalf("Tab goes to %T", canvas.Focused())
		} else if choice.title != "Start with an empty toolbox" {
			o.key(fyne.KeyReturn)
		}
	}
	if got := o.asked(); got != `add to ; paste "x" to ; import` {
		t.Error(got)
	}
	o.key(fyne.KeyReturn) // the empty toolbox, and its name at once
	o.isOrder("my-tools")
	if field := o.tree.body.field; canvas.Focused() != fyne.Focusable(field) || field.Text != "my-tools" {
		t.Errorf("the focus is on %T", canvas.Focused())
	}
	o.window.Canvas().Unfocus()
	o.undo()
	o.reads("No toolboxes yet")
}

// The buttons of what cannot be done are not there.
func TestWithoutActions(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.Theme{})
	for _, source := range []Source{lively(true), from("{"), from("")} {
		screen := New(Actions{})
		window := test.NewTempWindow(t, screen.Object())
		window.Resize(normal)
		screen.Apply(Look(source))
		for _, object := range seen(window.Content()) {
			if button, ok := object.(*kit.Button); ok && button.Visible() {
				test.Tap(button)
				for top := window.Canvas().Overlays().Top(); top != nil; top = window.Canvas().Overlays().Top() {
					window.Canvas().Overlays().Remove(top)
				}
			}
		}
	}
}

// Names may be anything and of any length: nothing leaves its place, and nothing is wider than its window.
func TestOddNames(t *testing.T) {
	long := strings.Repeat("long ", 2000)
	view := View{Path: strings.Repeat("/folder", 100), Toolboxes: []Toolbox{
		{Name: long, Description: long, Note: long, Servers: []Server{
			{Name: long + "\u202e\nx", line: long, Word: "Not started", Note: long, Detail: long}, {Name: "\x00", Word: "Not started"}}},
		{Name: "\u202eexe.txt\n\n", Servers: []Server{{Name: strings.Repeat("x", 10000), Detail: strings.Repeat("y", 10000)}}},
		{Name: "\xff", Description: "\u2066"}},
		Problems: []Problem{{Where: long, Place: long, Message: long, Hint: strings.Repeat("x", 2000), Fix: long, State: theme.StateNotice}}}
	o := open(t, from("{}"), small)
	fits := func() {
		t.Helper()
		if got := o.window.Canvas().Size(); got.Width > small.Width || got.Height > small.Height {
			t.Errorf("the window has grown to %v", got)
		}
		if least := o.Object().MinSize(); least.Width > small.Width || least.Height > small.Height {
			t.Errorf("the screen wants %v", least)
		}
	}
	o.Apply(view)
	fits()
	for _, toolbox := range view.Toolboxes {
		o.click(Choice{Toolbox: toolbox.Name})
		o.strip.setUnfolded(!o.strip.unfolded)
		fits()
		for _, server := range toolbox.Servers {
			choice := Choice{toolbox.Name, server.Name}
			o.click(choice)
			fits()
			o.menuFor(choice)
			o.key(fyne.KeyF2)
			fits()
			o.key(fyne.KeyEscape)
			o.dragTo(choice, Choice{Toolbox: view.Toolboxes[0].Name}, 0.5)
			o.tree.body.cancelDrag()
			o.tree.body.DragEnd()
		}
	}
	for _, text := range o.visible() {
		if strings.ContainsAny(text, "\u202e\n\x00") {
			t.Errorf("the screen shows %q", text)
		}
	}
	for _, broken := range []View{{Path: view.Path, Problems: view.Problems, Broken: true}, {Path: view.Path}} {
		o.Apply(broken)
		fits()
	}
}

// many is a configuration of 100 toolboxes with 10 servers each.
func many() Source {
	var b strings.Builder
	b.WriteString(`{"toolboxes": {`)
	for i := range 100 {
		fmt.Fprintf(&b, `%s"toolbox-%d": {"mcpServers": {`, map[bool]string{true: ", "}[i > 0], i)
		for j := range 10 {
			fmt.Fprintf(&b, `%s"server-%d-%d": {"command": "program", "args": ["--number", "%d"]}`, map[bool]string{true: ", "}[j > 0], i, j, i)
		}
		b.WriteString("}}")
	}
	b.WriteString("}}")
	return from(b.String())
}

// What cannot be seen has no widgets, so a long list costs no more than a short one.
func TestWidgetsOnlyForWhatIsSeen(t *testing.T) {
	o := open(t, many(), normal)
	if len(o.rows) != 1100 {
		t.Fatalf("the tree has %d rows", len(o.rows))
	}
	count := func() (rows, cards int) {
		for _, object := range seen(o.window.Content()) {
			switch object.(type) {
			case *treeRow:
				rows++
			case *card:
				cards++
			}
		}
		return rows, cards
	}
	for _, at := range []float32{0, 333, 20000, 1e9, 5} {
		o.tree.body.scrollTo(at)
		if rows, cards := count(); rows < 15 || rows > 24 || cards < 5 || cards > 12 {
			t.Errorf("at %v, %d rows and %d cards have widgets", at, rows, cards)
		}
	}
	o.Select(Choice{"toolbox-99", "server-99-9"})
	if row := o.tree.body.rows.Object(1099); row == nil {
		t.Error("what is selected cannot be seen")
	}
}

func BenchmarkLook(b *testing.B) {
	source := many()
	for b.Loop() {
		Look(source)
	}
}

func BenchmarkRows(b *testing.B) {
	view := Look(many())
	for b.Loop() {
		view.Rows("server-7", nil)
	}
}

func BenchmarkApply(b *testing.B) {
	test.NewApp().Settings().SetTheme(theme.Theme{})
	screen := New(Actions{})
	window := test.NewWindow(screen.Object())
	defer window.Close()
	window.Resize(normal)
	view := Look(many())
	for b.Loop() {
		screen.Apply(view)
	}
}
