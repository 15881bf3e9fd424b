package mcpserver

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
)

// If a server asks the person or the model something, it is the client that shows the question. So the question names
// the server: its text begins with [toolbox/server], as descriptions do, and _meta has the server, too.

// metaAsker is the member of _meta with the server that asks.
const metaAsker = "workbench/server"

// withAsker returns the params of a server's request with the server added, if the request has text.
func withAsker(from toolbox.ServerID, method string, params json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(params)
	switch method {
	case "elicitation/create":
		members = exact(members, "mode", "message", "url", "requestedSchema", "_meta")
		members = jsonrpc.With(members, "message", signed(from, jsonrpc.ValueOf(members, "message")))
	case "sampling/createMessage":
		members = exact(members, "systemPrompt", "messages", "_meta")
		prompt := jsonrpc.ValueOf(members, "systemPrompt")
		messages, _ := jsonrpc.Elements(jsonrpc.ValueOf(members, "messages"))
		isSigned := prompt != nil
		for i, message := range messages {
			words := false
			messages[i], words = signedContent(from, message)
			isSigned = isSigned || words
		}
		if messages != nil {
			members = jsonrpc.With(members, "messages", jsonrpc.AppendArray(nil, messages, jsonrpc.AppendValue))
		}
		if prompt != nil || !isSigned {
			members = jsonrpc.With(members, "systemPrompt", signed(from, prompt))
		}
	default:
		return params
	}
	meta := append([]byte(`{"toolbox":`), jsonrpc.AppendString(nil, from.Toolbox)...)
	meta = append(jsonrpc.AppendString(append(meta, `,"server":`...), from.Server), '}')
	members = jsonrpc.With(members, "_meta",
		jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(jsonrpc.ValueOf(members, "_meta")), metaAsker, meta)))
	return jsonrpc.AppendObject(nil, members)
}

// exact removes members whose names differ from names only in case, such as "Message". Some clients ignore case, and
// would read something that was not checked here. Of members with the same name, the first stays.
func exact(members []jsonrpc.Member, names ...string) []jsonrpc.Member {
	members = slices.DeleteFunc(members, func(m jsonrpc.Member) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return name != m.Name && strings.EqualFold(name, m.Name)
		})
	})
	for _, name := range names {
		if value := jsonrpc.ValueOf(members, name); value != nil {
			members = jsonrpc.With(members, name, value)
		}
	}
	return members
}

// signed returns a text with the server in front. If text is not a string, the result has only the server.
func signed(from toolbox.ServerID, text json.RawMessage) json.RawMessage {
	words, _ := jsonrpc.String(text)
	return jsonrpc.AppendString(nil, strings.TrimSpace("["+from.String()+"] "+words))
}

// signedContent returns content, which may be a message, a block or several blocks, with the first text in it signed.
// It reports whether there is one.
func signedContent(from toolbox.ServerID, content json.RawMessage) (json.RawMessage, bool) {
	switch content[0] {
	case '{':
		block := exact(jsonrpc.Split(content), "type", "text", "content", "resource")
		if text := jsonrpc.ValueOf(block, "text"); text != nil {
			return jsonrpc.AppendObject(nil, jsonrpc.With(block, "text", signed(from, text))), true
		}
		for _, name := range []string{"content", "resource"} {
			if inside := jsonrpc.ValueOf(block, name); inside != nil {
				if inside, ok := signedContent(from, inside); ok {
					return jsonrpc.AppendObject(nil, jsonrpc.With(block, name, inside)), true
				}
			}
		}
		return jsonrpc.AppendObject(nil, block), false
	case '[':
		blocks, _ := jsonrpc.Elements(content)
		isSigned := false
		for i, block := range blocks {
			if blocks[i], isSigned = signedContent(from, block); isSigned {
				break
			}
		}
		return jsonrpc.AppendArray(nil, blocks, jsonrpc.AppendValue), isSigned
	case '"':
		return signed(from, content), true // as some servers write it
	}
	return content, false
}

// withAskers returns a result of a server with the server added to the requests to the client in it. Requests to visit
// an address that is not a web page are removed.
func withAskers(from toolbox.ServerID, result []jsonrpc.Member) []jsonrpc.Member {
	inputs := jsonrpc.Split(jsonrpc.ValueOf(result, "inputRequests"))
	if len(inputs) == 0 {
		return result
	}
	inputs = slices.DeleteFunc(inputs, func(input jsonrpc.Member) bool {
		method, _ := jsonrpc.String(jsonrpc.Lookup(input.Value, "method"))
		return method == "elicitation/create" && hasBadPage(jsonrpc.Lookup(input.Value, "params"))
	})
	for i, input := range inputs {
		method, _ := jsonrpc.String(jsonrpc.Lookup(input.Value, "method"))
		if params := jsonrpc.Lookup(input.Value, "params"); params != nil {
			inputs[i].Value = jsonrpc.AppendObject(nil,
				jsonrpc.With(jsonrpc.Split(input.Value), "params", withAsker(from, method, params)))
		}
	}
	return jsonrpc.With(result, "inputRequests", jsonrpc.AppendObject(nil, inputs))
}

// withVisitAsker returns the error with which a server requires visits to web pages, with the server added. Addresses
// that are not web pages are removed. It returns nil if none is left.
func withVisitAsker(err error, rpc *downstream.RPCError) *downstream.RPCError {
	var failure *toolbox.Error
	elicitations, _ := jsonrpc.Elements(jsonrpc.Lookup(rpc.Data, "elicitations"))
	if !errors.As(err, &failure) || len(elicitations) == 0 {
		return rpc
	}
	if elicitations = slices.DeleteFunc(elicitations, hasBadPage); len(elicitations) == 0 {
		return nil
	}
	from := toolbox.ServerID{Toolbox: failure.Details.Toolbox, Server: failure.Details.Server}
	for i, one := range elicitations {
		elicitations[i] = withAsker(from, "elicitation/create", one)
	}
	asking := *rpc
	asking.Data = jsonrpc.AppendObject(nil,
		jsonrpc.With(jsonrpc.Split(rpc.Data), "elicitations", jsonrpc.AppendArray(nil, elicitations, jsonrpc.AppendValue)))
	return &asking
}

// hasBadPage reports whether an elicitation has an address that is not a web page, in any member that a client may
// read as the address.
func hasBadPage(elicitation json.RawMessage) bool {
	pages, bad, visits := 0, false, false
	for _, m := range jsonrpc.Split(elicitation) {
		text, _ := jsonrpc.String(m.Value)
		switch {
		case strings.EqualFold(m.Name, "url"):
			pages++
			bad = bad || !isWebPage(text)
		case strings.EqualFold(m.Name, "mode"):
			visits = visits || text == "url"
		}
	}
	return bad || visits && pages == 0
}

// isWebPage reports whether an address is that of a web page and has no invisible characters.
func isWebPage(address string) bool {
	page, err := url.Parse(address)
	return err == nil && (page.Scheme == "https" || page.Scheme == "http") && page.Host != "" &&
		downstream.Clean(address, len(address)) == address
}
