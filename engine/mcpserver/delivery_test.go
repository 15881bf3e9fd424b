package mcpserver

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

func TestHold(t *testing.T) {
	const pause = 20 * time.Millisecond
	for _, test := range []struct {
		name string
		do   func(h *delivery, stop, end func()) // called while a call waits
		want time.Duration
	}{
		{"a client that was told of nothing", func(h *delivery, _, _ func()) {}, 0},
		{"a client that never asks", func(h *delivery, _, _ func()) { h.tell() }, time.Second},
		{"a client that asks", func(h *delivery, _, _ func()) {
			h.tell()
			change := h.current()
			time.Sleep(300 * time.Millisecond)
			h.give(change)
		}, 300*time.Millisecond + pause},
		{"a list made before the change", func(h *delivery, _, _ func()) {
			change := h.current()
			h.tell()
			time.Sleep(300 * time.Millisecond)
			h.give(change)
		}, time.Second},
		{"another change meanwhile", func(h *delivery, _, _ func()) {
			h.tell()
			change := h.current()
			time.Sleep(300 * time.Millisecond)
			h.tell()
			h.give(change)
			time.Sleep(300 * time.Millisecond)
			h.give(h.current())
		}, 600*time.Millisecond + pause},
		{"changes without end", func(h *delivery, _, _ func()) {
			for range 30 {
				h.tell()
				time.Sleep(100 * time.Millisecond)
			}
		}, time.Second},
		{"a call that is cancelled", func(h *delivery, stop, _ func()) {
			h.tell()
			time.Sleep(300 * time.Millisecond)
			stop()
		}, 300 * time.Millisecond},
		{"a session that ends", func(h *delivery, _, end func()) {
			h.tell()
			time.Sleep(300 * time.Millisecond)
			end()
		}, 300 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				ended := make(chan struct{})
				h := newDelivery()
				var doing sync.WaitGroup
				defer doing.Wait()
				doing.Go(func() { test.do(h, stop, func() { close(ended) }) })
				synctest.Wait()
				begun := time.Now()
				h.wait(ctx, ended, time.Second, pause)
				if took := time.Since(begun); took != test.want {
					t.Errorf("waited %v, want %v", took, test.want)
				}
			})
		})
	}
}

// opening opens the toolbox dev in dynamic mode as a client of the initialize era. It returns after the
// notification.
func opening(t *testing.T, client string) *connection {
	t.Helper()
	c := dial(t, echoToolbox(fakeserver.Script{}), Options{ClientID: client, ListWait: time.Hour})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	if m := c.receive(); m.Method != "notifications/tools/list_changed" {
		t.Fatalf("the first message is %s%s", m.ID, m.Method)
	}
	return c
}

func (c *connection) expect(id, part string) {
	c.t.Helper()
	if m := c.receive(); string(m.ID) != id || !strings.Contains(string(m.Result), part) {
		c.t.Fatalf("got %s %s%s, want the answer of %s with %s", m.ID, m.Result, m.Method, id, part)
	}
}

func TestAnswersWaitForTheList(t *testing.T) {
	c := opening(t, "claude-code")
	c.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`) // only the answer of open_toolbox is held
	c.expect("2", `{}`)
	c.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	c.expect("3", `"dev__s__echo"`)
	c.expect("1", `servers_connected`)

	c.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	c.expect("4", `servers_connected`) // nothing has changed

	c.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"close_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	if m := c.receive(); m.Method != "notifications/tools/list_changed" {
		t.Fatalf("closing begins with %s%s", m.ID, m.Method)
	}
	c.send(`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`)
	c.expect("6", `"open_toolbox"`)
	c.expect("5", `closed`)
}

func TestHeldAnswerThatIsCancelled(t *testing.T) {
	c := opening(t, "claude-code")
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	c.in.Close()
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			break
		}
		if strings.Contains(line, `"id":1`) {
			t.Errorf("the cancelled call was answered: %s", line)
		}
	}
	if err := <-c.ended; err != nil {
		t.Error(err)
	}
}

func TestHeldAnswerAtTheEnd(t *testing.T) {
	c := opening(t, "claude-code")
	c.in.Close()
	c.expect("1", `servers_connected`)
}

func TestCopilotAsksOnlyAfterTheAnswer(t *testing.T) {
	c := opening(t, "copilot")
	c.expect("1", `servers_connected`)
}

func TestNothingIsHeldInProxyMode(t *testing.T) {
	c := dial(t, echoToolbox(fakeserver.Script{}), Options{ClientID: "cline", ListWait: time.Hour})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"}}}`)
	c.expect("1", `servers_connected`)
}

// modernMeta is the _meta of every request of protocol version 2026-07-28.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"}}`

func TestHoldOfAModernClient(t *testing.T) {
	open := `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"open_toolbox","arguments":{"toolbox_name":"dev"},` + modernMeta + `}}`
	t.Run("without a subscription there is nothing to wait for", func(t *testing.T) {
		c := dial(t, echoToolbox(fakeserver.Script{}), Options{ToolMode: config.ModeDynamic, ListWait: time.Hour})
		c.send(open, 1)
		c.expect("1", `servers_connected`)
	})
	t.Run("with a subscription", func(t *testing.T) {
		c := dial(t, echoToolbox(fakeserver.Script{}), Options{ToolMode: config.ModeDynamic, ListWait: time.Hour})
		c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`)
		c.receive()
		c.send(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` + modernMeta + `}}`)
		c.receive()
		c.send(open, 3)
		m := c.receive()
		if id := jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"),
			"io.modelcontextprotocol/subscriptionId"); m.Method != "notifications/tools/list_changed" || string(id) != "2" {
			t.Fatalf("got %s%s %s", m.ID, m.Method, m.Params)
		}
		c.send(`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{` + modernMeta + `}}`)
		c.expect("4", `"dev__s__echo"`)
		c.expect("3", `servers_connected`)
	})
}
