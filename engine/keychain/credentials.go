package keychain

import (
	"errors"
	"runtime"
	"syscall"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

const (
	errNoLogon   = words.Code("expand.keychain_no_logon")
	errFull      = words.Code("expand.keychain_full")
	errNoService = words.Code("expand.keychain_no_service")
)

// ofCredentials returns the meaning of a number of Windows' Credential Manager; other errors are returned as they are.
func ofCredentials(goos string, err error) error {
	var number syscall.Errno
	if goos != "windows" || !errors.As(err, &number) {
		return err
	}
	switch number {
	case 5: // ERROR_ACCESS_DENIED
		return words.NewError(errRefused).Because(err)
	case 8, 14, 112: // ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_DISK_FULL: there are too many entries
		return words.NewError(errFull).Because(err)
	case 87, 1783, 2202: // ERROR_INVALID_PARAMETER, RPC_X_BAD_STUB_DATA, ERROR_BAD_USERNAME: a value or a name that is too long
		return words.NewError(errTooLarge).Because(err)
	case 1058, 1062, 1722, 1753: // ERROR_SERVICE_DISABLED, ERROR_SERVICE_NOT_ACTIVE, RPC_S_SERVER_UNAVAILABLE, EPT_S_NOT_REGISTERED
		return words.NewError(errNoService).Because(err)
	case 1168: // ERROR_NOT_FOUND
		return keyring.ErrNotFound
	case 1312: // ERROR_NO_SUCH_LOGON_SESSION
		return words.NewError(errNoLogon).Because(err)
	}
	return err
}

// understood gives the errors of the keychain a meaning that the rest of the program knows.
func understood(err error) error {
	if errors.Is(err, keyring.ErrSetDataTooBig) {
		return errTooLarge
	}
	return ofCredentials(runtime.GOOS, ofSecurity(err))
}
