package workbench

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

// A person, or a model, who is asked something by a server sees the client ask. So the words of a server say which
// server it is: they begin with [toolbox/server], as descriptions do, and _meta says the same.

// metaAsker is the member of _meta with the server that a request comes from.
const metaAsker = "workbench/server"

// withAsker returns the params of a server's request with the server in them, if the request has words.
func withAsker(from toolbox.ServerID, method string, params json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(params)
	switch method {
	case "elicitation/create":
		members = jsonrpc.With(members, "message", signed(from, member(members, "message")))
	case "sampling/createMessage":
		if prompt := member(members, "systemPrompt"); prompt != nil {
			members = jsonrpc.With(members, "systemPrompt", signed(from, prompt))
		}
		messages, _ := jsonrpc.Elements(member(members, "messages"))
		for i, message := range messages {
			said := jsonrpc.Split(message)
			if content := member(said, "content"); content != nil {
				messages[i] = jsonrpc.AppendObject(nil, jsonrpc.With(said, "content", signedContent(from, content)))
			}
		}
		if messages != nil {
			members = jsonrpc.With(members, "messages", jsonrpc.AppendArray(nil, messages, jsonrpc.AppendValue))
		}
	default:
		return params
	}
	meta := append([]byte(`{"toolbox":`), jsonrpc.AppendString(nil, from.Toolbox)...)
	meta = append(jsonrpc.AppendString(append(meta, `,"server":`...), from.Server), '}')
	members = jsonrpc.With(members, "_meta", jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(member(members, "_meta")), metaAsker, meta)))
	return jsonrpc.AppendObject(nil, members)
}

// signed returns a text of a server that begins with its name. What is no text becomes one with the name alone.
func signed(from toolbox.ServerID, text json.RawMessage) json.RawMessage {
	words, _ := jsonrpc.String(text)
	return jsonrpc.AppendString(nil, strings.TrimSpace("["+from.String()+"] "+words))
}

// signedContent returns the content of a message, one block or several, with the first text signed.
func signedContent(from toolbox.ServerID, content json.RawMessage) json.RawMessage {
	switch content[0] {
	case '{':
		block := jsonrpc.Split(content)
		if text := member(block, "text"); text != nil {
			return jsonrpc.AppendObject(nil, jsonrpc.With(block, "text", signed(from, text)))
		}
	case '[':
		blocks, _ := jsonrpc.Elements(content)
		for i, block := range blocks {
			if jsonrpc.Lookup(block, "text") != nil {
				blocks[i] = signedContent(from, block)
				break
			}
		}
		return jsonrpc.AppendArray(nil, blocks, jsonrpc.AppendValue)
	case '"':
		return signed(from, content) // as some servers write it
	}
	return content
}

// withAskers returns a result of a server with the server in the requests that it makes of the client there. A request
// to visit what is no page on the web is left out.
func withAskers(from toolbox.ServerID, result json.RawMessage) json.RawMessage {
	inputs := jsonrpc.Split(jsonrpc.Lookup(result, "inputRequests"))
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
			inputs[i].Value = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(input.Value), "params", withAsker(from, method, params)))
		}
	}
	return jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(result), "inputRequests", jsonrpc.AppendObject(nil, inputs)))
}

// withVisitAsker returns the error that wants pages to be visited first with the server in its words. What is no page
// on the web is left out; it returns nil if no page is left.
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
	asking.Data = jsonrpc.AppendObject(nil, jsonrpc.With(jsonrpc.Split(rpc.Data), "elicitations", jsonrpc.AppendArray(nil, elicitations, jsonrpc.AppendValue)))
	return &asking
}

// hasBadPage reports whether an elicitation is about an address that is no page on the web.
func hasBadPage(elicitation json.RawMessage) bool {
	mode, _ := jsonrpc.String(jsonrpc.Lookup(elicitation, "mode"))
	address, _ := jsonrpc.String(jsonrpc.Lookup(elicitation, "url"))
	return mode == "url" && !isWebPage(address)
}

// isWebPage reports whether an address is that of a page on the web.
func isWebPage(address string) bool {
	page, err := url.Parse(address)
	return err == nil && (page.Scheme == "https" || page.Scheme == "http") && page.Host != ""
}
