package protocol

import (
	"encoding/base64"
	"strings"
)

// HTTP headers, as Go writes them.
const (
	HeaderVersion = "Mcp-Protocol-Version"
	HeaderSession = "Mcp-Session-Id"
	HeaderMethod  = "Mcp-Method"
	HeaderName    = "Mcp-Name"
	// HeaderParam begins the names of headers that repeat arguments.
	HeaderParam = "Mcp-Param-"
)

// The marks around a Base64 text.
const (
	base64Start = "=?base64?"
	base64End   = "?="
)

// HeaderValue returns a text as the value of a header: unchanged, or in Base64 if a header cannot contain it
// or it could be mistaken for Base64.
func HeaderValue(text string) string {
	unsafe := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' })
	spaces := strings.Trim(text, " ") != text
	encoded := strings.HasPrefix(text, base64Start) && strings.HasSuffix(text, base64End)
	if unsafe || spaces || encoded {
		return base64Start + base64.StdEncoding.EncodeToString([]byte(text)) + base64End
	}
	return text
}
