package downstream

import (
	"net/url"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// plainSegment matches a part of a path that cannot be a secret.
var plainSegment = lazyregexp.New(`^(?:|mcp|sse|api|http|stream|messages?|server|v[0-9]{1,2})$`)

// plainAddress returns host and path for logs and errors. The path is cut before the first part that may be secret,
// since many services have the user's key in the path.
func plainAddress(address *url.URL) string {
	shown := address.Host
	for _, segment := range strings.Split(strings.TrimPrefix(address.Path, "/"), "/") {
		if !plainSegment.MatchString(segment) {
			return shown + "/…"
		}
		shown += "/" + segment
	}
	return strings.TrimSuffix(shown, "/")
}

// shownAddress returns an address from a server that the user may write into the configuration. Parts that may be
// secret are replaced by "…".
func shownAddress(address *url.URL) string {
	segments := strings.Split(strings.TrimPrefix(address.EscapedPath(), "/"), "/")
	for i, segment := range segments {
		if len(segment) >= 20 || len(segment) >= 8 && strings.ContainsAny(segment, "0123456789") {
			segments[i] = "…"
		}
	}
	shown := address.Scheme + "://" + address.Host + "/" + strings.Join(segments, "/")
	if address.RawQuery != "" {
		shown += "?…"
	}
	return clean(shown, maxRefusal)
}

// Address returns host and path of a web address for logs, without parts that may be secret.
func Address(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return "an address that is not known yet" // its host may be a reference
	}
	return plainAddress(parsed)
}

// addressSecrets returns the parts of an address that may be secret and are unlikely to occur in texts by chance.
func addressSecrets(address string) []string {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil
	}
	parts := strings.FieldsFunc(parsed.Path+"/"+parsed.EscapedPath(), func(r rune) bool { return r == '/' })
	for _, values := range parsed.Query() {
		parts = append(parts, values...)
	}
	var secrets []string
	for _, part := range parts {
		if len(part) >= 20 || strings.ContainsAny(part, "0123456789") {
			secrets = append(secrets, part)
		}
	}
	if password, ok := parsed.User.Password(); ok {
		secrets = append(secrets, password)
	}
	return secrets
}
