// Package protocol has the names of the Model Context Protocol: versions, methods, the keys of _meta and the headers of
// HTTP.
package protocol

import "slices"

// The versions of the protocol. They are dates, so that the later one is the greater string.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	// Version20251125 is the last one in which a session begins with initialize.
	Version20251125 = "2025-11-25"
	// Version20260728 is the first one without sessions: each request says what it is of and who asks.
	Version20260728 = "2026-07-28"
	// Latest is the newest version that we know.
	Latest = Version20260728
)

// Versions are all versions that we know, the newest first.
var Versions = []string{Version20260728, Version20251125, Version20250618, Version20250326, Version20241105}

// IsKnown reports whether we know a version.
func IsKnown(version string) bool { return slices.Contains(Versions, version) }

// IsModern reports whether a version is one without sessions, known or not.
func IsModern(version string) bool { return version >= Version20260728 }

// Greeting returns the version that initialize settles on when the client asks for the given one: that one, or the last
// that has initialize.
func Greeting(version string) string {
	if IsKnown(version) && !IsModern(version) {
		return version
	}
	return Version20251125
}

// The methods that are more than passed on.
const (
	Initialize  = "initialize"
	Ping        = "ping"
	Discover    = "server/discover"
	Listen      = "subscriptions/listen"
	ListTools   = "tools/list"
	CallTool    = "tools/call"
	Cancelled   = "notifications/cancelled"
	Progress    = "notifications/progress"
	Acknowledge = "notifications/subscriptions/acknowledged"
)

// The keys of _meta.
const (
	KeyVersion        = "io.modelcontextprotocol/protocolVersion"
	KeyClientInfo     = "io.modelcontextprotocol/clientInfo"
	KeyCapabilities   = "io.modelcontextprotocol/clientCapabilities"
	KeyServerInfo     = "io.modelcontextprotocol/serverInfo"
	KeyLogLevel       = "io.modelcontextprotocol/logLevel"
	KeySubscriptionID = "io.modelcontextprotocol/subscriptionId"
)
