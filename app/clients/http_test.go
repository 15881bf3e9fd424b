package clients

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const servedAddress = "http://127.0.0.1:7400/mcp"

// servedFacts are those of a computer on which two apps use HTTP.
func servedFacts() Facts {
	served := facts()
	served.HTTP = model.HTTP{Known: true, On: true, Address: servedAddress, Apps: []string{"n8n", "open-webui"}}
	served.Uses["n8n"] = Use{Here: true}
	served.Uses["open-webui"] = Use{Last: noon.Add(-48 * time.Hour)}
	served.Toolboxes = []*config.Toolbox{{Name: "dev"}, {Name: "office", Apps: []string{"n8n"}}}
	return served
}

// TestOverHTTP: the card says where apps reach Workbench and which apps have a token, and does what the commands do.
func TestOverHTTP(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	o := open(t, NewView(facts()), normal)
	if o.reads(t, "Over HTTP"); strings.Contains(o.texts(), "New token") {
		t.Error("a token is offered although nothing runs")
	}
	o.served.Tapped(nil)
	if o.last() != "serve true" {
		t.Errorf("the actions are %q", o.did)
	}
	o.Apply(NewView(facts())) // it has failed
	if o.served.On() {
		t.Error("the switch is on")
	}
	o.Apply(NewView(servedFacts()))
	o.reads(t, servedAddress, "n8n", "Using Workbench now", "open-webui", "Sees 2 of 2 toolboxes", "Sees 1 of 2 toolboxes")
	if !o.served.On() {
		t.Error("the switch is off")
	}
	test.Tap(o.buttons["http: address"])
	if !slices.Contains(o.did, "copy "+servedAddress) {
		t.Errorf("the actions are %q", o.did)
	}
	o.boxesMenu(o.view.Served.Cards[1], "open-webui").Items[1].Action()
	if o.last() != "show office open-webui true" {
		t.Errorf("the actions are %q", o.did)
	}

	test.Tap(o.buttons["http: token"])
	name, ok := o.window.Canvas().Focused().(*kit.Input)
	if !ok {
		t.Fatalf("%T has the focus", o.window.Canvas().Focused())
	}
	name.SetText("a b")
	name.OnSubmitted("")
	o.made("", errors.New("it has a space"))
	o.reads(t, "It has a space")
	name.SetText("ci")
	o.tap(t, "Continue")
	o.made("workbench_secret", nil)
	o.reads(t, "ci", "workbench_secret", "not shown again")
	o.tap(t, "Copy")
	if o.last() != "copy workbench_secret" || !slices.Contains(o.did, "token ci") {
		t.Errorf("the actions are %q", o.did)
	}
	o.tap(t, "Done")
	if o.dialog != nil || strings.Contains(o.texts(), "workbench_secret") {
		t.Error("the token is still shown")
	}

	test.Tap(o.buttons["http:n8n connect"])
	o.reads(t, "n8n can no longer use Workbench then.")
	o.tap(t, "Delete")
	o.removed(errors.New("the file is busy"))
	o.reads(t, "The file is busy")
	o.tap(t, "Delete")
	o.removed(nil)
	if o.last() != "remove n8n" || o.dialog != nil {
		t.Errorf("the actions are %q, and the dialog is open: %v", o.did, o.dialog != nil)
	}
}

// TestStartedElsewhere: what a terminal has started is shown, and cannot be ended here.
func TestStartedElsewhere(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	served := servedFacts()
	served.HTTP.Fixed = true
	o := open(t, NewView(served), normal)
	o.reads(t, "It was started outside of this window.", servedAddress)
	if !o.served.Disabled() || !o.served.On() {
		t.Error("the switch can be used")
	}
}

// TestOverHTTPWithoutApps: the card is there on a computer without AI apps.
func TestOverHTTPWithoutApps(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	none := facts()
	none.Statuses, none.Sources = nil, nil
	o := open(t, NewView(none), small)
	o.reads(t, "No AI app found", "Over HTTP")
	none.HTTP.Known = false
	o.Apply(NewView(none))
	if strings.Contains(o.texts(), "Over HTTP") {
		t.Error("the card is there although nothing can be switched on")
	}
}
