package model

import (
	"encoding/json"
	"fmt"
	"net/http"
)

func responses() protocol {
	return protocol{name: "responses", read: readResponses, write: writeResponses, stream: streamResponses}
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Defer       bool            `json:"defer_loading"`
	Tools       []responsesTool `json:"tools"` // of a namespace
}

type responsesItem struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	CallID    string          `json:"call_id"`
	Namespace string          `json:"namespace"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Output    json.RawMessage `json:"output"`
	Tools     []responsesTool `json:"tools"` // of the output of a search
}

func readResponses(_ *http.Request, body []byte) (Request, error) {
	var in struct {
		Model        string          `json:"model"`
		Stream       bool            `json:"stream"`
		Instructions string          `json:"instructions"`
		Input        json.RawMessage `json:"input"`
		Tools        []responsesTool `json:"tools"`
		Text         struct {
			Format struct {
				Type string `json:"type"`
			} `json:"format"`
		} `json:"text"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	out := Request{Model: in.Model, Stream: in.Stream, System: in.Instructions,
		JSON: in.Text.Format.Type == "json_schema"}
	out.Tools = responsesTools(in.Tools, responsesTool{})
	var items []responsesItem
	if json.Unmarshal(in.Input, &items) != nil {
		out.Turns = append(out.Turns, Turn{Role: "user", Text: texts(in.Input)})
	}
	for _, item := range items {
		switch item.Type {
		case "function_call", "tool_search_call", "custom_tool_call":
			out.Turns = append(out.Turns, Turn{Role: "assistant", Call: &Call{
				ID: item.CallID, Name: item.Name, Namespace: item.Namespace, Arguments: asObject(item.Arguments),
				Search: item.Type == "tool_search_call",
			}})
		case "function_call_output", "tool_search_output", "custom_tool_call_output":
			out.Turns = append(out.Turns, Turn{Role: "user",
				Result: &Result{ID: item.CallID, Text: texts(item.Output), Tools: responsesTools(item.Tools, responsesTool{})}})
		case "message", "":
			if item.Role == "system" || item.Role == "developer" {
				out.System += "\n" + texts(item.Content)
				continue
			}
			out.Turns = append(out.Turns, Turn{Role: item.Role, Text: texts(item.Content)})
		}
	}
	return out, nil
}

// asObject returns arguments that are given as text, as those of a function call are, as the object in it.
func asObject(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return json.RawMessage(text)
	}
	return raw
}

func responsesTools(in []responsesTool, namespace responsesTool) (out []Tool) {
	for _, t := range in {
		if t.Type == "namespace" {
			out = append(out, responsesTools(t.Tools, t)...)
			continue
		}
		name := t.Name
		if name == "" {
			name = t.Type // as tool_search and web_search
		}
		out = append(out, Tool{
			Name: name, Namespace: namespace.Name, About: namespace.Description, Description: t.Description,
			Parameters: t.Parameters, Deferred: t.Defer, Search: t.Type == "tool_search",
		})
	}
	return out
}

func responsesOutput(in Request, reply Reply) (items []map[string]any) {
	if reply.Text != "" {
		items = append(items, map[string]any{
			"type": "message", "id": fmt.Sprintf("msg_%d", in.Number), "role": "assistant", "status": "completed",
			"content": []any{map[string]any{"type": "output_text", "text": reply.Text, "annotations": []any{}}},
		})
	}
	for i, c := range reply.Calls {
		item := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%d_%s", i, c.ID), "call_id": c.ID,
			"name": c.Name, "arguments": string(object(c.Arguments)), "status": "completed"}
		if c.Namespace != "" {
			item["namespace"] = c.Namespace
		}
		if c.Search {
			item = map[string]any{"type": "tool_search_call", "id": fmt.Sprintf("ts_%d_%s", i, c.ID), "call_id": c.ID,
				"execution": "client", "arguments": object(c.Arguments), "status": "completed"}
		}
		items = append(items, item)
	}
	return items
}

func response(in Request, status string, output []map[string]any) map[string]any {
	n := len(in.Raw) / 4
	return map[string]any{
		"id": fmt.Sprintf("resp_%d", in.Number), "object": "response", "created_at": 1, "status": status, "model": in.Model,
		"output":              append([]map[string]any{}, output...),
		"parallel_tool_calls": false, "tool_choice": "auto", "tools": []any{}, "error": nil, "incomplete_details": nil,
		"usage": map[string]any{
			"input_tokens": n, "input_tokens_details": map[string]int{"cached_tokens": 0},
			"output_tokens": 10, "output_tokens_details": map[string]int{"reasoning_tokens": 0}, "total_tokens": n + 10,
		},
	}
}

func writeResponses(in Request, reply Reply) any {
	return response(in, "completed", responsesOutput(in, reply))
}

func streamResponses(in Request, reply Reply) (events []event) {
	add := func(name string, members map[string]any) {
		members["type"], members["sequence_number"] = name, len(events)
		events = append(events, event{name, members})
	}
	output := responsesOutput(in, reply)
	add("response.created", map[string]any{"response": response(in, "in_progress", nil)})
	for i, item := range output {
		add("response.output_item.added", map[string]any{"output_index": i, "item": begun(item)})
		switch item["type"] {
		case "message":
			text := map[string]any{"item_id": item["id"], "output_index": i, "content_index": 0}
			add("response.content_part.added",
				with(text, "part", map[string]any{"type": "output_text", "text": "", "annotations": []any{}}))
			add("response.output_text.delta", with(text, "delta", reply.Text))
			add("response.output_text.done", with(text, "text", reply.Text))
			add("response.content_part.done", with(text, "part", item["content"].([]any)[0]))
		case "function_call":
			call := map[string]any{"item_id": item["id"], "output_index": i}
			add("response.function_call_arguments.delta", with(call, "delta", item["arguments"]))
			add("response.function_call_arguments.done", with(call, "arguments", item["arguments"]))
		}
		add("response.output_item.done", map[string]any{"output_index": i, "item": item})
	}
	add("response.completed", map[string]any{"response": response(in, "completed", output)})
	return events
}

// begun returns an item as it is announced, before its content has come.
func begun(item map[string]any) map[string]any {
	out := with(item, "status", "in_progress")
	switch item["type"] {
	case "message":
		out["content"] = []any{}
	case "function_call":
		out["arguments"] = ""
	}
	return out
}

// with returns a copy with one member set.
func with(members map[string]any, name string, value any) map[string]any {
	out := map[string]any{name: value}
	for n, v := range members {
		if n != name {
			out[n] = v
		}
	}
	return out
}
