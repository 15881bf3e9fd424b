package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// The names under which the program starts itself.
const (
	roleServer = "server"
	roleFloor  = "floor"
)

// tools returns the tools of the server, with the size in bytes of each answer's text.
func tools() map[string]int {
	return map[string]int{"small": 2, "64k": 64 << 10, "8m": 8 << 20}
}

// serve is an MCP server that does almost nothing, so that the cost of reaching it is measured.
func serve(in io.Reader, out io.Writer) error {
	// Results are made when they are first needed, since the server's cold start is measured too.
	results := map[string]func() []byte{}
	for name, size := range tools() {
		results[name] = sync.OnceValue(func() []byte { return result(size) })
	}
	reader := bufio.NewReaderSize(in, 64<<10)
	var buffer []byte
	for {
		line, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name            string `json:"name"`
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(line, &request); err != nil {
			return fmt.Errorf("reading a request: %w", err)
		}
		if request.ID == nil { // a notification
			continue
		}
		buffer = append(append(buffer[:0], `{"jsonrpc":"2.0","id":`...), request.ID...)
		switch answer, known := results[request.Params.Name]; {
		case request.Method == "tools/call" && known:
			buffer = append(append(buffer, `,"result":`...), answer()...)
		case request.Method == "initialize":
			buffer = fmt.Appendf(buffer, `,"result":{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`, request.Params.ProtocolVersion)
		case request.Method == "tools/list":
			buffer = append(append(buffer, `,"result":`...), toolList()...)
		case request.Method == "ping":
			buffer = append(buffer, `,"result":{}`...)
		default:
			buffer = append(buffer, `,"error":{"code":-32601,"message":"method not found"}`...)
		}
		if _, err := out.Write(append(buffer, "}\n"...)); err != nil {
			return fmt.Errorf("answering: %w", err)
		}
	}
}

// result returns a tool result with a text of roughly size bytes that looks like source code: short lines,
// quotes, some letters beyond ASCII.
func result(size int) []byte {
	const sentence = `\t\treturn fmt.Errorf(\"reading %s: %w\", name, err) // the caller adds the “why” – see below\n`
	text := "ok"
	if size > len(sentence) {
		text = strings.Repeat(sentence, size/len(sentence))
	}
	return []byte(`{"content":[{"type":"text","text":"` + text + `"}]}`)
}

func toolList() []byte {
	const schema = `{"type":"object","properties":{"path":{"type":"string","description":"What to read"},"offset":{"type":"integer"}},"required":["path"]}`
	var list []string
	for name := range tools() {
		list = append(list, fmt.Sprintf(`{"name":%q,"description":"Answers with a text.","inputSchema":%s}`, name, schema))
	}
	return []byte(`{"tools":[` + strings.Join(list, ",") + `]}`)
}
