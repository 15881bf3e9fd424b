package tryit

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// A page that replaces another one, as after a change of the language, keeps the typed arguments.
func TestContinue(t *testing.T) {
	view := View{Toolbox: "dev", Server: "a", Tool: status.Tool{Name: "echo",
		Definition: []byte(`{"name": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}`)}}
	before := New(fake{})
	before.Apply(view)
	before.changeMode(1)
	before.json.SetText(`{"text":"typed"}`)
	after := New(fake{})
	after.Continue(before)
	if got := string(after.arguments()); got != `{"text":"typed"}` || !after.asJSON {
		t.Errorf("as JSON, the arguments are %s", got)
	}
	after.changeMode(0)
	last := New(fake{})
	last.Continue(after)
	if got := string(last.arguments()); got != `{"text":"typed"}` || last.asJSON {
		t.Errorf("in the form, the arguments are %s", got)
	}
}
