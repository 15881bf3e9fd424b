package signin

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/network"
)

// challenge says why a server refuses a request (RFC 6750, section 3; RFC 9728, section 5.1).
type challenge struct {
	document     string   // the address of the server's protected resource metadata
	scopes       []string // the scopes that the server requires
	insufficient bool     // the token has too few scopes
}

// ask sends requests without a token and returns the server's challenge. Servers older than streamable HTTP
// answer only the second request.
func ask(ctx context.Context, client *http.Client, address string) challenge {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + mcp.LATEST_PROTOCOL_VERSION +
		`","capabilities":{},"clientInfo":{"name":"mcp-workbench","version":"0"}}}`
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		request, err := http.NewRequestWithContext(ctx, method, address, nil)
		if err != nil {
			return challenge{}
		}
		request.Header.Set("Accept", "text/event-stream")
		if method == http.MethodPost {
			request, err = http.NewRequestWithContext(ctx, method, address, bytes.NewReader([]byte(hello)))
			if err != nil {
				return challenge{}
			}
			request.Header.Set("Content-Type", "application/json")
			request.Header.Set("Accept", "application/json, text/event-stream")
		}
		request.Header.Set("User-Agent", network.UserAgent)
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusUnauthorized {
			return readChallenge(response.Header.Values("WWW-Authenticate"))
		}
	}
	return challenge{}
}

// parameter matches a parameter of a challenge (RFC 9110, section 11.4), quoted or not.
var parameter = lazyregexp.New(`(?i)(?:^|[\s,])(resource_metadata|scope|error)\s*=\s*(?:"([^"\\]*)"|([^\s",]+))`)

// maxChallenge is how much of a header is read, in bytes.
const maxChallenge = 16 << 10

func readChallenge(headers []string) challenge {
	var c challenge
	for _, header := range headers {
		for _, m := range parameter.FindAllStringSubmatch(header[:min(len(header), maxChallenge)], -1) {
			value := m[2] + m[3]
			switch strings.ToLower(m[1]) {
			case "scope":
				if c.scopes == nil {
					c.scopes = cleanScopes(strings.Fields(value))
				}
			case "resource_metadata":
				if c.document == "" {
					c.document = value
				}
			case "error":
				c.insufficient = c.insufficient || value == "insufficient_scope"
			}
		}
	}
	return c
}

// maxScopes is the largest number of scopes that are requested.
const maxScopes = 100

// cleanScopes removes invalid scopes (RFC 6749, section 3.3) and duplicates.
func cleanScopes(scopes []string) []string {
	var clean []string
	for _, scope := range scopes {
		odd := strings.IndexFunc(scope, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }) >= 0
		if scope != "" && len(scope) <= 200 && !odd && !slices.Contains(clean, scope) && len(clean) < maxScopes {
			clean = append(clean, scope)
		}
	}
	return clean
}

// within reports whether all scopes are among others.
func within(scopes, others []string) bool {
	return !slices.ContainsFunc(scopes, func(scope string) bool { return !slices.Contains(others, scope) })
}
