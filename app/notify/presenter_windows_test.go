package notify

import (
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestFieldsOfANotification: a long text is cut at a whole character, and the structure has the size that Windows
// knows.
func TestFieldsOfANotification(t *testing.T) {
	if size := unsafe.Sizeof(iconData{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 976 {
		t.Errorf("the structure has %d bytes", size)
	}
	for text, want := range map[string]string{
		"short": "short", strings.Repeat("a", 63): strings.Repeat("a", 63),
		strings.Repeat("a", 64):        strings.Repeat("a", 62) + "…",
		strings.Repeat("a", 61) + "🙂🙂": strings.Repeat("a", 61) + "…",
	} {
		var field [64]uint16
		fill(field[:], text)
		if got := windows.UTF16ToString(field[:]); got != want || field[63] != 0 {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
