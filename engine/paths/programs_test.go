package paths

import (
	"slices"
	"testing"
)

func TestBeside(t *testing.T) {
	for program, want := range map[string][]string{
		"/usr/bin/workbench-desktop":         {"/usr/bin/other"},
		`C:\Workbench\workbench-desktop.exe`: {`C:\Workbench\other`},
		"/Applications/Workbench.app/Contents/MacOS/workbench-desktop": {"/Applications/Workbench.app/Contents/MacOS/other",
			"/Applications/Workbench.app/Contents/Helpers/Workbench Engine.app/Contents/MacOS/other"},
		"/A/Workbench.app/Contents/Helpers/Workbench Engine.app/Contents/MacOS/workbench-engine": {
			"/A/Workbench.app/Contents/Helpers/Workbench Engine.app/Contents/MacOS/other",
			"/A/Workbench.app/Contents/MacOS/other"},
		"workbench-desktop": {"other"},
	} {
		if got := Beside(program, "other"); !slices.Equal(got, want) {
			t.Errorf("%s: %q", program, got)
		}
	}
}
