package keychain_test

import (
	"testing"

	"github.com/zalando/go-keyring"

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
	// as earlier versions did
	if err := keyring.Set(keychain.Service, "oauth http://old.example.com", "made-up-key"); err != nil {
		t.Fatal(err)
	}
	if err := keychain.Set("github", "a secret"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"github": "a secret", key: "", "oauth http://old.example.com": ""} {
		server := &config.Server{Transport: config.TransportStdio, Command: "x", Args: []string{"${keyring:" + name + "}"}}
		got, err := server.Expand(config.SystemLookup())
		if want == "" && err == nil || want != "" && (err != nil || got.Args[0] != want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Keys that earlier versions stored among the secrets still work.
func TestKeysMove(t *testing.T) {
	keychaintest.Mock(t)
	if err := keyring.Set(keychain.Service, key, "made-up-key"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, err := (keychain.Keys{}).Get(key); got != "made-up-key" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	}
	if _, err := keyring.Get(keychain.Service, key); !keychain.IsNotFound(err) {
		t.Errorf("the key is still among the secrets: %v", err)
	}
	if err := (keychain.Keys{}).Delete(key); err != nil {
		t.Error(err)
	}
	if _, err := (keychain.Keys{}).Get(key); !keychain.IsNotFound(err) {
		t.Errorf("the key is still there: %v", err)
	}
	if _, err := (keychain.Keys{}).Get("github"); !keychain.IsNotFound(err) {
		t.Errorf("a secret is found as a key: %v", err)
	}
}
