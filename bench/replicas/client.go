//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// client is an app. Every fifth speaks 2026-07-28, the others have a session.
type client struct {
	number  int
	address string
	token   string
	modern  bool
	http    *http.Client

	session string
	home    string // the replica that has answered last
	calls   int
	seen    tally
}

// tally is what a client has seen.
type tally struct {
	took   []time.Duration // answered calls
	lost   []time.Time     // when calls began that had no answer
	missed int             // answers of 404: the session was gone
	wrong  []string        // what must not be
	homes  map[string]int  // answers by replica
}

// add adds what another client has seen.
func (t *tally) add(other tally) {
	t.took, t.lost = append(t.took, other.took...), append(t.lost, other.lost...)
	t.wrong = append(t.wrong, other.wrong...)
	t.missed += other.missed
	if t.homes == nil {
		t.homes = map[string]int{}
	}
	for home, count := range other.homes {
		t.homes[home] += count
	}
}

type object = map[string]any

// request makes a request with a message; id is nil for a notification.
func (c *client) request(ctx context.Context, method string, params object, id any) (*http.Request, error) {
	message := object{"jsonrpc": "2.0", "method": method, "params": params}
	if id != nil {
		message["id"] = id
	}
	if c.modern {
		params["_meta"] = object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": object{},
			"io.modelcontextprotocol/clientInfo":         object{"name": fmt.Sprint("client", c.number), "version": "1"}}
	}
	body, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.GetBody = nil // otherwise Go itself may send a call again
	r.Header.Set("Authorization", "Bearer "+c.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.modern {
		r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", method)
		if name, ok := params["name"].(string); ok {
			r.Header.Set("Mcp-Name", name)
		}
	} else if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	return r, nil
}

// post sends a message and returns the status and the text of the answer's last message.
func (c *client) post(ctx context.Context, method string, params object, id any) (int, []byte, error) {
	r, err := c.request(ctx, method, params, id)
	if err != nil {
		return 0, nil, err
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" && answer.StatusCode == http.StatusOK {
		c.session = id
	}
	text = bytes.TrimSpace(text)
	text = bytes.TrimPrefix(text[bytes.LastIndexByte(text, '\n')+1:], []byte("data: "))
	return answer.StatusCode, text, err
}

// begin begins a session and opens the toolbox; a client without sessions does nothing.
func (c *client) begin(ctx context.Context) error {
	if c.modern {
		return nil
	}
	c.session = ""
	if status, text, err := c.post(ctx, "initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": "bench", "version": "1"}}, 0); err != nil || status != http.StatusOK {
		return fmt.Errorf("initialize: %d %s %w", status, text, err)
	}
	if status, text, err := c.post(ctx, "notifications/initialized", object{}, nil); err != nil || status >= 300 {
		return fmt.Errorf("initialized: %d %s %w", status, text, err)
	}
	status, text, err := c.post(ctx, "tools/call", object{"name": "open_toolbox",
		"arguments": object{"toolbox_name": "dev"}}, 1)
	if err != nil || status != http.StatusOK || !bytes.Contains(text, []byte("echo")) {
		return fmt.Errorf("open_toolbox: %d %s %w", status, text, err)
	}
	return nil
}

// call calls the tool once, and begins a new session if the old one is gone.
func (c *client) call(ctx context.Context) {
	c.calls++
	text := fmt.Sprintf("%d-%d.", c.number, c.calls)
	params := use("echo", text)
	begun := time.Now()
	status, answer, err := c.post(ctx, "tools/call", params, c.calls+1)
	took := time.Since(begun)
	switch home, ok := homeIn(answer, text); {
	case err == nil && status == http.StatusOK && ok:
		c.seen.took = append(c.seen.took, took)
		c.seen.homes[home]++
		c.home = home
	case err == nil && status == http.StatusNotFound && !c.modern:
		c.seen.missed++
		if err := c.begin(ctx); err != nil {
			c.seen.wrong = append(c.seen.wrong, err.Error())
		}
	case err != nil || status == http.StatusBadGateway ||
		status == http.StatusOK && (len(answer) == 0 || answer[0] == ':'):
		c.seen.lost = append(c.seen.lost, begun)
	default:
		c.seen.wrong = append(c.seen.wrong, fmt.Sprintf("%d %s", status, answer[:min(len(answer), 300)]))
	}
}

// use makes the parameters of a call of the server's tool.
func use(tool, text string) object {
	return object{"name": "use_tool", "arguments": object{
		"tool":      object{"toolbox": "dev", "server": "bench", "tool": tool},
		"arguments": object{"text": text}}}
}

// homeIn returns which replica has answered, if it is the answer to this text.
func homeIn(answer []byte, text string) (string, bool) {
	_, rest, ok := strings.Cut(string(answer), "/home-")
	home, rest, found := strings.Cut(rest, " ")
	return home, ok && found && strings.HasPrefix(rest, text)
}

// load lets all clients call for a while, each with a pause between two calls.
func load(ctx context.Context, clients []*client, length, pause time.Duration, beside func()) tally {
	end := time.Now().Add(length)
	var group sync.WaitGroup
	for i, c := range clients {
		c.seen = tally{homes: map[string]int{}}
		group.Go(func() {
			time.Sleep(pause * time.Duration(i) / time.Duration(len(clients)))
			for time.Now().Before(end) {
				next := time.Now().Add(pause)
				c.call(ctx)
				time.Sleep(time.Until(next))
			}
		})
	}
	if beside != nil {
		beside()
	}
	group.Wait()
	var all tally
	for _, c := range clients {
		all.add(c.seen)
	}
	slices.Sort(all.took)
	return all
}

// at returns a percentile.
func (t *tally) at(percent int) time.Duration {
	if len(t.took) == 0 {
		return 0
	}
	return t.took[(len(t.took)-1)*percent/100].Round(100 * time.Microsecond)
}
