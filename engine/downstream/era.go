package downstream

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// The protocol has two eras. In the older one, a session begins with initialize. In the modern one (2026-07-28 and
// later), there is no handshake: every request has the version of the protocol, the client, and its capabilities.
// [Session] hides the difference.

// probeTime is how long to wait for the answer to server/discover. A server that does not answer by then is used in
// the older era.
const probeTime = 5 * time.Second

// notCarried has the extensions that we cannot pass on. Servers are not told that the client has them.
var notCarried = []string{"io.modelcontextprotocol/tasks"}

// era is what a session of the modern era adds to each request. It is immutable.
type era struct {
	meta  []byte // members of _meta
	level string // the lowest wanted level of log messages; "" for none
}

// newEra returns the era for the client of o. level is the lowest wanted level of log messages, "" for none.
func newEra(o Options, level string) *era {
	meta := appendMember([]byte{'{'}, mcp.MetaKeyProtocolVersion, json.RawMessage(`"`+modernProtocol+`"`))
	meta = appendMember(meta, mcp.MetaKeyClientInfo, o.about())
	meta = appendMember(meta, mcp.MetaKeyClientCapabilities, modernCapabilities(o.Capabilities))
	if level != "" {
		meta = appendMember(meta, mcp.MetaKeyLogLevel, jsonrpc.AppendString(nil, level))
	}
	return &era{meta: meta[1:], level: level}
}

// about returns clientInfo.
func (o Options) about() json.RawMessage {
	about := jsonrpc.AppendString([]byte(`{"name":`), o.ClientName)
	about = jsonrpc.AppendString(append(about, `,"version":`...), o.ClientVersion)
	return append(about, '}')
}

// modernCapabilities returns capabilities without those that exist only in the older era, and those that we cannot
// pass on.
func modernCapabilities(capabilities json.RawMessage) json.RawMessage {
	members := jsonrpc.Split(capabilities)
	members = slices.DeleteFunc(members, func(m jsonrpc.Member) bool { return m.Name == "tasks" })
	for i, member := range members {
		if member.Name == "extensions" {
			kept := slices.DeleteFunc(jsonrpc.Split(member.Value), func(m jsonrpc.Member) bool {
				return slices.Contains(notCarried, m.Name)
			})
			members[i].Value = jsonrpc.AppendObject(nil, kept)
		}
	}
	return jsonrpc.AppendObject(nil, members)
}

// isModernError reports whether a server of the modern era may answer initialize with an error.
func isModernError(e *RPCError) bool {
	switch e.Code {
	case jsonrpc.CodeMethodNotFound, jsonrpc.CodeInvalidRequest, jsonrpc.CodeInvalidParams, jsonrpc.CodeHeaderMismatch,
		jsonrpc.CodeMissingCapability, jsonrpc.CodeUnsupportedVersion:
		return true
	}
	return false
}

// versionError means that a server of the modern era supports none of our versions.
type versionError struct{ spoken []string }

func (e versionError) Error() string {
	if len(e.spoken) == 0 {
		return "the server does not say which versions of the protocol it speaks"
	}
	return fmt.Sprintf("the server speaks the protocol versions %s, and Workbench none of them",
		clean(strings.Join(e.spoken, ", "), 200))
}

// resultType returns the resultType of a result, or "".
func resultType(result []jsonrpc.Member) string {
	kind := jsonrpc.ValueOf(result, "resultType")
	text, ok := jsonrpc.String(kind)
	if !ok {
		return string(kind)
	}
	return text
}
