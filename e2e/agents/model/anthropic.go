package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

func anthropic() protocol {
	return protocol{name: "anthropic", read: readAnthropic, write: writeAnthropic, stream: streamAnthropic}
}

type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	ToolName  string          `json:"tool_name"` // of a tool_reference
	Content   json.RawMessage `json:"content"`
}

func readAnthropic(_ *http.Request, body []byte) (Request, error) {
	var in struct {
		Model    string          `json:"model"`
		Stream   bool            `json:"stream"`
		System   json.RawMessage `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"input_schema"`
			Defer       bool            `json:"defer_loading"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: in.Model, Stream: in.Stream, System: texts(in.System)}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, Tool{Name: t.Name, Description: t.Description, Parameters: t.InputSchema,
			Deferred: t.Defer})
	}
	for _, m := range in.Messages {
		var blocks []anthropicBlock
		if json.Unmarshal(m.Content, &blocks) != nil {
			out.Turns = append(out.Turns, Turn{Role: m.Role, Text: texts(m.Content)})
			continue
		}
		for _, b := range blocks {
			switch b.Type {
			case "tool_use":
				out.Turns = append(out.Turns, Turn{Role: m.Role, Call: &Call{ID: b.ID, Name: b.Name, Arguments: b.Input}})
			case "tool_result":
				out.Turns = append(out.Turns, Turn{Role: m.Role, Result: anthropicResult(b)})
			default:
				out.Turns = append(out.Turns, Turn{Role: m.Role, Text: b.Text})
			}
		}
	}
	return out, nil
}

func anthropicResult(b anthropicBlock) *Result {
	r := &Result{ID: b.ToolUseID, Text: texts(b.Content)}
	var parts []anthropicBlock
	if json.Unmarshal(b.Content, &parts) == nil {
		for _, part := range parts {
			if part.Type == "tool_reference" {
				r.Tools = append(r.Tools, Tool{Name: part.ToolName})
			}
		}
	}
	return r
}

func anthropicContent(reply Reply) (content []map[string]any, stop string) {
	stop = "end_turn"
	if reply.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": reply.Text})
	}
	for _, c := range reply.Calls {
		stop = "tool_use"
		content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name,
			"input": object(c.Arguments)})
	}
	return content, stop
}

func anthropicUsage(in Request) map[string]int {
	return map[string]int{"input_tokens": len(in.Raw) / 4, "output_tokens": 10, "cache_creation_input_tokens": 0,
		"cache_read_input_tokens": 0}
}

func writeAnthropic(in Request, reply Reply) any {
	content, stop := anthropicContent(reply)
	return map[string]any{
		"id": fmt.Sprintf("msg_%d", in.Number), "type": "message", "role": "assistant", "model": in.Model,
		"content":     content,
		"stop_reason": stop, "stop_sequence": nil, "usage": anthropicUsage(in),
	}
}

func streamAnthropic(in Request, reply Reply) []event {
	content, stop := anthropicContent(reply)
	var events []event
	add := func(name string, members map[string]any) {
		members["type"] = name
		events = append(events, event{name, members})
	}
	add("message_start", map[string]any{"message": map[string]any{
		"id": fmt.Sprintf("msg_%d", in.Number), "type": "message", "role": "assistant", "model": in.Model,
		"content":     []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": anthropicUsage(in),
	}})
	for i, block := range content {
		start, delta := map[string]any{"type": "text", "text": ""},
			map[string]any{"type": "text_delta", "text": block["text"]}
		if block["type"] == "tool_use" {
			start = map[string]any{"type": "tool_use", "id": block["id"], "name": block["name"], "input": map[string]any{}}
			delta = map[string]any{"type": "input_json_delta",
				"partial_json": strings.TrimSpace(string(block["input"].(json.RawMessage)))}
		}
		add("content_block_start", map[string]any{"index": i, "content_block": start})
		add("content_block_delta", map[string]any{"index": i, "delta": delta})
		add("content_block_stop", map[string]any{"index": i})
	}
	add("message_delta", map[string]any{"delta": map[string]any{"stop_reason": stop, "stop_sequence": nil},
		"usage": map[string]int{"output_tokens": 10}})
	add("message_stop", map[string]any{})
	return events
}
