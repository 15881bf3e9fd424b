package keychain_test

import (
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
)

const key = "oauth https://example.com/mcp"

// Any program of the user can write a configuration. It must not be able to send the keys of sign-ins to a
// server.
func TestNoReferenceReachesAKey(t *testing.T) {
	keychaintest.Mock(t)
	if err := (keychain.Keys{}).Set(key, "made-up-key"); err != nil {
		t.Fatal(err)
	}
	if err := keychain.Set("github", "a secret"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"github": "a secret", key: ""} {
		server := &config.Server{Transport: config.TransportStdio, Command: "x", Args: []string{"${keyring:" + name + "}"}}
		got, err := server.Expand(config.SystemLookup())
		if want == "" && err == nil || want != "" && (err != nil || got.Args[0] != want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
