package protocol

import (
	"encoding/base64"
	"strings"
)

// The headers of HTTP, as Go writes them.
const (
	HeaderVersion = "Mcp-Protocol-Version"
	HeaderSession = "Mcp-Session-Id"
	HeaderMethod  = "Mcp-Method"
	HeaderName    = "Mcp-Name"
	// HeaderParam is the beginning of the headers that repeat arguments.
	HeaderParam = "Mcp-Param-"
)

// What is around a text in Base64.
const (
	base64Start = "=?base64?"
	base64End   = "?="
)

// HeaderValue writes a text as the value of a header: as it is, or in Base64 when a header cannot hold it or it could be
// taken for Base64.
func HeaderValue(text string) string {
	unsafe := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	spaces := strings.Trim(text, " ") != text
	encoded := strings.HasPrefix(text, base64Start) && strings.HasSuffix(text, base64End)
	if unsafe || spaces || encoded {
		return base64Start + base64.StdEncoding.EncodeToString([]byte(text)) + base64End
	}
	return text
}
