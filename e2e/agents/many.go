package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

const fakeVariable = fakeserver.Variable

func madeUp(i int) string { return fmt.Sprintf("made_up_tool_%03d", i) }

// textOf returns a text with a size in bytes: one line of JSON like the answer of open_toolbox, or characters
// of three bytes.
func textOf(kind string, size int) string {
	if kind == "wide" {
		return strings.Repeat("あ", size/3)
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, `{"name":"%s","toolbox_name":"dev","source_server":"many","description":"Does thing number %d.","inputSchema":{"type":"object","properties":{"what":{"type":"string"}}}},`, madeUp(i), i)
	}
	return b.String()[:size]
}

// saying returns the script of a server with one tool that answers with a text.
func saying(text string) []byte {
	// texts only
	answer, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	return []byte(fakeserver.Script{
		Tools:   []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, madeUp(0)))},
		Results: map[string]json.RawMessage{madeUp(0): answer},
	}.String())
}

// many returns the script of a server with a number of tools whose definitions have roughly size bytes
// together, as JSON. The server takes a while to list them.
func many(tools, size int, slow time.Duration) []byte {
	each := size/tools - 250 // the rest is around the descriptions
	sentence := "It takes what it is given and does with it what it says. "
	var list []json.RawMessage
	for i := range tools {
		own := strings.Repeat(sentence, max(each/len(sentence)/2, 0))
		definition, _ := json.Marshal(map[string]any{ // texts only
			"name": madeUp(i), "description": fmt.Sprintf("Does thing number %d. ", i) + own,
			"inputSchema": map[string]any{"type": "object", "properties": map[string]any{
				"what": map[string]any{"type": "string", "description": "What to do it to. " + own},
			}},
		})
		list = append(list, definition)
	}
	answer := json.RawMessage(`{"content":[{"type":"text","text":"It is done."}]}`)
	return []byte(fakeserver.Script{Tools: list, ListDelayMs: int(slow.Milliseconds()),
		Results: map[string]json.RawMessage{madeUp(0): answer}}.String())
}
