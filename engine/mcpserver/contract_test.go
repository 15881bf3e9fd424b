package mcpserver

import (
	"encoding/json"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/contract"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// What is ours in the answers is as the schemas of contract.md say: the greeting, the definitions of tools and
// resources, tools under their dynamic names, and the envelopes of errors.
func TestOursKeepsTheContract(t *testing.T) {
	for _, mode := range []config.ToolMode{config.ModeProxy, config.ModeDynamic} {
		cfg := echoToolbox(fakeserver.Script{})
		cfg.Search = true
		c := dial(t, cfg, Options{ToolMode: mode})
		c.send(greeting)
		if err := contract.ValidateInitializeResponse(c.receive().Result); err != nil {
			t.Errorf("%s: the greeting: %v", mode, err)
		}
		c.open("dev")
		all := func(method, name string, validate func(json.RawMessage) error) {
			elements, err := jsonrpc.Elements(jsonrpc.Lookup(c.ask(method, "{}").Result, name))
			if err != nil || len(elements) < 2 {
				t.Fatalf("%s: %s has %d elements, %v", mode, method, len(elements), err)
			}
			for _, element := range elements {
				if err := validate(element); err != nil {
					t.Errorf("%s: %s: %v", mode, element, err)
				}
			}
		}
		all("tools/list", "tools", contract.ValidateTool)
		all("resources/list", "resources", contract.ValidateResource)
		failed := c.ask("tools/call", `{"name":"open_toolbox","arguments":{"toolbox_name":"none"}}`)
		if err := contract.ValidateEnvelope(
			jsonrpc.Lookup(jsonrpc.Lookup(failed.Result, "_meta"), contract.MetaKey)); err != nil {
			t.Errorf("%s: %v in %s", mode, err, failed.Result)
		}
	}
}
