package downstream

import (
	"encoding/json"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// Info is what a server says about itself in the handshake.
type Info struct {
	Name, Title, Version string
	// ProtocolVersion is the version that the server chose.
	ProtocolVersion string
	// Modern is set if the server is used in the modern era of the protocol, 2026-07-28.
	Modern bool
	// Capabilities are as sent; nil if absent.
	Capabilities json.RawMessage
	Instructions string
	// Pid is the process id of the server or of its wrapper.
	Pid int
	// Diagnostics are the problems in the server's lists that were requested.
	Diagnostics []Diagnostic
}

// Has reports whether the server has declared a capability, such as "resources", or a member of one, such as
// "resources", "subscribe". A member that is false counts as not declared.
func (i Info) Has(path ...string) bool {
	value := i.Capabilities
	for _, name := range path {
		value = jsonrpc.Lookup(value, name)
		if value == nil || string(value) == "false" || string(value) == "null" {
			return false
		}
	}
	return true
}
