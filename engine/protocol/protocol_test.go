package protocol

import (
	"slices"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

// TestVersions compares the versions with those of mcp-go.
func TestVersions(t *testing.T) {
	if !slices.Equal(Versions, mcp.ValidProtocolVersions) {
		t.Errorf("we know %v, mcp-go %v", Versions, mcp.ValidProtocolVersions)
	}
	for _, version := range append([]string{"", "1999-01-01", "2026-01-01", "2027-01-01", "abc"}, Versions...) {
		if got, want := IsKnown(version), mcp.IsValidProtocolVersion(version); got != want {
			t.Errorf("%q is known: %v, want %v", version, got, want)
		}
		if got, want := IsModern(version), mcp.IsModernProtocol(version); got != want {
			t.Errorf("%q is modern: %v, want %v", version, got, want)
		}
		if got, want := Greeting(version), mcp.NegotiateLegacyVersion(version); got != want && version != "" {
			t.Errorf("initialize with %q settles on %q, want %q", version, got, want)
		}
	}
}

// TestNames compares the names with those of mcp-go.
func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		Initialize: string(mcp.MethodInitialize), Ping: string(mcp.MethodPing), Discover: string(mcp.MethodServerDiscover),
		Listen: string(mcp.MethodSubscriptionsListen), ListTools: string(mcp.MethodToolsList), CallTool: string(mcp.MethodToolsCall),
		Cancelled: string(mcp.MethodNotificationCancelled), Progress: string(mcp.MethodNotificationProgress),
		Acknowledge: mcp.MethodNotificationSubscriptionsAcknowledged,
		KeyVersion:  mcp.MetaKeyProtocolVersion, KeyClientInfo: mcp.MetaKeyClientInfo, KeyCapabilities: mcp.MetaKeyClientCapabilities,
		KeyServerInfo: mcp.MetaKeyServerInfo, KeyLogLevel: mcp.MetaKeyLogLevel, KeySubscriptionID: mcp.MetaKeySubscriptionID,
		HeaderVersion: mcp.HeaderProtocolVersion, HeaderSession: mcp.HeaderSessionID, HeaderMethod: mcp.HeaderMethod,
		HeaderName: mcp.HeaderName, HeaderParam: mcp.HeaderParamPrefix,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// FuzzHeaderValue compares header values with those of mcp-go.
func FuzzHeaderValue(f *testing.F) {
	for _, text := range []string{"", "plain", " ", "a ", "\ta", "a\tb", "ü", "\x7f", "a\n", "=?base64?YQ==?=", "=?base64?", "?=", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if want, ok := mcp.EncodeHeaderValue(text); !ok || HeaderValue(text) != want {
			t.Errorf("%q is %q, want %q", text, HeaderValue(text), want)
		}
	})
}
