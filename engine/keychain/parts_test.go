package keychain

import (
	"errors"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// memory uses a keychain in memory for the test.
func memory(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	keyring.MockInit()
}

// TestLargeValues: what is larger than a keychain takes is stored in parts, and nothing is left of what was there
// before.
func TestLargeValues(t *testing.T) {
	memory(t)
	tricky := head{1, digest("x")}.String() // looks like a head
	for _, value := range []string{
		"small", strings.Repeat("x", partSize), strings.Repeat("ü\n", 5000), strings.Repeat("y", partSize+1), tricky,
		strings.Repeat("z", partSize*maxParts),
		headPrefix + "nonsense", "", strings.Repeat("y", partSize+1), strings.Repeat("y", partSize+1), "small again",
	} {
		if err := Set("name", value); err != nil {
			t.Fatalf("%d bytes: %v", len(value), err)
		}
		if got, err := Get("name"); err != nil || got != value {
			t.Fatalf("of %d bytes, %d come back: %v", len(value), len(got), err)
		}
		if stored, _ := keyring.Get(Service, "name"); len(stored) > partSize {
			t.Errorf("%d bytes are stored in one piece", len(stored))
		}
	}
	long := strings.Repeat("a", 5000)
	h := head{3, digest(long)}
	for how, end := range map[string]func() error{
		"removed":            func() error { return Delete("name") },
		"replaced":           func() error { return Set("name", "small") },
		"replaced by a long": func() error { return Set("name", strings.Repeat("b", 5000)) },
	} {
		if err := errors.Join(Set("name", long), end()); err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if _, err := keyring.Get(partsService, h.part(Service, "name", i)); !IsNotFound(err) {
				t.Errorf("%s, part %d is still there: %v", how, i, err)
			}
		}
	}
	_ = Delete("name")
	if _, err := Get("name"); !IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
	if err := Set("name", strings.Repeat("x", partSize*maxParts+1)); !errors.Is(err, errTooLarge) {
		t.Errorf("a value that is too large: %v", err)
	}
}

// TestMissingPart: a value that has lost a part is an error, never half a value.
func TestMissingPart(t *testing.T) {
	memory(t)
	long := strings.Repeat("a", 5000)
	h := head{3, digest(long)}
	for _, damage := range []func() error{
		func() error { return keyring.Delete(partsService, h.part(Service, "name", 1)) },
		func() error { return keyring.Set(partsService, h.part(Service, "name", 2), "other") },
	} {
		if err := errors.Join(Set("name", long), damage()); err != nil {
			t.Fatal(err)
		}
		if got, err := Get("name"); got != "" || !errors.Is(err, errParts) {
			t.Errorf("%d bytes come back: %v", len(got), err)
		}
	}
}

func FuzzParseHead(f *testing.F) {
	f.Add(head{3, digest("x")}.String())
	f.Add(headPrefix + "1:")
	f.Add(headPrefix + "99999999999999999999:00")
	f.Fuzz(func(t *testing.T, stored string) {
		if h, ok := parseHead(stored); ok && (h.count < 1 || h.count > maxParts || len(h.part("s", "n", 0)) < 16) {
			t.Errorf("%q is %+v", stored, h)
		}
	})
}

// TestExitsOfSecurity: macOS' keychain says by the exit status of a command what is wrong, and its words are in the
// user's language.
func TestExitsOfSecurity(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for status, want := range map[int]words.Code{36: errLocked, 51: errRefused, 128: errCancelled} {
		err := exec.Command("sh", "-c", "exit "+strconv.Itoa(status)).Run()
		if got := Explain(err); !errors.Is(got, want) || got.Error() == err.Error() {
			t.Errorf("status %d: %v", status, got)
		}
		if !isDismissed(err) {
			t.Errorf("after status %d the person would be asked again at once", status)
		}
	}
	notFound := exec.Command("sh", "-c", "echo Das Objekt wurde nicht gefunden; exit 44").Run()
	keyring.MockInitWithError(notFound)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	t.Cleanup(keyring.MockInit)
	if _, err := Get("name"); !IsNotFound(err) {
		t.Errorf("status 44: %v", err)
	}
	if err := Delete("name"); !IsNotFound(err) {
		t.Errorf("status 44 of a removal: %v", err)
	}
	if other := exec.Command("sh", "-c", "exit 3").Run(); Explain(other) != other {
		t.Errorf("status 3: %v", Explain(other))
	}
}
