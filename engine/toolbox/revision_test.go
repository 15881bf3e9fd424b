package toolbox

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
)

// changingTools is a server that changes its tools.
type changingTools struct {
	*fakeConnection
	tools []downstream.Item
}

func (t *changingTools) Tools() []downstream.Item { return t.tools }

// The status of a server shows that its tools have changed, even if their number is the same, so that a list
// of them can be updated. It does not change otherwise.
func TestRevisionOfTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := newTestManager(t)
		tools := func(definitions ...string) (list []downstream.Item) {
			for i, definition := range definitions {
				list = append(list, downstream.Item{Name: string(rune('a' + i)), Definition: json.RawMessage(definition)})
			}
			return list
		}
		server := &changingTools{&fakeConnection{done: make(chan struct{})}, tools(`{"name":"a"}`, `{"name":"b"}`)}
		var changed func()
		th.super.dialer.connect = func(_ context.Context, options downstream.Options) (connection, error) {
			changed = func() { options.OnListChanged(downstream.Tools) }
			return server, nil
		}
		open(t, th.Manager, "dev")
		filter := func(names ...string) {
			entry := *th.Config().Toolboxes[0].Servers[0]
			entry.ToolFilters = names
			th.SetConfig(oneToolbox("dev", &entry))
		}
		last := th.server().Revision
		for _, c := range []struct {
			what string
			do   func()
			new  bool
		}{
			{"another schema", func() { server.tools = tools(`{"name":"a"}`, `{"name":"b","title":"B"}`); changed() }, true},
			{"the same list", func() { server.tools = slices.Clone(server.tools); changed() }, false},
			{"the same configuration", func() { th.SetConfig(oneToolbox("dev", th.Config().Toolboxes[0].Servers[0])) }, false},
			{"a filter", func() { filter("a") }, true},
			{"another filter", func() { filter("b") }, true},
			{"the same filter", func() { filter("b") }, false},
			{"a filter that keeps all away", func() { filter([]string{}...) }, true},
			{"another name", func() {
				server.tools = []downstream.Item{{Name: "c", Definition: json.RawMessage(`{"name":"c"}`)}, server.tools[1]}
				changed()
			}, true},
		} {
			c.do()
			now := th.server().Revision
			if c.new != (now != last) {
				t.Errorf("%s: the revision was %d and is %d", c.what, last, now)
			}
			last = now
		}
	})
}
