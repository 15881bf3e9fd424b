package definition

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// The official SDKs check results of tools, prompts and resources, too. If one does not fit, the model gets an
// error of the library in its place, or the client waits for an answer that the library has dropped.

// MendResult corrects what servers answer to tools/call, prompts/get and resources/read, so that the official
// SDKs accept it: null in place of a missing member, one value in place of a list, another value in place of a
// text. What has a form that is not known here stays, since a client may know it. It returns the result that was
// passed in if nothing had to be corrected.
func MendResult(method string, result json.RawMessage) json.RawMessage {
	shape := results()[method]
	if shape == nil || len(result) == 0 || result[0] != '{' {
		return result
	}
	if kind, ok := jsonrpc.String(jsonrpc.Lookup(result, "resultType")); ok && kind != "complete" || jsonrpc.Lookup(result, "task") != nil {
		return result // the outcome comes later
	}
	m := mender{}
	if mended, ok := m.object("", shape, result); ok {
		return mended
	}
	return result
}

// MendProgress corrects the params of notifications/progress. They are not ok if they do not say how far it is.
func MendProgress(params json.RawMessage) (mended json.RawMessage, ok bool) {
	if len(params) == 0 || params[0] != '{' {
		return nil, false
	}
	m := mender{}
	return m.object("", progress, params)
}

var progress = &entry{is: object, members: []member{
	{name: "progress", entry: &entry{is: number}, required: true}, {name: "total", entry: &entry{is: number}}, {name: "message", entry: anyText},
	{name: "_meta", entry: anyObject},
}}

// results has the shape of the result of each method.
var results = sync.OnceValue(func() map[string]*entry {
	return map[string]*entry{
		"tools/call": {is: object, members: []member{
			{name: "content", entry: &entry{is: blocks}, required: true, otherwise: noContent},
			{name: "structuredContent", entry: &entry{is: structure}},
			{name: "isError", entry: anyFlag},
			{name: "_meta", entry: anyObject},
		}},
		"prompts/get": {is: object, members: []member{
			{name: "description", entry: anyText},
			{name: "messages", entry: &entry{is: list, of: &entry{is: object, members: []member{
				{name: "role", entry: &entry{is: text, values: []string{"user", "assistant"}}, required: true, otherwise: always(`"user"`)},
				{name: "content", entry: &entry{is: block}, required: true, otherwise: always(`{"type":"text","text":""}`)},
			}}}},
			{name: "_meta", entry: anyObject},
		}},
		"resources/read": {is: object, members: []member{
			{name: "contents", entry: &entry{is: list, of: &entry{is: object, members: []member{
				{name: "uri", entry: key, required: true},
				{name: "mimeType", entry: anyText},
				{name: "text", entry: spoken},
				{name: "blob", entry: &entry{is: binary}},
				{name: "_meta", entry: anyObject},
			}}}},
			{name: "_meta", entry: anyObject},
		}},
	}
})

// blockShapes has the shape of each type of content.
var blockShapes = sync.OnceValue(func() map[string]*entry {
	return map[string]*entry{
		"text": {is: object, members: append([]member{{name: "text", entry: spoken, required: true, otherwise: always(`""`)}}, besides...)},
		"image": {is: object, members: append([]member{
			{name: "data", entry: &entry{is: binary}, required: true}, {name: "mimeType", entry: anyText, required: true, otherwise: sniffed},
		}, besides...)},
		"audio": {is: object, members: append([]member{
			{name: "data", entry: &entry{is: binary}, required: true}, {name: "mimeType", entry: anyText, required: true, otherwise: sniffed},
		}, besides...)},
		"resource_link": {is: object, members: append([]member{
			{name: "uri", entry: key, required: true}, {name: "name", entry: anyText, required: true, otherwise: nameFromURI},
			{name: "title", entry: anyText}, {name: "description", entry: anyText}, {name: "mimeType", entry: anyText},
			{name: "size", entry: &entry{is: whole, most: 1 << 53}}, {name: "icons", entry: icons},
		}, besides...)},
		"resource": {is: object, members: append([]member{{name: "resource", required: true, entry: &entry{is: object, members: []member{
			{name: "uri", entry: key, required: true}, {name: "mimeType", entry: anyText},
			{name: "text", entry: spoken}, {name: "blob", entry: &entry{is: binary}}, {name: "_meta", entry: anyObject},
		}}}}, besides...)},
	}
})

