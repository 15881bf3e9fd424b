//go:build linux

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// go test -race ./app/e2e runs the program with the race detector. If it finds a race, the test that was running
// fails.

// races returns what the race detector has found in the programs that ran.
var races func() []string

const foundRace = "the race detector has found in the program:\n%s\n"

// knownRace is the only race that is ignored. When a tray first asks for the menu, fyne.io/systray starts a goroutine
// that increments the version of the menu without the lock with which GetLayout reads it. Only the tray calls
// GetLayout, so we cannot avoid this. At worst, an answer has a version that is too old by one, and the tray asks
// again.
const (
	knownRace   = "fyne.io/systray.(*tray).GetLayout.func1"
	knownSource = "\t\t\tgo func() {\n\t\t\t\ttime.Sleep(150 * time.Millisecond)\n\t\t\t\trefresh()\n\t\t\t}()\n"
)

// When the library no longer has this goroutine, the exception must be removed.
func TestTheKnownRaceIsStillThere(t *testing.T) {
	folder := list(t, "-m", "-f", "{{.Dir}}", "fyne.io/systray")
	if strings.Count(read(t, filepath.Join(folder, "systray_menu_unix.go")), knownSource) != 1 {
		t.Errorf("fyne.io/systray has changed: see whether %s still races, and remove the exception if it does not",
			knownRace)
	}
}
