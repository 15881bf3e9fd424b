package downstream

import (
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// versionRefused means that a web server refuses the protocol version that initialize has agreed on.
type versionRefused struct {
	error
	spoken []string
}

// aboutVersion matches messages of servers that refuse the version in the headers of a request.
var aboutVersion = lazyregexp.New(
	`(?i)(?:unsupported|not support|invalid|bad|unknown).{0,30}protocol.?version|supported.{0,12}versions?`)

// dated matches a protocol version.
var dated = lazyregexp.New(`\b20[0-9]{2}-[01][0-9]-[0-3][0-9]\b`)

// maxVersions limits the protocol versions in a message of a server.
const maxVersions = 100

// olderVersion returns the newest version of the older era that a server lists when it refuses a version; "" if there
// is none.
func olderVersion(err error, refusedVersion string) string {
	var refused *RPCError
	var turnedDown *versionRefused
	var spoken []string
	switch {
	case errors.As(err, &turnedDown):
		spoken = turnedDown.spoken
	case errors.As(err, &refused):
		spoken = texts(jsonrpc.Lookup(refused.Data, "supported"), maxVersions)
		if spoken == nil && aboutVersion.MatchString(refused.Message) {
			spoken = dated.FindAllString(refused.Message, maxVersions)
		}
	}
	newest := ""
	for _, version := range spoken {
		switch {
		case version == modernProtocol && turnedDown == nil:
			return ""
		case mcp.IsValidProtocolVersion(version) && !mcp.IsModernProtocol(version) && version != refusedVersion &&
			version > newest:
			newest = version
		}
	}
	return newest
}

// protocolVersion is the newest version of the older era.
const protocolVersion = mcp.ProtocolVersion20251125

// modernProtocol is the version of the modern era that we use.
const modernProtocol = mcp.ProtocolVersion20260728
