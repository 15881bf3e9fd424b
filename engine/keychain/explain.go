package keychain

import (
	"errors"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Explain returns an understandable text for the usual errors of the system's keychain, as part of a
// sentence; it wraps the error. On Linux the keychain is a program that is reached over the session bus.
func Explain(err error) error {
	if err == nil || errors.Is(err, keyring.ErrNotFound) {
		return err
	}
	switch text := strings.ToLower(err.Error()); {
	case strings.Contains(text, "org.freedesktop.secrets"):
		return words.NewError("expand.keychain_no_program").Because(err)
	case strings.Contains(text, "dbus") || strings.Contains(text, "session bus"):
		return words.NewError("expand.keychain_no_session").Because(err)
	case strings.Contains(text, "prompt dismissed") || strings.Contains(text, "failed to unlock") || strings.Contains(text, "locked"):
		return words.NewError("expand.keychain_locked").Because(err)
	}
	return err
}
