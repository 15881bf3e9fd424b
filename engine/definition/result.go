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

// MendResult corrects what servers answer to tools/call, prompts/get, resources/read and completion/complete, so
// that the official SDKs accept it: null in place of a missing member, one value in place of a list, another value
// in place of a text. Content of a type that is not known here stays, since a client may know it. Of other results,
// only what an SDK refuses in all of them is corrected. params are those of the request. members are those of the
// result; MendResult returns them if nothing had to be corrected.
func MendResult(method string, params, members []jsonrpc.Member) []jsonrpc.Member {
	shape := results()[method]
	if kind, ok := jsonrpc.String(jsonrpc.ValueOf(members, "resultType")); ok && kind != "complete" ||
		jsonrpc.ValueOf(members, "task") != nil {
		shape = nil // the outcome comes later
	}
	if shape == nil {
		shape = anyResult
	}
	m := mender{}
	if method == "resources/read" {
		for _, p := range params {
			if p.Name == "uri" {
				m.asked = p.Value
			}
		}
	}
	mended, same, ok := m.membersOf("", shape, members)
	if same || !ok {
		return members
	}
	if m.cut {
		completion := jsonrpc.With(jsonrpc.Split(jsonrpc.ValueOf(mended, "completion")), "hasMore", json.RawMessage("true"))
		mended = jsonrpc.With(mended, "completion", jsonrpc.AppendObject(nil, completion))
	}
	return mended
}

// MendStructure returns the result of a tool for a client of a version before 2026-07-28, which takes only an object
// for structured content. Another value becomes text, if the result has no content besides.
func MendStructure(result []jsonrpc.Member) []jsonrpc.Member {
	structure := jsonrpc.ValueOf(result, "structuredContent")
	if len(structure) == 0 || structure[0] == '{' {
		return result
	}
	result = slices.DeleteFunc(slices.Clone(result), func(m jsonrpc.Member) bool {
		return m.Name == "structuredContent"
	})
	if content := jsonrpc.ValueOf(result, "content"); string(content) == "[]" {
		result = jsonrpc.With(result, "content", listOf(textBlock(structure)))
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
	{name: "progress", entry: &entry{is: number}, required: true}, {name: "total", entry: &entry{is: number}},
	{name: "message", entry: anyText},
	{name: "_meta", entry: anyObject},
}}

// anyResult has what is checked in all results.
var anyResult = &entry{is: object, members: inAll}

// inAll are the members that a result of each method may have.
var inAll = []member{{name: "resultType", entry: anyText}, {name: "_meta", entry: anyObject}}

// results has the shape of the result of each method.
var results = sync.OnceValue(func() map[string]*entry {
	ofTool := &entry{is: object, members: append([]member{
		{name: "content", entry: &entry{is: blocks}, required: true, otherwise: oldContent},
		{name: "structuredContent", entry: &entry{is: structure}},
		{name: "isError", entry: anyFlag},
	}, inAll...)}
	return map[string]*entry{
		"tools/call":   ofTool,
		"tasks/result": ofTool, // tasks are made of calls only
		"prompts/get": {is: object, members: append([]member{
			{name: "description", entry: anyText},
			{name: "messages", entry: &entry{is: messages}, required: true, otherwise: always("[]")},
		}, inAll...)},
		"resources/read": {is: object, members: append([]member{
			{name: "contents", entry: &entry{is: contents}, required: true},
			{name: "ttlMs", entry: &entry{is: number}}, {name: "cacheScope", entry: anyText},
		}, inAll...)},
		"completion/complete": {is: object, members: append([]member{
			{name: "completion", required: true, otherwise: always(`{"values":[]}`),
				entry: &entry{is: object, members: []member{
					{name: "values", entry: &entry{is: list, of: anyText, most: 100}, required: true, otherwise: always("[]")},
					{name: "total", entry: &entry{is: whole}}, {name: "hasMore", entry: anyFlag},
				}}},
		}, inAll...)},
	}
})

// message is the shape of the messages of a prompt.
var message = &entry{is: list, of: &entry{is: object, members: []member{
	{name: "role", entry: &entry{is: text, values: []string{"user", "assistant"}}, required: true,
		otherwise: always(`"user"`)},
	{name: "content", entry: &entry{is: block}, required: true, otherwise: always(`{"type":"text","text":""}`)},
}}}

