package fakeserver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// modernProtocol is the version that a modern server speaks.
const modernProtocol = `"2026-07-28"`

// modern answers requests that only a server of 2026-07-28 knows or refuses. It reports whether it has
// handled the message.
func (s *server) modern(m jsonrpc.Message) bool {
	if m.Method == "initialize" && s.script.InitializeError == nil && s.script.Initialize == nil {
		s.fail(m.ID, []byte(`{"code":-32601,"message":"Method not found: initialize; this server speaks 2026-07-28"}`))
		return true
	}
	if m.Method == "initialize" {
		return false
	}
	meta := jsonrpc.Lookup(m.Params, "_meta")
	version := string(jsonrpc.Lookup(meta, "io.modelcontextprotocol/protocolVersion"))
	switch {
	case version == "" || jsonrpc.Lookup(meta, "io.modelcontextprotocol/clientCapabilities") == nil:
		s.fail(m.ID, []byte(`{"code":-32602,"message":"_meta lacks what every request has to say"}`))
	case version != modernProtocol:
		s.fail(m.ID, fmt.Appendf(nil, `{"code":-32022,"message":"Unsupported protocol version","data":{"supported":[%s],"requested":%s}}`, modernProtocol, version))
	case m.Method == "server/discover":
		s.succeed(m.ID, s.discovered())
	case m.Method == "subscriptions/listen":
		s.listen(m)
	case m.Method == "ping" || strings.HasPrefix(m.Method, "logging/") || strings.HasSuffix(m.Method, "subscribe"):
		s.fail(m.ID, []byte(`{"code":-32601,"message":"Method not found"}`))
	default:
		return false
	}
	return true
}

func (s *server) discovered() []byte {
	capabilities := s.script.Capabilities
	if capabilities == nil {
		capabilities = json.RawMessage(`{"tools":{"listChanged":true}}`)
	}
	result := fmt.Appendf(nil, `{"resultType":"complete","supportedVersions":[%s],"capabilities":%s,"instructions":`,
		modernProtocol, capabilities)
	result = jsonrpc.AppendString(result, s.script.Instructions)
	result = append(result, `,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":`...)
	result = jsonrpc.AppendString(result, orElse(s.script.Name, "fake"))
	result = jsonrpc.AppendString(append(result, `,"version":`...), orElse(s.script.Version, "1.0.0"))
	return append(result, "}},\"ttlMs\":0}"...)
}

// listen accepts a stream and sends the script's lines in it.
func (s *server) listen(m jsonrpc.Message) {
	if !s.script.NoAgreement {
		s.line(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"notifications":%s}}`,
			m.ID, jsonrpc.Lookup(m.Params, "notifications")))
	}
	s.mu.Lock()
	s.streams = append(slices.Clip(s.streams), string(m.ID))
	s.mu.Unlock()
	for _, text := range s.script.OnListen {
		s.line(strings.ReplaceAll(text, "$ID", string(m.ID)))
	}
}
