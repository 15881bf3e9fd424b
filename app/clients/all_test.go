package clients

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// The dialog says before and afterwards what happens to each app. Apps that are running come last, and Workbench waits
// for them. If one app fails, the others are still disconnected.
func TestDisconnectAll(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	none := facts()
	none.Statuses = []engine.Status{client("cursor", engine.NotConnected, noon)}
	o := open(t, NewView(none), normal)
	if strings.Contains(o.texts(), "Disconnect all") {
		t.Error("Disconnect all is offered with nothing to disconnect")
	}

	o = open(t, NewView(facts()), normal)
	plans := map[string]Proposal{"claude-desktop": planOf(t, "claude-desktop", true), "zed": planOf(t, "zed", false)}
	failing := errors.New("its file cannot be read")
	var carried []string
	var ends []func(error)
	o.fake.plan = func(id string, connect bool, done func(Proposal, error)) {
		if connect {
			t.Error("an app is connected")
		}
		if found, ok := plans[id]; ok {
			done(found, nil)
			return
		}
		done(Proposal{}, failing)
	}
	o.fake.carry = func(_ context.Context, plan engine.Plan, wait bool, done func(error)) {
		if wait != (plan.Client.ID == "claude-desktop") {
			t.Errorf("Workbench waits for %s: %v", plan.Client.ID, wait)
		}
		carried, ends = append(carried, plan.Client.ID), append(ends, done)
	}
	test.Tap(o.buttons[" disconnect"])
	o.reads(t, "Claude Desktop is running. Quit it fully first", plans["zed"].Plan.Changes[0].File,
		"Its file cannot be read.", "Disconnect")
	o.tap(t, "Disconnect")
	o.reads(t, "Disconnecting…")
	ends[0](nil)
	o.reads(t, "Quit Claude Desktop now", "Stop waiting")
	o.isCalm(t)
	ends[1](&engine.RunningError{Client: plans["claude-desktop"].Plan.Client})
	if !slices.Equal(carried, []string{"zed", "claude-desktop"}) {
		t.Errorf("the disconnected apps are %q", carried)
	}
	o.reads(t, "Not disconnected: Claude Desktop, Codex.", "Disconnected")

	// The remaining apps can be tried again.
	plans["claude-desktop"], plans["codex"] = planOf(t, "claude-desktop", false), planOf(t, "cursor", false)
	o.fake.carry = func(_ context.Context, plan engine.Plan, _ bool, done func(error)) {
		carried = append(carried, plan.Client.ID)
		done(nil)
	}
	o.tap(t, "Try again")
	o.tap(t, "Disconnect")
	if !slices.Equal(carried[2:], []string{"claude-desktop", "cursor"}) {
		t.Errorf("the disconnected apps are %q", carried)
	}
	o.reads(t, "No AI app is connected now.")
	o.tap(t, "Done")

	o.fake.carry = func(ctx context.Context, _ engine.Plan, _ bool, done func(error)) { o.carrying = ctx }
	test.Tap(o.buttons[" disconnect"])
	o.tap(t, "Disconnect")
	o.tap(t, "Cancel")
	if o.carrying.Err() == nil || o.dialog != nil {
		t.Error("the work was not cancelled, or the dialog is open")
	}
}

// For an app that the user disconnects with a command, the dialog shows the command, and does not call the app
// disconnected before the command was run.
func TestDisconnectAllWithCommand(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	known := facts()
	known.Statuses = []engine.Status{client("claude-code", engine.Connected, noon), proven("zed", noon, noon)}
	o := open(t, NewView(known), normal)
	command := engine.Plan{Paste: "claude mcp remove -s user workbench"}
	plans := map[string]Proposal{"claude-code": {Plan: command}, "zed": planOf(t, "zed", false)}
	o.fake.plan = func(id string, _ bool, done func(Proposal, error)) { done(plans[id], nil) }
	var carried []string
	o.fake.carry = func(_ context.Context, plan engine.Plan, _ bool, done func(error)) {
		carried = append(carried, plan.Client.ID)
		done(nil)
	}
	test.Tap(o.buttons[" disconnect"])
	o.reads(t, "Run this in a terminal:", command.Paste)
	o.tap(t, "Disconnect")
	if !slices.Equal(carried, []string{"zed"}) {
		t.Errorf("the disconnected apps are %q", carried)
	}
	o.reads(t, "Not disconnected: Claude Code.", command.Paste)
	plans["claude-code"] = Proposal{}
	o.tap(t, "Try again")
	o.reads(t, "Nothing changes")
}
