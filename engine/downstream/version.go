package downstream

import (
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// versionRefused means that a web server does not take the version of the protocol that was agreed on.
type versionRefused struct {
	error
	spoken []string
}

// aboutVersion matches what servers say if they do not speak the version in the headers of a request.
var aboutVersion = lazyregexp.New(
	`(?i)(?:unsupported|not support|invalid|bad|unknown).{0,30}protocol.?version|supported.{0,12}versions?`)

// dated matches a version of the protocol.
var dated = lazyregexp.New(`\b20[0-9]{2}-[01][0-9]-[0-3][0-9]\b`)

// maxVersions is how many versions of the protocol a server may name.
const maxVersions = 100

// olderVersion returns the newest version of the older era that a server names when it refuses a version; ""
// if it names none.
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

// protocolVersion is the newest version that begins with initialize.
const protocolVersion = mcp.ProtocolVersion20251125

// modernProtocol is the version of the modern era that we speak.
const modernProtocol = mcp.ProtocolVersion20260728
