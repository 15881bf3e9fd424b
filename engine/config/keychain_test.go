package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/keychain"
)

// TestKeychainThatDoesNotAnswer: errors of D-Bus are turned into sentences that people understand.
func TestKeychainThatDoesNotAnswer(t *testing.T) {
	for raw, want := range map[string]string{
		"The name org.freedesktop.secrets was not provided by any .service files":    "no program here provides one",
		"dbus: couldn't determine address of session bus":                            "there is no desktop session here",
		"exec: \"dbus-launch\": executable file not found in $PATH":                  "there is no desktop session here",
		"failed to unlock correct collection '/org/freedesktop/x': prompt dismissed": "it is locked",
		"something else": "something else",
	} {
		cause := errors.New(raw)
		server := &Server{Command: "x", Env: []Variable{{Name: "TOKEN", Value: "${keyring:github}"}}}
		_, err := server.Expand(Lookup{Keyring: func(string) (string, error) { return "", cause }})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `"github"`) || want != raw &&
			strings.Contains(err.Error(), raw) {
			t.Errorf("%q becomes %v", raw, err)
		}
		if !errors.Is(err, cause) {
			t.Errorf("%v has lost its cause", err)
		}
	}
	if err := keychain.Explain(keyring.ErrNotFound); err != keyring.ErrNotFound {
		t.Error(err)
	}
}
