package toolboxes

import (
	"errors"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/model"
)

func TestRenameInPlace(t *testing.T) {
	o := open(t, lively(false), normal)
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	o.asked()
	o.key(fyne.KeyF2)
	field := o.tree.field
	if o.window.Canvas().Focused() != fyne.Focusable(field) || field.Text != "memory" ||
		field.SelectedText() != "memory" {
		t.Fatalf("F2 gives %T with %q", o.window.Canvas().Focused(), field.Text)
	}
	test.Type(field, "filesystem")
	o.reads("in this toolbox already.")
	o.key(fyne.KeyReturn)
	if !field.Visible() || o.asked() != "" {
		t.Error("a name that is in use is accepted")
	}
	field.SetText("notebook")
	o.lacks("in this toolbox already.")
	o.key(fyne.KeyReturn)
	o.isOrder("dev -filesystem -notebook research -search -papers -arxiv home -calendar -notes")
	o.isChoice("dev", "notebook")
	if got := o.asked(); !strings.Contains(got, "rename") || !strings.HasSuffix(got, "settings of dev/notebook") {
		t.Errorf("asked: %s", got)
	}
	if o.window.Canvas().Focused() != fyne.Focusable(o.tree) {
		t.Error("the focus is not back on the tree")
	}
	o.undo()
	o.isOrder(all)
	o.isChoice("dev", "memory")

	// Esc discards the name; a click elsewhere saves it.
	o.key(fyne.KeyF2)
	field.SetText("something")
	o.key(fyne.KeyEscape)
	o.isOrder(all)
	o.Back()
	o.menu(model.Choice{Toolbox: "home"}, "Rename")
	o.isChoice("home", "")
	field.SetText("house")
	o.window.Canvas().Unfocus()
	o.isOrder("dev -filesystem -memory research -search -papers -arxiv house -calendar -notes")
	o.isChoice("house", "")

	// If the name cannot be saved, the reason is shown and the typed name is kept.
	o.refuse = errors.New("somebody else has changed the same")
	o.tree.focus()
	o.key(fyne.KeyF2)
	field.SetText("other")
	o.key(fyne.KeyReturn)
	o.reads("Somebody else has changed the same")
	if !field.Visible() || field.Text != "other" {
		t.Errorf("the typed name is lost: %q", field.Text)
	}
	o.refuse = nil
	o.key(fyne.KeyReturn)
	o.isChoice("other", "")
	o.lacks("Somebody else has changed the same")
}

// TestRenameKeepsTheFold checks that a renamed toolbox stays folded.
func TestRenameKeepsTheFold(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tree.Tapped(&fyne.PointEvent{Position: fyne.NewPos(10, 5)})
	o.isOrder("dev research -search -papers -arxiv home -calendar -notes")
	o.click(model.Choice{Toolbox: "dev"})
	o.key(fyne.KeyF2)
	o.tree.field.SetText("work")
	o.key(fyne.KeyReturn)
	o.isOrder("work research -search -papers -arxiv home -calendar -notes")
}

func TestNewToolbox(t *testing.T) {
	o := open(t, lively(false), small)
	o.tap("Toolbox")
	field := o.tree.field
	if !field.Visible() || o.window.Canvas().Focused() != fyne.Focusable(field) {
		t.Fatal("there is no field for its name")
	}
	o.key(fyne.KeyReturn) // nothing was typed, so nothing happens
	if field.Visible() {
		t.Error("the field is still open although there is nothing to save")
	}
	o.tap("Toolbox")
	test.Type(field, "dev")
	o.reads("There is a toolbox called")
	field.SetText("music")
	o.key(fyne.KeyReturn)
	o.isOrder(all + " music")
	o.isChoice("music", "")
	o.reads("No servers yet")
	o.undo()
	o.isOrder(all)
	o.menu(model.Choice{}, "New toolbox")
	if !field.Visible() {
		t.Error("the menu item opens no field")
	}
}

