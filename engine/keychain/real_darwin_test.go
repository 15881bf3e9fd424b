package keychain

import (
	"os"
	"strings"
	"testing"
)

// TestRealKeychain uses the default keychain of the Mac, which packaging/macos/real has made for it: open or locked.
func TestRealKeychain(t *testing.T) {
	const name = "workbench test"
	switch os.Getenv("WORKBENCH_REAL_KEYCHAIN") {
	case "open":
		if _, err := Get(name); !IsNotFound(err) {
			t.Errorf("a secret that is not there: %v", err)
		}
		for _, value := range []string{"small", strings.Repeat("grün ", 1000)} {
			if err := Set(name, value); err != nil {
				t.Fatal(err)
			}
			if got, err := Get(name); err != nil || got != value {
				t.Errorf("of %d bytes, %d come back: %v", len(value), len(got), err)
			}
		}
		if err := Delete(name); err != nil {
			t.Error(err)
		}
	case "locked":
		if _, err := Get(name); err == nil || IsNotFound(err) || !isUnderstood(Explain(err)) {
			t.Errorf("a locked keychain says %v", err)
		}
	default:
		t.Skip("it would ask the person")
	}
}
