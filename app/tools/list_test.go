package tools

import (
	"encoding/json"
	"errors"
	"testing"

	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestWhatItCanDo checks that the list calls tools what people call them, and marks those that act.
func TestWhatItCanDo(t *testing.T) {
	d := open(t, View{Toolbox: "dev", Server: "mail", Status: status.Server{State: status.NotStarted},
		Tools: []status.Tool{
			{Name: "read_mail", Definition: json.RawMessage(`{"annotations":{"readOnlyHint":true,"openWorldHint":true}}`)},
			{Name: "sendMail", Definition: json.RawMessage(`{"annotations":{"readOnlyHint":false,"openWorldHint":true}}`)},
			{Name: "mv", Definition: json.RawMessage(`{"title":"Move a letter","annotations":{"readOnlyHint":false}}`)},
			{Name: "drop-all", Definition: json.RawMessage(`{"annotations":{"destructiveHint":true,"title":"Empty it"}}`)},
		}}, wide, base.VariantLight)
	for name, want := range map[string][2]string{"read_mail": {"Read mail", ""}, "sendMail": {"Send mail",
		"May send something"}, "mv": {"Move a letter", "Makes changes"}, "drop-all": {"Empty it", "May delete or overwrite"}} {
		row := d.row(name)
		if got := [2]string{row.name.Text(), row.acts.Text()}; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	d.tap("Try it") // starts the server by itself
}

// TestToolsThatCannotBeRead checks that a server whose tools cannot be read says so, and is asked again on a click.
func TestToolsThatCannotBeRead(t *testing.T) {
	d := open(t, View{Toolbox: "dev", Server: "a", Status: status.Server{State: status.Connected, AllTools: 3},
		Err: errors.New("the engine has ended")}, wide, base.VariantLight)
	d.window.Reads("Its tools could not be read", "The engine has ended.")
	d.window.Lacks("Asking the server")
	d.tap("Try again")
	if d.again != 1 {
		t.Error("the server is not asked again")
	}
}
