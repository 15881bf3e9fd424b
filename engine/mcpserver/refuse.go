package mcpserver

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// refuseEra refuses a request of 2026-07-28 or later without a known version and the client's capabilities. It reports
// whether it has refused the request.
func (r *request) refuseEra(e era) bool {
	switch {
	case !e.modern || e.proper:
		return false
	case len(e.capabilities) == 0 || e.capabilities[0] != '{':
		r.fail(jsonrpc.CodeInvalidParams, "missing or invalid _meta field "+mcp.MetaKeyClientCapabilities, nil)
	default:
		r.failVersion(unsupported(e.version), e.version)
	}
	return true
}

// failVersion answers that a protocol version is not supported.
func (r *request) failVersion(message, version string) {
	r.fail(jsonrpc.CodeUnsupportedVersion, message, struct {
		Supported []string `json:"supported"`
		Requested string   `json:"requested"`
	}{mcp.ValidProtocolVersions, version})
}

func unsupported(version string) string {
	return fmt.Sprintf("unsupported protocol version: %q (supported: %v)", version, mcp.ValidProtocolVersions)
}

// refuseRemoved refuses a request of 2026-07-28 or later with a method that only earlier versions have. It reports
// whether it has refused the request.
func (r *request) refuseRemoved() bool {
	switch r.method {
	case string(mcp.MethodPing), "resources/subscribe", "resources/unsubscribe", "logging/setLevel", "tasks/list",
		"tasks/result":
		r.fail(jsonrpc.CodeMethodNotFound,
			fmt.Sprintf("%q was removed in protocol version %s", r.method, mcp.ProtocolVersion20260728), nil)
	case "tasks/get", "tasks/cancel":
		r.fail(jsonrpc.CodeMethodNotFound, "tasks not supported", nil)
	default:
		return false
	}
	return true
}

// requiresModern refuses a request of an earlier version with a method that was added in 2026-07-28.
func (r *request) requiresModern() {
	r.fail(jsonrpc.CodeMethodNotFound,
		fmt.Sprintf("%q requires protocol version %s or later", r.method, mcp.ProtocolVersion20260728), nil)
}

// unknownMethod refuses a request with an unknown method.
func unknownMethod(_ context.Context, r *request) {
	if !r.refuseEra(eraOf(r.params)) {
		r.fail(jsonrpc.CodeMethodNotFound, "Method "+r.method+" not found", nil)
	}
}

// ping answers ping.
func ping(_ context.Context, r *request) {
	if e := eraOf(r.params); !r.refuseEra(e) && (!e.modern || !r.refuseRemoved()) {
		r.result([]byte("{}"))
	}
}
