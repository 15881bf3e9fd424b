package share

import (
	"path/filepath"
	"testing"
)

// TestPath checks the forms in which a desktop passes a file to the program.
func TestPath(t *testing.T) {
	for given, want := range map[string]string{
		"/x y/office.toolbox.json":                    "/x y/office.toolbox.json",
		`C:\Papers\office.toolbox.json`:               `C:\Papers\office.toolbox.json`,
		"100%.toolbox.json":                           "100%.toolbox.json",
		"file:///x%20y/office.toolbox.json":           filepath.FromSlash("/x y/office.toolbox.json"),
		"file://localhost/office.toolbox.json":        filepath.FromSlash("/office.toolbox.json"),
		"file://other-computer/x/office.toolbox.json": "",
	} {
		if got := Path(given); got != want {
			t.Errorf("%q is %q, want %q", given, got, want)
		}
	}
}
