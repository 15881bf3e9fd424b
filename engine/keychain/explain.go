package keychain

import (
	"errors"
	"os/exec"
	"strings"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Exit statuses of the command security, through which macOS' keychain is reached: the last byte of the system's error
// number. What it writes is in the user's language.
const (
	securityLocked    = 36  // errSecInteractionNotAllowed: it is locked, and nobody can be asked, for example over SSH
	securityNotFound  = 44  // errSecItemNotFound
	securityRefused   = 51  // errSecAuthFailed: a wrong password, or "Deny"
	securityCancelled = 128 // userCanceledErr
)

const (
	errRefused   = words.Code("expand.keychain_refused")
	errCancelled = words.Code("expand.keychain_cancelled")
)

// ofSecurity returns the meaning of an exit status of security; other errors are returned as they are. Only macOS
// reaches its keychain through a command.
func ofSecurity(err error) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	switch exit.ExitCode() {
	case securityLocked:
		return words.NewError(errLocked).Because(err)
	case securityNotFound:
		return keyring.ErrNotFound
	case securityRefused:
		return words.NewError(errRefused).Because(err)
	case securityCancelled:
		return words.NewError(errCancelled).Because(err)
	}
	return err
}

// Explain returns an understandable text for the usual errors of the system's keychain, as part of a
// sentence; it wraps the error. On Linux the keychain is a program that is reached over the session bus.
func Explain(err error) error {
	if err = understood(err); err == nil || errors.Is(err, keyring.ErrNotFound) || isUnderstood(err) {
		return err
	}
	switch text := strings.ToLower(err.Error()); {
	case strings.Contains(text, "org.freedesktop.secrets"):
		return words.NewError("expand.keychain_no_program").Because(err)
	case strings.Contains(text, "dbus") || strings.Contains(text, "session bus"):
		return words.NewError("expand.keychain_no_session").Because(err)
	case strings.Contains(text, "prompt dismissed") || strings.Contains(text, "failed to unlock") ||
		strings.Contains(text, "locked"):
		return words.NewError("expand.keychain_locked").Because(err)
	}
	return err
}

// isUnderstood reports whether an error has a meaning already.
func isUnderstood(err error) bool {
	for _, known := range []words.Code{errLocked, errRefused, errCancelled, errTooLarge, errParts, errSlow, errNoLogon,
		errFull, errNoService} {
		if words.Is(err, known) {
			return true
		}
	}
	return false
}
