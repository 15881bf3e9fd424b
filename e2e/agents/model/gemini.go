package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
)

func gemini() protocol {
	return protocol{name: "gemini", read: readGemini, write: writeGemini, stream: streamGemini}
}

type geminiContent struct {
	Role  string `json:"role"`
	Parts []struct {
		Text         string `json:"text"`
		FunctionCall *struct {
			ID   string          `json:"id"`
			Name string          `json:"name"`
			Args json.RawMessage `json:"args"`
		} `json:"functionCall"`
		FunctionResponse *struct {
			ID       string          `json:"id"`
			Name     string          `json:"name"`
			Response json.RawMessage `json:"response"`
		} `json:"functionResponse"`
	} `json:"parts"`
}

func readGemini(r *http.Request, body []byte) (Request, error) {
	var in struct {
		System   geminiContent   `json:"systemInstruction"`
		Contents []geminiContent `json:"contents"`
		Tools    []struct {
			Functions []struct {
				Name        string          `json:"name"`
				Description string          `json:"description"`
				Parameters  json.RawMessage `json:"parameters"`
				Schema      json.RawMessage `json:"parametersJsonSchema"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Generation struct {
			MimeType string `json:"responseMimeType"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return Request{}, err
	}
	name, method, _ := strings.Cut(path.Base(r.URL.Path), ":")
	out := Request{Model: name, Stream: method == "streamGenerateContent",
		JSON: in.Generation.MimeType == "application/json"}
	for _, part := range in.System.Parts {
		out.System += part.Text
	}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			parameters := f.Schema
			if parameters == nil {
				parameters = f.Parameters
			}
			out.Tools = append(out.Tools, Tool{Name: f.Name, Description: f.Description, Parameters: parameters})
		}
	}
	for _, content := range in.Contents {
		role := "user"
		if content.Role == "model" {
			role = "assistant"
		}
		for _, part := range content.Parts {
			switch {
			case part.FunctionCall != nil:
				out.Turns = append(out.Turns, Turn{Role: role,
					Call: &Call{ID: part.FunctionCall.ID, Name: part.FunctionCall.Name, Arguments: part.FunctionCall.Args}})
			case part.FunctionResponse != nil:
				out.Turns = append(out.Turns, Turn{Role: role,
					Result: &Result{ID: part.FunctionResponse.ID, Text: geminiText(part.FunctionResponse.Response)}})
			default:
				out.Turns = append(out.Turns, Turn{Role: role, Text: part.Text})
			}
		}
	}
	return out, nil
}

// geminiText returns the text of a function's response, which agents put into the member output.
func geminiText(response json.RawMessage) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(response, &members) == nil {
		for _, name := range []string{"output", "error"} {
			if raw, ok := members[name]; ok {
				return texts(raw)
			}
		}
	}
	return string(response)
}

func writeGemini(in Request, reply Reply) any {
	var parts []any
	if reply.Text != "" {
		parts = append(parts, map[string]any{"text": reply.Text})
	}
	for _, c := range reply.Calls {
		parts = append(parts, map[string]any{
			"functionCall": map[string]any{"id": c.ID, "name": c.Name, "args": object(c.Arguments)}})
	}
	n := len(in.Raw) / 4
	return map[string]any{
		"responseId": fmt.Sprintf("response-%d", in.Number), "modelVersion": in.Model,
		"candidates": []any{map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts},
			"finishReason": "STOP"}},
		"usageMetadata": map[string]int{"promptTokenCount": n, "candidatesTokenCount": 10, "totalTokenCount": n + 10},
	}
}

func streamGemini(in Request, reply Reply) []event {
	return []event{{data: writeGemini(in, reply)}}
}