// besides are the members that content of each type may have.
var besides = []member{{name: "type", entry: anyText}, {name: "annotations", entry: annotations}, {name: "_meta", entry: anyObject}}

// spoken is a text in whose place another value may stand, which then becomes text.
var spoken = &entry{is: anyValue}

// noContent returns the content of a result that has none, unless it is one of the first version of the protocol.
func noContent(members []jsonrpc.Member) json.RawMessage {
	if slices.ContainsFunc(members, func(m jsonrpc.Member) bool { return m.Name == "toolResult" }) {
		return nil
	}
	return json.RawMessage("[]")
}

func always(value string) func([]jsonrpc.Member) json.RawMessage {
	return func([]jsonrpc.Member) json.RawMessage { return json.RawMessage(value) }
}

// sniffed returns the type of data that does not say what it is.
func sniffed(members []jsonrpc.Member) json.RawMessage {
	for _, m := range members {
		if m.Name == "data" {
			data := string(m.Value[1 : len(m.Value)-1])
			start, _ := base64.StdEncoding.DecodeString(data[:min(len(data), 512)&^3]) // what was read before a fault is enough
			return jsonrpc.AppendString(nil, http.DetectContentType(start))
		}
	}
	return nil
}

// blocks corrects a list of content.
func (m *mender) blocks(raw json.RawMessage) json.RawMessage {
	elements := []json.RawMessage{raw}
	if raw[0] == '[' {
		elements, _ = jsonrpc.Elements(raw)
	}
	same := raw[0] == '['
	kept := elements[:0:0]
	for _, element := range elements {
		if string(element) == "null" {
			same = false
			continue
		}
		mended := m.block(element)
		same = same && sameBytes(mended, element)
		kept = append(kept, mended)
	}
	if same {
		return raw
	}
	return jsonrpc.AppendArray(nil, kept, jsonrpc.AppendValue)
}

// block corrects one piece of content. What is of another type stays as it is: a client may know it.
func (m *mender) block(raw json.RawMessage) json.RawMessage {
	if raw[0] != '{' {
		return textOf(raw)
	}
	kind, ok := jsonrpc.String(jsonrpc.Lookup(raw, "type"))
	if text := jsonrpc.Lookup(raw, "text"); !ok && text != nil {
		kind = "text"
		raw = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(raw), "type", json.RawMessage(`"text"`)))
	}
	shape := blockShapes()[kind]
	if shape == nil {
		return raw
	}
	mended, ok := m.object("", shape, raw)
	switch {
	case ok:
		return mended
	case kind == "image" || kind == "audio":
		return textOf(jsonrpc.AppendString(nil, "["+kind+" left out: its data is not valid base64]"))
	}
	return raw
}

// textOf returns a value as content that is text.
func textOf(raw json.RawMessage) json.RawMessage {
	return jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "type", Value: json.RawMessage(`"text"`)}, {Name: "text", Value: said(raw)}})
}

// said returns a value as a text: a text as it is, and the JSON of others.
func said(raw json.RawMessage) json.RawMessage {
	if raw[0] == '"' {
		return raw
	}
	return jsonrpc.AppendString(nil, string(jsonrpc.AppendCompact(nil, raw)))
}

// binary corrects data in base64: an address with data in it becomes the data, and the alphabet for addresses the usual one.
func (m *mender) binary(raw json.RawMessage) (json.RawMessage, bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return nil, false
	}
	if clean(raw[1 : len(raw)-1]) {
		return raw, true
	}
	data, ok := jsonrpc.String(raw)
	if !ok {
		return nil, false
	}
	if begin, rest, isAddress := strings.Cut(data, ";base64,"); isAddress && strings.HasPrefix(begin, "data:") {
		data = rest
	}
	data = strings.Join(strings.Fields(strings.NewReplacer("-", "+", "_", "/").Replace(data)), "")
	if data = strings.TrimRight(data, "="); len(data)%4 == 1 || strings.Trim(data, alphabet) != "" {
		return nil, false
	}
	data += strings.Repeat("=", -len(data)&3)
	return jsonrpc.AppendString(nil, data), true
}

// alphabet is that of base64.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// clean reports whether data is base64 as all programs take it.
func clean(data []byte) bool {
	body := bytes.TrimRight(data, "=")
	if len(data)%4 != 0 || len(data)-len(body) > 2 {
		return false
	}
	for _, c := range body {
		if !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/') {
			return false
		}
	}
	return true
}