// part is the shape of the contents of a resource.
var part = &entry{is: object, members: []member{
	{name: "uri", entry: key, required: true},
	{name: "mimeType", entry: anyText},
	{name: "text", entry: textOrOther},
	{name: "blob", entry: &entry{is: binary}},
	{name: "_meta", entry: anyObject},
}}

// blockShapes has the shape of each type of content.
var blockShapes = sync.OnceValue(func() map[string]*entry {
	return map[string]*entry{
		"text": {is: object, members: append(
			[]member{{name: "text", entry: textOrOther, required: true, otherwise: always(`""`)}}, besides...)},
		"image": {is: object, members: append([]member{
			{name: "data", entry: &entry{is: binary}, required: true},
			{name: "mimeType", entry: anyText, required: true, otherwise: sniffed},
		}, besides...)},
		"audio": {is: object, members: append([]member{
			{name: "data", entry: &entry{is: binary}, required: true},
			{name: "mimeType", entry: anyText, required: true, otherwise: sniffed},
		}, besides...)},
		"resource_link": {is: object, members: append([]member{
			{name: "uri", entry: key, required: true}, {name: "name", entry: anyText, required: true, otherwise: nameFromURI},
			{name: "title", entry: anyText}, {name: "description", entry: anyText}, {name: "mimeType", entry: anyText},
			{name: "size", entry: &entry{is: whole, most: 1 << 53}}, {name: "icons", entry: icons},
		}, besides...)},
		"resource": {is: object, members: append([]member{{name: "resource", required: true, entry: &entry{is: content}}},
			besides...)},
	}
})

// besides are the members that content of each type may have.
var besides = []member{{name: "type", entry: anyText}, {name: "annotations", entry: annotations},
	{name: "_meta", entry: anyObject}}

// textOrOther is a text in whose place another value may stand, which then becomes text.
var textOrOther = &entry{is: anyValue}

// oldContent returns the content of a result that has none: what the first version of the protocol had in its place.
func oldContent(members []jsonrpc.Member) json.RawMessage {
	for _, m := range members {
		if m.Name == "toolResult" {
			return listOf(textBlock(m.Value))
		}
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
			// What is read before a fault is enough.
			start, _ := base64.StdEncoding.DecodeString(data[:min(len(data), 512)&^3])
			return jsonrpc.AppendString(nil, http.DetectContentType(start))
		}
	}
	return nil
}

// blocks corrects a list of content.
func (m *mender) blocks(raw json.RawMessage) json.RawMessage {
	return mapElements(raw, func(element json.RawMessage) []json.RawMessage {
		if string(element) == "null" {
			return nil
		}
		return []json.RawMessage{m.block(element)}
	})
}

// mapElements returns a list in which each element is replaced by what change makes of it: nothing, one element or
// several. A value that is no list is taken as the only element of one.
func mapElements(raw json.RawMessage, change func(element json.RawMessage) []json.RawMessage) json.RawMessage {
	elements, same := []json.RawMessage{raw}, false
	if raw[0] == '[' {
		elements, _ = jsonrpc.Elements(raw)
		same = true
	}
	kept := elements[:0:0]
	for _, element := range elements {
		changed := change(element)
		same = same && len(changed) == 1 && sameBytes(changed[0], element)
		kept = append(kept, changed...)
	}
	if same {
		return raw
	}
	return jsonrpc.AppendArray(nil, kept, jsonrpc.AppendValue)
}

// block corrects one piece of content. What is of another type stays as it is: a client may know it.
func (m *mender) block(raw json.RawMessage) json.RawMessage {
	if raw[0] != '{' {
		return textBlock(raw)
	}
	members := jsonrpc.Split(raw)
	kind, ok := jsonrpc.String(jsonrpc.ValueOf(members, "type"))
	if !ok {
		if kind = untyped(members); kind == "" {
			return textBlock(raw)
		}
		members = jsonrpc.With(members, "type", jsonrpc.AppendString(nil, kind))
		raw = jsonrpc.AppendObject(nil, members)
	}
	shape := blockShapes()[kind]
	if shape == nil {
		return raw
	}
	if mended, ok := m.objectOf("", shape, raw, members); ok {
		return mended
	}
	inner := jsonrpc.ValueOf(members, "resource")
	switch inside := jsonrpc.Lookup(inner, "text"); {
	case kind == "image" || kind == "audio":
		return leftOut(kind, "its data is not valid base64")
	case len(inside) > 0 && inside[0] == '"':
		return textBlock(inside)
	case jsonrpc.Lookup(inner, "blob") != nil:
		return leftOut(kind, "it has no URI")
	}
	return textBlock(raw)
}

