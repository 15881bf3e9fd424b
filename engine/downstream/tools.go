package downstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Caps on a server's tool list.
const (
	maxPages = 1_000
	maxTools = 10_000
	// maxDiagnostics is how many are kept; a list with thousands of bad tools needs no more.
	maxDiagnostics = 100
)

// Pauses between a server's list_changed and the listing, see relistLoop.
const (
	minRelistPause = 50 * time.Millisecond
	maxRelistPause = 5 * time.Second
)

// Tool is one tool of a server.
type Tool struct {
	// Name is the server's own, Title and Description are empty when absent. They
	// are the server's words, and may hold anything that JSON strings can.
	Name, Title, Description string
	// Definition is the whole definition as the server sent it, without
	// whitespace. It must not be changed.
	Definition json.RawMessage
	// NoSchema marks a tool whose schema says nothing about its arguments, so that
	// a model has to guess them.
	NoSchema bool
}

// Diagnostic says what is wrong with a server's tool list.
type Diagnostic struct {
	// Tool is the tool's name where it has one, in plain text.
	Tool    string
	Message string
}

// toolList is a server's list at one time; it is never changed.
type toolList struct {
	tools       []Tool
	diagnostics []Diagnostic
	fixed       bool // the server can't be asked for its list again
}

// Tools returns the server's tools in the order it listed them. The slice is a
// snapshot and must not be changed.
func (s *Session) Tools() []Tool { return s.tools.Load().tools }

// lister collects the pages of a list.
type lister struct {
	check func(json.RawMessage) error
	limit int // in bytes, of all definitions together

	list  toolList
	names map[string]bool
	seen  int
	bytes int
}

// listTools asks for all pages. initialized is the server's answer to
// initialize: old servers list their tools there (contract.md, section 7).
func (s *Session) listTools(ctx context.Context, initialized json.RawMessage) (*toolList, error) {
	l := &lister{check: s.o.CheckTool, limit: s.o.MaxMessage, names: map[string]bool{}}
	early := jsonrpc.Lookup(initialized, "tools")
	if len(early) == 0 || early[0] != '[' {
		early = nil
	}
	declared := jsonrpc.Lookup(jsonrpc.Lookup(initialized, "capabilities"), "tools") != nil
	if early != nil && !declared {
		l.list.fixed = true
		return &l.list, l.add(early)
	}
	cursors := map[string]bool{}
	var params []byte
	for page := 1; ; page++ {
		result, err := s.request(ctx, "tools/list", params)
		var refused *RPCError
		if page == 1 && errors.As(err, &refused) && refused.Code == methodNotFound {
			l.list.fixed = true
			if early != nil {
				return &l.list, l.add(early)
			}
			return &l.list, nil // a server without tools
		}
		if err != nil {
			return nil, err
		}
		tools := jsonrpc.Lookup(result, "tools")
		if tools == nil {
			return nil, errors.New("it has no list of tools")
		}
		if err := l.add(tools); err != nil {
			return nil, err
		}
		cursor := jsonrpc.Lookup(result, "nextCursor")
		text, ok := jsonrpc.String(cursor)
		switch {
		case cursor == nil || string(cursor) == "null" || ok && text == "":
			return &l.list, nil
		case !ok:
			l.diagnose("", "the list of tools was read up to page %d: nextCursor is not a string", page)
		case cursors[text]:
			l.diagnose("", "the list of tools was read up to page %d: the server repeats its cursor", page)
		case page == maxPages:
			l.diagnose("", "the list of tools was cut off after %d pages", page)
		case l.seen >= maxTools:
			l.diagnose("", "the list of tools was cut off after %d tools", maxTools)
		case l.bytes >= l.limit:
			l.diagnose("", "the list of tools was cut off after %s", inWords(l.limit))
		default:
			cursors[text] = true
			params = append(append([]byte(`{"cursor":`), cursor...), '}')
			continue
		}
		return &l.list, nil
	}
}

// add takes up one page. Only a page that is no array is an error.
func (l *lister) add(page json.RawMessage) error {
	definitions, err := jsonrpc.Elements(page)
	if err != nil {
		return fmt.Errorf("its list of tools is no list: %w", err)
	}
	for i, definition := range definitions {
		if l.seen >= maxTools || l.bytes >= l.limit {
			l.diagnose("", "%d tools at the end of the list were left out: it is too long", len(definitions)-i)
			return nil
		}
		l.seen++
		l.bytes += len(definition)
		l.addTool(definition)
	}
	return nil
}

