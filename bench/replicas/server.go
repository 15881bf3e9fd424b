//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// The variables of the server, which is this program itself.
const (
	roleName = "WORKBENCH_BENCH_SERVER"
	logName  = "calls.log"
)

// large is how long the text of the tool "large" is: nearly as much as the engine passes on.
const large = 9 << 20

// serve is an MCP server. Its tool "echo" answers with the home folder of its replica and its argument, and writes the
// argument down, so that a call that was made twice is seen.
func serve(in io.Reader, out io.Writer) error {
	home := os.Getenv("HOME")
	calls, err := os.OpenFile(home+"/"+logName, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer calls.Close()
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil {
			return nil // the input has ended
		}
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name            string
				ProtocolVersion string
				Arguments       struct{ Text string }
			}
		}
		if err := json.Unmarshal(line, &request); err != nil {
			return err
		}
		if request.ID == nil {
			continue
		}
		result := map[string]any{}
		switch request.Method {
		case "initialize":
			result["protocolVersion"] = request.Params.ProtocolVersion
			result["capabilities"] = map[string]any{"tools": map[string]any{}}
			result["serverInfo"] = map[string]any{"name": "bench", "version": "1"}
		case "tools/list":
			schema := map[string]any{"type": "object", "properties": object{"text": object{"type": "string"}}}
			result["tools"] = []any{map[string]any{"name": "echo", "inputSchema": schema},
				map[string]any{"name": "large", "inputSchema": schema}}
		case "tools/call":
			text := home + " " + request.Params.Arguments.Text
			if request.Params.Name == "large" {
				text = strings.Repeat("x", large)
			} else if _, err := fmt.Fprintln(calls, request.Params.Arguments.Text); err != nil {
				return err
			}
			result["content"] = []any{map[string]any{"type": "text", "text": text}}
		}
		answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": request.ID, "result": result})
		if err != nil {
			return err
		}
		if _, err := out.Write(append(answer, '\n')); err != nil {
			return err
		}
	}
}
