package main

import (
	"path/filepath"
	"testing"
)

// TestToOpen checks which arguments are files for the window. All others are unknown commands.
func TestToOpen(t *testing.T) {
	here, err := filepath.Abs("office.toolbox.json")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("/x y/office.toolbox.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, ""}, {[]string{"office"}, ""}, {[]string{"office.json"}, ""}, {[]string{"a.toolbox.json", "b.toolbox.json"}, ""},
		{[]string{"office.toolbox.json"}, here},
		{[]string{"file:///x%20y/office.toolbox.json"}, root},
		{[]string{"file://other-computer/x/office.toolbox.json"}, ""},
	} {
		if got := toOpen(test.args); got != test.want {
			t.Errorf("%q: %q, want %q", test.args, got, test.want)
		}
	}
}
