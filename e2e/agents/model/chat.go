package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func chat() protocol {
	return protocol{name: "chat", read: readChat, write: writeChat, stream: streamChat}
}

type chatCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"` // JSON, as text
	} `json:"function"`
}

func readChat(_ *http.Request, body []byte) (Request, error) {
	var in struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role       string          `json:"role"`
			Content    json.RawMessage `json:"content"`
			ToolCalls  []chatCall      `json:"tool_calls"`
			ToolCallID string          `json:"tool_call_id"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				Parameters  json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		Format struct {
			Type string `json:"type"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: in.Model, Stream: in.Stream,
		JSON: in.Format.Type == "json_schema" || in.Format.Type == "json_object"}
	for _, t := range in.Tools {
		out.Tools = append(out.Tools, Tool{Name: t.Function.Name, Description: t.Function.Description,
			Parameters: t.Function.Parameters})
	}
	for _, m := range in.Messages {
		text := ""
		if len(m.Content) > 0 && string(m.Content) != "null" {
			text = texts(m.Content)
		}
		switch m.Role {
		case "system", "developer":
			out.System += text + "\n"
		case "tool":
			out.Turns = append(out.Turns, Turn{Role: "user", Result: &Result{ID: m.ToolCallID, Text: text}})
		default:
			if text != "" {
				out.Turns = append(out.Turns, Turn{Role: m.Role, Text: text})
			}
			for _, c := range m.ToolCalls {
				out.Turns = append(out.Turns, Turn{Role: m.Role,
					Call: &Call{ID: c.ID, Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)}})
			}
		}
	}
	return out, nil
}

func chatCalls(reply Reply) (calls []chatCall, finish string) {
	finish = "stop"
	for i, c := range reply.Calls {
		finish = "tool_calls"
		call := chatCall{Index: i, ID: c.ID, Type: "function"}
		call.Function.Name, call.Function.Arguments = c.Name, string(object(c.Arguments))
		calls = append(calls, call)
	}
	return calls, finish
}

func chatUsage(in Request) map[string]int {
	n := len(in.Raw) / 4
	return map[string]int{"prompt_tokens": n, "completion_tokens": 10, "total_tokens": n + 10}
}

func chatMessage(reply Reply) (map[string]any, string) {
	message := map[string]any{"role": "assistant", "content": reply.Text}
	calls, finish := chatCalls(reply)
	if len(calls) > 0 {
		message["tool_calls"] = calls
	}
	return message, finish
}

func writeChat(in Request, reply Reply) any {
	message, finish := chatMessage(reply)
	return map[string]any{
		"id": fmt.Sprintf("chatcmpl-%d", in.Number), "object": "chat.completion", "created": 1, "model": in.Model,
		"usage":   chatUsage(in),
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
	}
}

func streamChat(in Request, reply Reply) []event {
	message, finish := chatMessage(reply)
	chunk := func(choices []any, more map[string]any) event {
		c := map[string]any{"id": fmt.Sprintf("chatcmpl-%d", in.Number), "object": "chat.completion.chunk", "created": 1,
			"model": in.Model, "choices": choices}
		for name, value := range more {
			c[name] = value
		}
		return event{data: c}
	}
	return []event{
		chunk([]any{map[string]any{"index": 0, "delta": message, "finish_reason": nil}}, nil),
		chunk([]any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}, nil),
		chunk([]any{}, map[string]any{"usage": chatUsage(in)}),
		{data: "[DONE]"},
	}
}
