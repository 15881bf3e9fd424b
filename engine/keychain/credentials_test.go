package keychain

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestNumbersOfWindows: what the Credential Manager says with a number is said in words, and wraps the number.
func TestNumbersOfWindows(t *testing.T) {
	for number, want := range map[syscall.Errno]words.Code{
		5: errRefused, 8: errFull, 87: errTooLarge, 1058: errNoService, 1312: errNoLogon, 1722: errNoService,
		1783: errTooLarge, 2202: errTooLarge,
	} {
		got := ofCredentials("windows", number)
		if !words.Is(got, want) || !errors.Is(got, number) || !isUnderstood(got) {
			t.Errorf("%d: %v", number, got)
		}
		if strings.Contains(got.Error(), number.Error()) {
			t.Errorf("%d is said as the system says it: %v", number, got)
		}
		if other := ofCredentials("linux", number); other != number {
			t.Errorf("on Linux, %d is %v", number, other)
		}
	}
	if err := ofCredentials("windows", syscall.Errno(1168)); !errors.Is(err, keyring.ErrNotFound) {
		t.Errorf("1168: %v", err)
	}
	if err := ofCredentials("windows", syscall.Errno(1)); err != syscall.Errno(1) {
		t.Errorf("1: %v", err)
	}
	if !IsAbsent(ofCredentials("windows", syscall.Errno(1312))) {
		t.Error("where nobody has signed in with a password, there is a keychain")
	}
}
