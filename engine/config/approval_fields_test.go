package config

import (
	"slices"
	"testing"
)

// TestGuarded: a change by another program waits for a person if it affects what runs, or whether a person is
// asked.
func TestGuarded(t *testing.T) {
	var guarded []string
	for _, f := range ApprovalFields() {
		guarded = append(guarded, f.Name)
		if f.OfToolbox() != (f.Name == "apps" || f.Name == "folders") {
			t.Errorf("%q has the wrong place", f.Name)
		}
	}
	for _, name := range []string{"command", "args", "env", "cwd", "url", "headers", "inheritEnv", "trustToolChanges",
		"askFirst", "share", "apps", "folders"} {
		if !slices.Contains(guarded, name) {
			t.Errorf("%q is not guarded", name)
		}
	}
}

// TestToolboxAsksFirst: an entry contains everything that an approval covers, including the settings of its
// toolbox.
func TestToolboxAsksFirst(t *testing.T) {
	document := Parse("x.json", []byte(
		`{"toolboxes":{"a":{"mcpServers":{"s":{"command":"x"}},"askFirst":true},"b":{"mcpServers":{"s":{"command":"x"}}}}}`))
	for i, want := range []bool{true, false} {
		if got := document.Config.Toolboxes[i].Servers[0].AskFirst; got != want {
			t.Errorf("toolbox %d: its server asks first: %t", i, got)
		}
	}
}

// TestToolboxIsForApps: the same holds for the apps that see the toolbox. If the list cannot be read, no app
// sees it.
func TestToolboxIsForApps(t *testing.T) {
	for apps, want := range map[string][]string{
		``:                                      nil,
		`"apps": [],`:                           {},
		`"apps": ["cursor", "claude-desktop"],`: {"claude-desktop", "cursor"},
		`"apps": ["nobody-knows"],`:             {"nobody-knows"},
		`"apps": "cursor",`:                     {},
		`"apps": [7],`:                          {},
	} {
		box := Parse("x.json", []byte(`{"toolboxes":{"a":{`+apps+
			`"mcpServers":{"s":{"command":"x"}}}}}`)).Config.Toolboxes[0]
		for _, got := range [][]string{box.Apps, box.Servers[0].Limits.Apps} {
			if !slices.Equal(got, want) || (got == nil) != (want == nil) {
				t.Errorf("%s: %q", apps, got)
			}
		}
		for _, id := range []string{"", "cursor", "zed"} {
			if seen := box.SeenBy(id); seen != (want == nil || slices.Contains(want, id)) {
				t.Errorf("%s: %q sees it: %t", apps, id, seen)
			}
		}
	}
}

// TestAppsAreGuarded: an approval covers which apps see a server, although that does not change what runs.
func TestAppsAreGuarded(t *testing.T) {
	all, some := &Server{Command: "x"}, &Server{Command: "x", Limits: Limits{Apps: []string{"cursor"}}}
	if slices.Equal(all.AppendApproval(nil, true), some.AppendApproval(nil, true)) {
		t.Error("an approval does not cover which apps see a server")
	}
	if !slices.Equal(all.AppendApproval(nil, false), some.AppendApproval(nil, false)) {
		t.Error("the pins depend on which apps see a server")
	}
}
