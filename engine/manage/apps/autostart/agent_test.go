package autostart

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const offInSettings = "disabled services = {\n\t\"com.example.other\" => enabled\n\t\"" + ID +
	"\" => disabled\n}\nlogin item associations = {\n}\n"

func TestDisabled(t *testing.T) {
	for said, want := range map[string]bool{
		offInSettings: true,
		strings.ReplaceAll(offInSettings, "disabled\n", "enabled\n"):              false,
		"\tdisabled services = {\n\t\t\"" + ID + "\" => true\n\t}\n":              true, // macOS 12
		"\tdisabled services = {\n\t\t\"" + ID + "\" => false\n\t}\n":             false,
		"disabled services = {\n\t\"" + ID + ".Other\" => disabled\n}\n":          false,
		"disabled services = {\n}\nothers = {\n\t\"" + ID + "\" => disabled\n}\n": false,
		"Could not find domain for port":                                          false,
		"":                                                                        false,
	} {
		if got := disabled([]byte(said), ID); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}

func FuzzDisabled(f *testing.F) {
	f.Add([]byte(offInSettings))
	f.Add([]byte("disabled services = {"))
	f.Add([]byte("disabled services = {\"" + ID + "\" => true"))
	f.Fuzz(func(t *testing.T, said []byte) {
		if disabled(said, ID) && !strings.Contains(string(said), ID) {
			t.Error("a service is off that is not named")
		}
	})
}

// TestOffInTheSettings: an agent that the user has turned off in the settings of macOS counts as off, and turning it
// on here turns it on there.
func TestOffInTheSettings(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the paths are those of Unix")
	}
	said, fails := offInSettings, error(nil)
	var asked []string
	a := &Autostart{system: agents{file: newAgent(t.TempDir()), domain: "gui/501",
		ask: func(args ...string) ([]byte, error) {
			asked = append(asked, strings.Join(args, " "))
			if args[0] == "enable" {
				said = strings.ReplaceAll(said, "disabled\n", "enabled\n")
			}
			return []byte(said), fails
		}}}
	if err := a.Enable("/x"); err != nil {
		t.Fatal(err)
	}
	if want := []string{"print-disabled gui/501", "enable gui/501/" + ID}; !slices.Equal(asked, want) {
		t.Errorf("launchd was asked %q", asked)
	}
	if status, err := a.Status("/x"); err != nil || !status.On {
		t.Errorf("turned on: %+v, %v", status, err)
	}
	said = offInSettings
	if status, err := a.Status("/x"); err != nil || status.On || status.Moved {
		t.Errorf("turned off in the settings: %+v, %v", status, err)
	}
	fails = errors.New("launchd does not answer")
	if status, err := a.Status("/x"); err != nil || !status.On {
		t.Errorf("without launchd: %+v, %v", status, err)
	}
	text, err := os.ReadFile(a.system.where())
	if err != nil || !strings.Contains(string(text), "<key>AssociatedBundleIdentifiers</key>") {
		t.Errorf("the settings would not name the app: %s, %v", text, err)
	}
}
