package toolboxes

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func ctrl(key fyne.KeyName) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: fyne.KeyModifierControl}
}

func TestTreeByKeyboard(t *testing.T) {
	o := open(t, lively(false), normal)
	canvas := o.window.Canvas()
	canvas.FocusNext()
	if canvas.Focused() != fyne.Focusable(o.search) {
		t.Errorf("the first stop is %T, want the search", canvas.Focused())
	}
	for range 3 { // the two buttons, and the tree
		canvas.FocusNext()
	}
	if canvas.Focused() != fyne.Focusable(o.tree) {
		t.Fatalf("the fourth stop is %T, want the tree", canvas.Focused())
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

// TestTreeFoldedAroundTheSelection checks that a folded toolbox looks selected if something in it is.
func TestTreeFoldedAroundTheSelection(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(model.Choice{Toolbox: "research", Server: "papers"})
	o.foldRow("research", true)
	o.isChoice("research", "papers") // its settings are open
	if row := o.tree.selectedRow(); !o.tree.look(row).selected ||
		o.view.at(o.rows[row]) != (model.Choice{Toolbox: "research"}) {
		t.Error("the folded toolbox is not marked")
	}
	o.key(fyne.KeyDown)
	o.isChoice("home", "")
}

func TestDeleteOffersUndo(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	o.asked()
	o.key(fyne.KeyDelete)
	o.isOrder("dev -filesystem research -search -papers -arxiv home -calendar -notes")
	o.isChoice("dev", "filesystem")
	if got := o.asked(); !strings.HasSuffix(got, "undoable: Deleted “memory”") ||
		!strings.Contains(got, "settings of /") {
		t.Error(got)
	}
	o.undo()
	o.isOrder(all)
	o.isChoice("dev", "memory") // undo selects it again
	o.menu(model.Choice{Toolbox: "research"}, "Delete")
	o.isOrder("dev -filesystem -memory home -calendar -notes")
	o.isChoice("home", "") // the next one
	if got := o.asked(); !strings.HasSuffix(got, "undoable: Deleted “research”") {
		t.Error(got)
	}
	o.refuse = errors.New("the file is read-only")
	o.key(fyne.KeyDelete)
	if got := o.asked(); strings.Contains(got, "undoable") {
		t.Error("undo is offered although nothing was deleted")
	}
	o.reads("The file is read-only")
}

func TestOrderByKeyboard(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(model.Choice{Toolbox: "research", Server: "search"})
	o.shortcut(ctrl(fyne.KeyDown))
	o.shortcut(ctrl(fyne.KeyDown))
	o.shortcut(ctrl(fyne.KeyDown)) // the end
	o.isOrder("dev -filesystem -memory research -papers -arxiv -search home -calendar -notes")
	o.shortcut(ctrl(fyne.KeyUp))
	o.isOrder("dev -filesystem -memory research -papers -search -arxiv home -calendar -notes")
	o.isChoice("research", "search")
	o.click(model.Choice{Toolbox: "home"})
	o.shortcut(ctrl(fyne.KeyUp))
	o.shortcut(ctrl(fyne.KeyUp))
	o.shortcut(ctrl(fyne.KeyUp))
	o.isOrder("home -calendar -notes dev -filesystem -memory research -papers -search -arxiv")
	o.isChoice("home", "")
}

// TestShortcutsOfTheWindow checks that the tree passes on shortcuts that it does not use.
func TestShortcutsOfTheWindow(t *testing.T) {
	o := open(t, lively(false), normal)
	for _, shortcut := range []fyne.Shortcut{ctrl(fyne.KeyF), ctrl(fyne.Key2), ctrl(fyne.KeyZ), &fyne.ShortcutUndo{},
		&desktop.CustomShortcut{KeyName: fyne.KeyLeft, Modifier: fyne.KeyModifierAlt}} {
		if o.tree.takes(shortcut) {
			t.Errorf("%s does not reach the window", shortcut.ShortcutName())
		}
	}
	o.isOrder(all)
}

func TestMenus(t *testing.T) {
	memory := model.Choice{Toolbox: "dev", Server: "memory"}
	for _, c := range []struct {
		choice model.Choice
		labels []string
		order  string
		asked  string
	}{
		{memory, []string{"Duplicate"},
			"dev -filesystem -memory -memory-2 research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Move to", "home"},
			"dev -filesystem research -search -papers -arxiv home -calendar -notes -memory", ""},
		{memory, []string{"Copy to", "home"},
			"dev -filesystem -memory research -search -papers -arxiv home -calendar -notes -memory", ""},
		{memory, []string{"Move up"}, "dev -memory -filesystem research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Delete"}, "dev -filesystem research -search -papers -arxiv home -calendar -notes", ""},
		{memory, []string{"Restart"}, all, "restart dev/memory"},
		{memory, []string{"Stop"}, all, "stop dev/memory"},
		{memory, []string{"Show log"}, all, "log dev/memory"},
		{model.Choice{Toolbox: "research", Server: "search"}, []string{"Change the command"}, all, "fix research/search"},
		{model.Choice{Toolbox: "research", Server: "arxiv"}, []string{"Start"}, all, "start research/arxiv"},
		{model.Choice{Toolbox: "home"}, []string{"Duplicate"}, all + " home-2 -calendar -notes", ""},
		{model.Choice{Toolbox: "home"}, []string{"Move up"},
			"dev -filesystem -memory home -calendar -notes research -search -papers -arxiv", ""},
		{model.Choice{Toolbox: "home"}, []string{"Delete"}, "dev -filesystem -memory research -search -papers -arxiv", ""},
		{model.Choice{Toolbox: "home"}, []string{"Add a server"}, all, "add to home"},
		{model.Choice{Toolbox: "home"}, []string{"Start all"}, all, "start home/calendar"},
	} {
		o := open(t, lively(true), normal)
		o.asked()
		o.menu(c.choice, c.labels...)
		o.isOrder(c.order)
		if got := o.asked(); c.asked != "" && got != c.asked {
			t.Errorf("%v of %+v calls %q, want %q", c.labels, c.choice, got, c.asked)
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

// TestMovesWhileOneIsSaved checks that a move by key which comes while another move is being saved starts from the
// result of that move.
func TestMovesWhileOneIsSaved(t *testing.T) {
	o := open(t, lively(false), normal)
	o.slow = true
	home := model.Choice{Toolbox: "home"}
	o.shift(home, -1)
	o.shift(home, -1)
	o.shift(home, 1)
	o.shift(home, -1)
	if len(o.late) != 1 {
		t.Fatalf("%d edits were requested at once", len(o.late))
	}
	o.late[0]()
	o.isOrder("home -calendar -notes dev -filesystem -memory research -search -papers -arxiv")
	o.shift(home, 100)
	o.isOrder("dev -filesystem -memory research -search -papers -arxiv home -calendar -notes")
	o.shift(home, 1)
	if n := len(o.texts); n != 3 {
		t.Errorf("%d edits, want three", n)
	}
}

// TestMovesOfSeveralWhileOneIsSaved checks that moves of different servers and toolboxes, made while another move is
// saved, are all made in their order.
func TestMovesOfSeveralWhileOneIsSaved(t *testing.T) {
	o := open(t, lively(false), normal)
	o.slow = true
	arxiv := model.Choice{Toolbox: "research", Server: "arxiv"}
	o.shift(arxiv, -1)
	o.shift(arxiv, -1)
	o.shift(model.Choice{Toolbox: "dev"}, -1) // dev is the first one already
	o.shift(model.Choice{Toolbox: "dev", Server: "memory"}, -1)
	o.late[0]()
	o.isOrder("dev -memory -filesystem research -arxiv -search -papers home -calendar -notes")
}

// TestNoKeysForWhatIsHidden checks that the focus leaves a control that a change of the file by another program has
// hidden.
func TestNoKeysForWhatIsHidden(t *testing.T) {
	o := open(t, lively(true), normal)
	canvas := o.window.Canvas()
	canvas.Focus(o.search)
	o.write(livelyText + "\n")
	if canvas.Focused() != fyne.Focusable(o.search) {
		t.Errorf("the focus has gone to %T although its field is still there", canvas.Focused())
	}
	o.write(`{"toolboxes": {}}`)
	if canvas.Focused() != nil {
		t.Errorf("a hidden %T has the focus", canvas.Focused())
	}
}
