package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// earlier connects Continue as earlier versions did, with their record.
func (p *place) earlier() (file string) {
	p.t.Helper()
	file = filepath.Join(p.home, ".continue", "mcpServers", "workbench.json")
	was := rowOf(p.t, "continue").formers()[0]
	was.Places = []client.Location{{Path: "~/.continue/mcpServers/workbench.json"}}
	plan, err := p.PlanConnect(was, p.launch)
	if err == nil {
		err = p.Apply(p.t.Context(), plan)
	}
	if err != nil || !there(file) {
		p.t.Fatalf("%s: %v", file, err)
	}
	return file
}

func (p *place) stateOf(id string) State {
	p.t.Helper()
	all, err := p.Status(p.launch)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, status := range all {
		if status.Client.ID == id {
			return status.State
		}
	}
	return ""
}

// TestEarlierEntryMoves: connecting moves an entry that an earlier version wrote where "cn" does not read it.
func TestEarlierEntryMoves(t *testing.T) {
	p := newPlace(t)
	old, file := p.earlier(), p.file("continue")
	if state := p.stateOf("continue"); state != Outdated {
		t.Errorf("before: %s", state)
	}
	plan := p.must(p.connect("continue"))
	if there(old) || there(filepath.Dir(old)) || !strings.Contains(p.text(file), "- name: \"workbench\"") {
		t.Errorf("%v: %s", plan.Notes, p.text(file))
	}
	if lost, err := p.StillThere(plan); lost != "" || err != nil {
		t.Errorf("%s is lost: %v", lost, err)
	}
	if state := p.stateOf("continue"); state != Connected {
		t.Errorf("after: %s", state)
	}
	if plan := p.must(p.connect("continue")); plan.Changed() {
		t.Errorf("twice: %v", plan.Changes)
	}
	p.must(p.disconnect("continue"))
	if there(file) || p.stateOf("continue") != NotConnected {
		t.Error(p.text(file))
	}
}

// TestEarlierEntryIsTakenOut: disconnecting removes that entry, with and without its record, and keeps the
// rest of the file.
func TestEarlierEntryIsTakenOut(t *testing.T) {
	p := newPlace(t)
	old := p.earlier()
	p.must(p.disconnect("continue"))
	if there(old) || there(filepath.Join(p.home, ".continue")) {
		t.Error(p.text(old))
	}
	p.earlier()
	p.put(old, strings.Replace(p.text(old), `"workbench": {`, `"other": {"command": "x"}, "workbench": {`, 1))
	if err := os.RemoveAll(p.Folder()); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(filepath.Dir(old), "broken.json")
	p.put(broken, "{")
	p.must(p.disconnect("continue"))
	if got := p.text(old); strings.Contains(got, "workbench") || !strings.Contains(got, "other") {
		t.Error(got)
	}
	if p.text(broken) != "{" {
		t.Error(p.text(broken))
	}
}

// TestHeadOfTheFile: Continue ignores a file without these members, so they stay as long as the file has
// anything else.
func TestHeadOfTheFile(t *testing.T) {
	p := newPlace(t)
	file := p.file("continue")
	p.must(p.connect("continue"))
	p.put(file, p.text(file)+"models:\n  - name: x\n")
	p.must(p.disconnect("continue"))
	if got := p.text(file); got != "name: Main Config\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: x\n" {
		t.Error(got)
	}

	_ = os.Remove(file)
	p.must(p.connect("continue"))
	p.put(file, strings.ReplaceAll(p.text(file), "\"", "")) // somebody rewrote the file
	p.must(p.disconnect("continue"))
	if there(file) {
		t.Error(p.text(file))
	}

	p.put(file, "# mine\n")
	p.must(p.connect("continue"))
	if got := p.text(file); !strings.HasPrefix(got, "# mine\nname: Main Config\nversion: 1.0.0\n") {
		t.Error(got)
	}
	p.must(p.disconnect("continue"))
	if p.text(file) != "# mine\n" {
		t.Error(p.text(file))
	}
}

// TestNothingIsHidden: Continue reads the older config.json as long as there is no config.yaml.
func TestNothingIsHidden(t *testing.T) {
	p := newPlace(t)
	older := filepath.Join(p.home, ".continue", "config.json")
	p.put(older, "{}")
	if _, err := p.connect("continue"); err == nil || !strings.Contains(err.Error(), older) || there(p.file("continue")) {
		t.Errorf("%v", err)
	}
	p.put(p.file("continue"), "name: x\nversion: 1.0.0\n")
	p.must(p.connect("continue"))
}