// untyped returns the type of content that does not say it; "" if it is not known.
func untyped(members []jsonrpc.Member) string {
	kind, _ := jsonrpc.String(jsonrpc.ValueOf(members, "mimeType"))
	kind, _, _ = strings.Cut(kind, "/")
	switch {
	case jsonrpc.ValueOf(members, "text") != nil:
		return "text"
	case jsonrpc.ValueOf(members, "data") != nil && (kind == "image" || kind == "audio"):
		return kind
	case jsonrpc.ValueOf(members, "resource") != nil:
		return "resource"
	case jsonrpc.ValueOf(members, "uri") != nil:
		return "resource_link"
	}
	return ""
}

// leftOut returns content that stands in place of other content.
func leftOut(kind, why string) json.RawMessage {
	return textBlock(jsonrpc.AppendString(nil, "["+kind+" left out: "+why+"]"))
}

// splitMessages makes the messages of a prompt a list of objects with one piece of content each.
func splitMessages(raw json.RawMessage) json.RawMessage {
	return mapElements(raw, func(element json.RawMessage) (split []json.RawMessage) {
		content := jsonrpc.Lookup(element, "content")
		switch {
		case element[0] == '"':
			return []json.RawMessage{jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "content", Value: element}})}
		case element[0] == '{' && len(content) > 0 && content[0] == '[':
			blocks, _ := jsonrpc.Elements(content)
			for _, one := range blocks {
				split = append(split, jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(element), "content", one)))
			}
			return split
		}
		return []json.RawMessage{element}
	})
}

// contents corrects the contents of a resource.
func (m *mender) contents(raw json.RawMessage) json.RawMessage {
	return mapElements(raw, func(element json.RawMessage) []json.RawMessage {
		if element[0] == '"' {
			element = jsonrpc.AppendObject(nil, []jsonrpc.Member{{Name: "text", Value: element}})
		}
		if mended, ok := m.content(element); ok {
			return []json.RawMessage{mended}
		}
		return nil
	})
}

// content corrects one element of the contents of a resource. An element without a uri gets that of the request.
func (m *mender) content(raw json.RawMessage) (json.RawMessage, bool) {
	if uri, _ := jsonrpc.String(jsonrpc.Lookup(raw, "uri")); raw[0] == '{' && uri == "" && m.asked != nil {
		raw = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(raw), "uri", m.asked))
	}
	mended, ok := m.object("", part, raw)
	if !ok || jsonrpc.Lookup(mended, "text") != nil || jsonrpc.Lookup(mended, "blob") != nil {
		return mended, ok
	}
	instead := ""
	if blob := jsonrpc.Lookup(raw, "blob"); blob != nil && string(blob) != "null" {
		instead = "[contents left out: they are not valid base64]"
	}
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(mended), "text", jsonrpc.AppendString(nil, instead))),
		true
}

// listOf returns a list of one value.
func listOf(value json.RawMessage) json.RawMessage {
	return jsonrpc.AppendArray(nil, []json.RawMessage{value}, jsonrpc.AppendValue)
}

// textBlock returns a value as content that is text.
func textBlock(raw json.RawMessage) json.RawMessage {
	return jsonrpc.AppendObject(nil,
		[]jsonrpc.Member{{Name: "type", Value: json.RawMessage(`"text"`)}, {Name: "text", Value: asText(raw)}})
}

// asText returns a value as a text: a text as it is, and the JSON of others.
func asText(raw json.RawMessage) json.RawMessage {
	if raw[0] == '"' {
		return raw
	}
	return jsonrpc.AppendString(nil, string(jsonrpc.AppendCompact(nil, raw)))
}

// binary corrects data in base64: an address with data in it becomes the data, and the alphabet for addresses the
// usual one.
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