func TestPageInPlace(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tap("Rename")
	field := o.page.head.name.Field
	if o.window.Canvas().Focused() != fyne.Focusable(field) || field.Text != "dev" {
		t.Fatalf("there is no field, or its text is %q", field.Text)
	}
	field.SetText("home")
	o.reads("There is a toolbox called")
	o.key(fyne.KeyReturn)
	if !field.Visible() {
		t.Error("a name that is in use is accepted")
	}
	field.SetText("work")
	o.key(fyne.KeyReturn)
	o.isChoice("work", "")
	o.reads("work")
	o.tap("Change the description")
	field = o.page.head.description.Field
	field.SetText("What I work with")
	o.key(fyne.KeyEscape)
	if strings.Contains(o.file(), "What I work with") {
		t.Error("Esc saves the text")
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
	o.reads("What is it for? The AI reads this.")
}

// TestTypingSurvivesAChange checks that typed text and the focus are kept when another editor saves the file.
func TestTypingSurvivesAChange(t *testing.T) {
	other := strings.Replace(livelyText, `"home": {`, `"new": {"mcpServers": {}}, "home": {`, 1)
	renamed := strings.Replace(strings.Replace(other, `"memory"`, `"notebook"`, 1), `"dev"`, `"work"`, 1)

	o := open(t, lively(false), normal)
	o.click(model.Choice{Toolbox: "dev", Server: "memory"})
	o.key(fyne.KeyF2)
	field := o.tree.field
	field.SetText("half")
	for _, text := range []string{other, renamed} {
		o.write(text)
		if !field.Visible() || field.Text != "half" || o.window.Canvas().Focused() != fyne.Focusable(field) {
			t.Fatalf("the typed text is lost: %q", field.Text)
		}
	}
	field.SetText("half a name")
	o.key(fyne.KeyReturn)
	o.isChoice("work", "half a name")
	o.key(fyne.KeyF2)
	o.write(`{"toolboxes": {"work": {"mcpServers": {}}}}`)
	if field.Visible() {
		t.Error("the name of a server that is gone can be changed")
	}

	o = open(t, lively(false), normal)
	o.tap("Change the description")
	field = o.page.head.description.Field
	field.SetText("half")
	for _, text := range []string{other, renamed} {
		o.write(text)
		if !field.Visible() || field.Text != "half" || o.window.Canvas().Focused() != fyne.Focusable(field) {
			t.Fatalf("the typed text is lost: %q", field.Text)
		}
	}
	o.key(fyne.KeyReturn)
	if o.view.Toolboxes[0].Name != "work" || o.view.Toolboxes[0].Description != "half" {
		t.Errorf("%+v", o.view.Toolboxes[0])
	}

	// A button of a card keeps the focus when its card moves.
	o = open(t, lively(true), normal)
	o.click(model.Choice{Toolbox: "research"})
	start := o.button("Start")
	start.Enter()
	o.write(strings.Replace(livelyText, `"search": {`, `"first": {"command": "x"}, "search": {`, 1))
	o.asked()
	o.key(fyne.KeySpace)
	if got := o.asked(); got != "start research/arxiv" {
		t.Errorf("the button now calls %q", got)
	}

	// The search text is kept too.
	o.search.SetText("papers")
	o.write(other)
	if o.search.Text != "papers" {
		t.Error("the search is lost")
	}
	o.isOrder("research -search -papers -arxiv") // by its description
}

// TestApplyingTheSameChangesNothing checks that no widgets are created when the same View is applied again, as happens
// every second while something counts down.
func TestApplyingTheSameChangesNothing(t *testing.T) {
	o := open(t, lively(true), normal)
	o.click(model.Choice{Toolbox: "research"})
	before := o.page.cards.Object(0)
	fix := o.button("Change the command")
	fix.Enter()
	for range 3 {
		o.Apply(viewOf(lively(true)))
	}
	if o.page.cards.Object(0) != before || o.window.Canvas().Focused() != fyne.Focusable(fix) {
		t.Error("the cards were made again")
	}
}

// TestApplyingTheSameProblemsChangesNothing checks that the buttons of problems keep the focus, too.
func TestApplyingTheSameProblemsChangesNothing(t *testing.T) {
	o := open(t, lively(true), normal)
	o.tap("Show or hide all problems")
	show := o.button("Show")
	o.window.Canvas().Focus(show)
	o.Apply(viewOf(lively(true)))
	if o.window.Canvas().Focused() != fyne.Focusable(show) || o.button("Show") != show {
		t.Error("the buttons were made again")
	}
}

// TestTypingEndsWithItsToolbox checks that typed text is discarded when another toolbox is shown.
func TestTypingEndsWithItsToolbox(t *testing.T) {
	o := open(t, lively(false), normal)
	o.tap("Change the description")
	field := o.page.head.description.Field
	field.SetText("about dev")
	o.pick(model.Choice{Toolbox: "home"}, byClick)
	if field.Visible() || strings.Contains(o.file(), "about dev") {
		t.Error("the field for the description of dev is still open")
	}
	o.tap("Change the description")
	field.SetText("about home")
	o.write(`{"toolboxes": {"dev": {"mcpServers": {}}}}`)
	if field.Visible() {
		t.Error("the field for the description of a toolbox that is gone is still open")
	}
}