// addTool takes up one tool, or sets it aside with a diagnostic.
func (l *lister) addTool(definition json.RawMessage) {
	// A copy, since the line that it came in is far bigger.
	tool := Tool{Definition: jsonrpc.AppendCompact(make([]byte, 0, len(definition)), definition)}
	var schema json.RawMessage
	if members, err := jsonrpc.Members(tool.Definition); err == nil {
		for _, member := range members {
			switch member.Name {
			case "name":
				tool.Name, _ = jsonrpc.String(member.Value)
			case "title":
				tool.Title, _ = jsonrpc.String(member.Value)
			case "description":
				tool.Description, _ = jsonrpc.String(member.Value)
			case "inputSchema":
				schema = member.Value
			}
		}
	}
	if err := safely(func() error { return l.check(tool.Definition) }); err != nil {
		l.diagnose(tool.Name, "the tool was set aside: %s", clean(err.Error(), maxLogLine))
		return
	}
	if tool.Name == "" {
		l.diagnose("", "a tool was set aside: it has no name")
		return
	}
	if l.names[tool.Name] {
		l.diagnose(tool.Name, "the tool was set aside: another one has the same name")
		return
	}
	l.names[tool.Name] = true
	tool.NoSchema = saysNothing(schema)
	l.list.tools = append(l.list.tools, tool)
}

// diagnose notes a problem.
func (l *lister) diagnose(tool, format string, args ...any) {
	if len(l.list.diagnostics) < maxDiagnostics {
		l.list.diagnostics = append(l.list.diagnostics, Diagnostic{Tool: clean(tool, 200), Message: fmt.Sprintf(format, args...)})
	}
}

// safely contains panics of code that judges what a server sent.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("checking it failed: %v", r)
		}
	}()
	return f()
}

// checkTool is the check of a definition when no other is given.
func checkTool(definition json.RawMessage) error {
	if len(definition) == 0 || definition[0] != '{' {
		return errors.New("it is no object")
	}
	name, ok := jsonrpc.String(jsonrpc.Lookup(definition, "name"))
	if !ok {
		return errors.New("name must be a string")
	}
	if name == "" {
		return errors.New("name is empty")
	}
	schema := jsonrpc.Lookup(definition, "inputSchema")
	if schema == nil {
		return errors.New("inputSchema is missing")
	}
	if schema[0] != '{' {
		return errors.New("inputSchema must be an object")
	}
	if kind, _ := jsonrpc.String(jsonrpc.Lookup(schema, "type")); kind != "object" {
		return errors.New(`the type of inputSchema must be "object"`)
	}
	return nil
}

// saysNothing reports whether a schema allows any object without a word about it.
func saysNothing(schema json.RawMessage) bool {
	members, err := jsonrpc.Members(schema)
	if err != nil {
		return true
	}
	for _, member := range members {
		switch member.Name {
		case "type", "$schema", "$id", "$comment", "title", "description":
		case "additionalProperties":
			if string(member.Value) != "true" && string(member.Value) != "{}" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// relistLoop lists the tools anew when the server says that they have changed.
// It waits a little first, since such notifications come in swarms, and longer
// each time when the list turns out to be the same.
func (s *Session) relistLoop() {
	pause := minRelistPause
	for {
		select {
		case <-s.done:
			return
		case <-s.relist:
		}
		timer := time.NewTimer(pause)
		select {
		case <-s.done:
			timer.Stop()
			return
		case <-timer.C:
		}
		if !s.ready.Load() {
			// Connecting hasn't come to its end, and may have listed before the change.
			s.again()
			continue
		}
		select {
		case <-s.relist: // has come meanwhile and is served by this listing
		default:
		}
		if s.relistTools() {
			pause = minRelistPause
			if s.o.OnToolsChanged != nil {
				if err := safely(func() error { s.o.OnToolsChanged(); return nil }); err != nil {
					s.log.Error("handling a changed tool list failed", "error", err)
				}
			}
		} else {
			pause = min(2*pause, maxRelistPause)
		}
	}
}

// again makes the loop go round once more.
func (s *Session) again() {
	select {
	case s.relist <- struct{}{}:
	default:
	}
}

// relistTools lists the tools and reports whether they are others than before.
// A failure leaves the list as it was.
func (s *Session) relistTools() bool {
	if s.tools.Load().fixed {
		return false
	}
	limit := max(s.o.listTimeout(), minListTimeout)
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	list, err := s.listTools(ctx, nil)
	if err != nil {
		if s.Err() == nil {
			s.log.Warn("listing the tools anew failed", "error", err)
		}
		return false
	}
	old := s.tools.Swap(list)
	return !slices.EqualFunc(old.tools, list.tools, func(a, b Tool) bool { return bytes.Equal(a.Definition, b.Definition) })
}
