package engines

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// TestToolsAreRemembered checks that the tools of an earlier run are known before a server is started, that what an
// engine says counts more, and that an engine that gives no list is not asked again by itself. What a server says of
// itself is pinned too, and is no tool.
func TestToolsAreRemembered(t *testing.T) {
	document := config.Parse("c.json", []byte(
		`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "sh", "toolFilters": ["read"]}, "b": {"command": "x"}}}}}`))
	at := model.Choice{Toolbox: "dev", Server: "a"}
	entry, _ := document.Config.Toolboxes[0].Server("a")
	pins := pin.Open(t.TempDir())
	defined := []pin.Definition{{Name: "read", Raw: json.RawMessage(`{"name":"read","title":"Read a file"}`)},
		{Name: "send", Raw: json.RawMessage(`{"name":"send"}`)}, pin.InstructionsOf("Read first.")}
	if _, err := pins.Update(t.Context(), pin.KeyOf(entry), func(r *pin.Record) *pin.Record {
		return r.With("dev › a", defined, "1", false)
	}); err != nil {
		t.Fatal(err)
	}
	f := newFacts(pins)
	if !f.remember(document) || f.remember(document) {
		t.Error("it finds the tools never, or twice")
	}
	names := func() (all, offered []string) {
		some, lists := f.tools()
		for _, tool := range lists[at].List {
			all = append(all, tool.Name)
		}
		for _, tool := range some[at] {
			offered = append(offered, tool.Name)
		}
		return all, offered
	}
	if all, offered := names(); !slices.Equal(all, []string{"read", "send"}) || !slices.Equal(offered, []string{"read"}) {
		t.Errorf("the tools are %v, and those for apps %v", all, offered)
	}

	want := wantedTools{at: at, version: version{engine: 1, revision: 1}}
	f.learn(want, nil, errors.New("it does not answer"))
	_, lists := f.tools()
	if list := lists[at]; list.Err == nil || len(list.List) != 2 {
		t.Errorf("after a failure the list is %+v", list)
	}
	if f.known[at].version != want.version {
		t.Error("the engine would be asked again and again")
	}
	f.askAgain(at)
	if f.known[at].version == want.version {
		t.Error("the engine is not asked again although the user wants it")
	}
	f.learn(want, []status.Tool{{Name: "new", Allowed: true}}, nil)
	if all, _ := names(); !slices.Equal(all, []string{"new"}) {
		t.Errorf("the engine's tools are %v", all)
	}
}

// TestToolsOfAClosedServerStay: an engine that has closed a server meanwhile knows none of its tools any more.
func TestToolsOfAClosedServerStay(t *testing.T) {
	at := model.Choice{Toolbox: "dev", Server: "a"}
	f := newFacts(nil)
	f.learn(wantedTools{at, version{engine: 1, all: 1}}, []status.Tool{{Name: "read", Allowed: true}}, nil)
	f.learn(wantedTools{at, version{engine: 1, all: 1, revision: 1}}, nil, nil)
	if offered, lists := f.tools(); len(offered[at]) != 1 || len(lists[at].List) != 1 {
		t.Errorf("the tools are %v, and those for apps %v", lists[at].List, offered[at])
	}
	f.learn(wantedTools{at, version{engine: 1, revision: 2}}, nil, nil) // it lists none now
	if offered, _ := f.tools(); len(offered[at]) != 0 {
		t.Errorf("the tools for apps are %v", offered[at])
	}
}
