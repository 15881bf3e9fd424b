// Package protocol has the names of the Model Context Protocol: versions, methods, the keys of _meta and HTTP
// headers.
package protocol

import "slices"

// The versions of the protocol. They are dates, so that a later version is a greater string.
const (
	Version20241105 = "2024-11-05"
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	// Version20251125 is the last version in which a session begins with initialize.
	Version20251125 = "2025-11-25"
	// Version20260728 is the first version without sessions: each request names its version and its client.
	Version20260728 = "2026-07-28"
	// Latest is the newest known version.
	Latest = Version20260728
)

// Versions are all known versions, the newest first.
var Versions = []string{Version20260728, Version20251125, Version20250618, Version20250326, Version20241105}

// IsKnown reports whether we know a version.
func IsKnown(version string) bool { return slices.Contains(Versions, version) }

// IsModern reports whether a version, known or not, is one without sessions.
func IsModern(version string) bool { return version >= Version20260728 }

// Greeting returns the version that initialize agrees on if the client asks for version: that one, or the
// last version that has initialize.
func Greeting(version string) string {
	if IsKnown(version) && !IsModern(version) {
		return version
	}
	return Version20251125
}

// The methods that are not only passed on.
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
