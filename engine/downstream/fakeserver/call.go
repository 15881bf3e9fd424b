package fakeserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// call answers one call, on its own goroutine.
func (s *server) call(m jsonrpc.Message, cancel chan struct{}) {
	script := &s.script
	name, _ := jsonrpc.String(jsonrpc.Lookup(m.Params, "name"))
	arguments := jsonrpc.Lookup(m.Params, "arguments")
	s.mu.Lock() // under Wine, of two lines that are appended at the same time one is lost
	appendTo(script.CallLog, string(m.Params))
	s.mu.Unlock()
	if script.DieOnCall != "" && (script.DieOnCall == name || script.DieOnCall == "*") {
		os.Exit(orElse(script.ExitStatus, 1))
	}
	if script.CloseStdout {
		os.Stdout.Close()
		return
	}
	s.flood()
	delay := script.DelayMs
	if name == "echo" {
		if own, err := strconv.Atoi(string(jsonrpc.Lookup(arguments, "delayMs"))); err == nil {
			delay = own
		}
	}
	if delay > 0 {
		select {
		case <-cancel:
			return
		case <-time.After(time.Duration(delay) * time.Millisecond):
		}
	}
	if token := jsonrpc.Lookup(jsonrpc.Lookup(m.Params, "_meta"), "progressToken"); token != nil {
		for i := range script.Progress {
			s.line(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":%d}}`, token, i+1, script.Progress))
		}
	}
	if script.LogOnCall != "" {
		s.line(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","data":` +
			string(jsonrpc.AppendString(nil, script.LogOnCall)) + `}}`)
	}
	if script.PingOnCall {
		s.ask("ping", nil)
	}
	for _, text := range script.StdoutNoiseOnCall {
		s.line(text)
	}
	if script.ListChangedBefore {
		s.change()
	}
	s.answer(m, name, arguments)
	s.change()
}

// change changes the list of tools once, if the script has ListChangedAfterCall.
func (s *server) change() {
	script := &s.script
	s.mu.Lock()
	change := script.ListChangedAfterCall && !s.changed
	s.changed = s.changed || change
	s.mu.Unlock()
	if change {
		for range max(1, script.ListChanged) {
			if !script.Modern {
				s.line(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
			}
			s.mu.Lock()
			streams := s.streams
			s.mu.Unlock()
			for _, id := range streams {
				s.line(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":` + id + `}}}`)
			}
		}
	}
}

// answer sends the answer to a call.
func (s *server) answer(m jsonrpc.Message, name string, arguments json.RawMessage) {
	script := &s.script
	switch {
	case script.AskOnCall != "":
		var answer json.RawMessage
		for range max(1, script.AskTimes) {
			answer = s.ask(script.AskOnCall, script.AskParams)
		}
		s.succeed(m.ID, append(append([]byte(`{"content":[],"asked":`), answer...), '}'))
	case script.Lines[name] != "":
		fill := strings.Repeat("x", script.Fill)
		s.line(strings.NewReplacer("$ID", string(m.ID), "$FILL", fill).Replace(script.Lines[name]))
	case len(script.Rounds[name]) > 0:
		s.mu.Lock()
		round := s.rounds[name]
		s.rounds[name]++
		s.mu.Unlock()
		s.succeed(m.ID, script.Rounds[name][min(round, len(script.Rounds[name])-1)])
	case script.Errors[name] != nil:
		s.fail(m.ID, script.Errors[name])
	case script.Results[name] != nil:
		s.succeed(m.ID, script.Results[name])
	case script.Sizes[name] > 0:
		result := append([]byte(`{"content":[{"type":"text","text":"`), bytes.Repeat([]byte("x"), script.Sizes[name])...)
		s.succeed(m.ID, append(result, `"}]}`...))
	case name == "echo":
		if arguments == nil {
			arguments = json.RawMessage("{}")
		}
		result := append([]byte(`{"content":[{"type":"text","text":`), jsonrpc.AppendString(nil, string(arguments))...)
		s.succeed(m.ID, append(append(append(result, `}],"structuredContent":`...), arguments...), '}'))
	case s.has(name):
		s.succeed(m.ID, []byte(`{"content":[]}`))
	default:
		s.fail(m.ID, fmt.Appendf(nil, `{"code":-32602,"message":%s}`, jsonrpc.AppendString(nil, "Unknown tool: "+name)))
	}
}

func (s *server) has(name string) bool {
	for _, tool := range s.tools() {
		if text, _ := jsonrpc.String(jsonrpc.Lookup(tool, "name")); text == name {
			return true
		}
	}
	return false
}
