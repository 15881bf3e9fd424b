package main

import (
	"path/filepath"
	"slices"
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
		{nil, ""}, {[]string{"office"}, ""}, {[]string{"office.json"}, ""},
		{[]string{"a.toolbox.json", "b.toolbox.json"}, ""},
		{[]string{"office.toolbox.json"}, here},
		{[]string{"file:///x%20y/office.toolbox.json"}, root},
		{[]string{"file://other-computer/x/office.toolbox.json"}, ""},
	} {
		if got := toOpen(test.args); got != test.want {
			t.Errorf("%q: %q, want %q", test.args, got, test.want)
		}
	}
}

// TestLinkAlone checks that what stands behind a link, such as a flag that a page has put into it, is ignored.
func TestLinkAlone(t *testing.T) {
	const link = "workbench://add?name=a&config=e30="
	for _, test := range []struct{ args, want []string }{
		{nil, nil},
		{[]string{"status", "--json"}, []string{"status", "--json"}},
		{[]string{link}, []string{"--", link}},
		{[]string{"--", link}, []string{"--", link}},
		{[]string{link, "--config", "evil.json"}, []string{"--", link}},
		{[]string{"--", link, "stdio"}, []string{"--", link}},
		{[]string{"import", "--file", link}, []string{"import", "--file", link}},
	} {
		if got := linkAlone(test.args); !slices.Equal(got, test.want) {
			t.Errorf("%q becomes %q, want %q", test.args, got, test.want)
		}
	}
}
