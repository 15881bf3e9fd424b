package welcome

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A button of one server must not move the rows of other servers, because the next click would hit something else.
func TestRowsStay(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, facts(), model.StepBring, small)
	o.tap("Find servers")
	found := o.offer(func(_ imports.Plan, _ bool, done func(error)) { done(nil) })
	found.Plan.Servers = nil
	for _, name := range []string{"a", "b", "c"} {
		found.Plan.Servers = append(found.Plan.Servers,
			imports.Found{As: name, Origin: imports.Origin{Client: "cursor", Name: name},
				Entry: config.Server{Name: name, Command: "npx"}})
	}
	o.read(found, nil)
	o.tap("Bring in 3 servers")
	f := facts()
	f.Servers, f.Usable = 3, true
	o.Apply(f)
	o.goTo(model.StepDone)
	broken := status.Server{State: status.Failed, Problem: &status.Problem{Kind: status.KindExited,
		Message: words.Foreign("it ended with a long reason, which takes more than one line where it is shown, and so " +
			"the row is higher than that of a server that works or is tried")}}
	for _, name := range []string{"c", "a", "b"} { // in another order
		o.tries[name](broken)
	}
	places := func() (all []fyne.Position) {
		for _, name := range []string{"c", "a", "b"} {
			i := slices.IndexFunc(test.LaidOutObjects(o.Object()), func(object fyne.CanvasObject) bool {
				text, ok := object.(*kit.Text)
				return ok && text.Text() == name
			})
			if i < 0 {
				t.Fatalf("%s is not shown in\n%s", name, o.texts())
			}
			all = append(all, fyne.CurrentApp().Driver().AbsolutePositionForObject(test.LaidOutObjects(o.Object())[i]))
		}
		return all
	}
	before := places()
	o.Screen.page.ScrollTo(o.buttons[trialKey+"b "+keyOf(Button{Action: ActionTry, With: "b"})])
	scrolled := places()
	test.Tap(o.buttons[trialKey+"a "+keyOf(Button{Action: ActionTry, With: "a"})])
	if now := places(); !slices.Equal(now, scrolled) {
		t.Errorf("while one server is tried again, the rows are at %v, not %v", now, scrolled)
	}
	o.tries["a"](works)
	if now := places(); !slices.Equal(now, scrolled) {
		t.Errorf("when the server works, the rows are at %v, not %v", now, scrolled)
	}
	o.reads("1 of 3 servers work")
	if slices.Equal(before, scrolled) {
		t.Error("the page did not scroll, so this test checks little")
	}
}

// Without a keychain, the page does not offer it, and the servers are brought in at the first press of the button.
func TestNoKeychainIsKnown(t *testing.T) {
	o := begin(t, facts(), model.StepBring)
	o.press(fyne.KeyReturn)
	kept := true
	found := o.offer(func(_ imports.Plan, keep bool, _ func(error)) { kept = keep })
	found.NoKeychain = true
	o.read(found, nil)
	o.reads("There is no keychain here, so passwords and keys stay in a file")
	if o.boxes["switch"] != nil {
		t.Error("the keychain is offered")
	}
	o.tap("Bring in 3 servers")
	if kept {
		t.Error("secrets would go to a keychain that does not exist")
	}
}
