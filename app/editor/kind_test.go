package editor

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// TestFormHasTheFields checks that each field of a server's entry has a text field in the form or is listed here, and not both.
func TestFormHasTheFields(t *testing.T) {
	elsewhere := []string{
		"transport", "type", "inheritEnv", "toolFilters", "disabled", "trustToolChanges", "askFirst", // a choice, a button and switches
		"oauth", // only on the JSON tab
	}
	var typed []string
	for _, u := range open(t, four, wide).setup.units {
		typed = append(typed, u.key())
	}
	for _, name := range config.Names(config.ServerFields()) {
		if slices.Contains(elsewhere, name) == slices.Contains(typed, name) {
			t.Errorf("%s is in the form: %v, and listed here: %v", name, slices.Contains(typed, name), slices.Contains(elsewhere, name))
		}
	}
}

// When a program replaces a web address, all fields of web addresses are removed, those without a control included.
func TestFieldsOfTheKindOfBefore(t *testing.T) {
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {"type": "http", "url": "https://example.com/mcp", "headers": {"A": "b"}, "oauth": {"clientId": "x"}, "callTimeout": 3}}}}}`, wide)
	f := &b.setup.form
	f.kind.Follow(kindProgram)
	f.kind.OnChosen(kindProgram)
	b.settle()
	b.enter(f.command.input, "npx")
	b.leave()
	if got, want := b.file(), `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "callTimeout": 3}}}}}`; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

// If the user changes the kind and changes it back, text typed for the other kind is not saved, because the entry would be of both kinds. The text is shown
// again when that kind is chosen.
func TestKindIsTakenBack(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	choose := func(kind int) {
		f.kind.Follow(kind)
		f.kind.OnChosen(kind)
		b.settle()
	}
	choose(kindAddress)
	b.enter(f.url.input, "https://example.com/mcp")
	choose(kindProgram)
	b.leave()
	b.settle()
	b.asks("", 0)
	b.visit("git")
	b.asks("", 0)
	if b.file() != four {
		t.Errorf("the file is\n%s", b.file())
	}
	b.visit("files")
	b.reads("<npx>")
	choose(kindAddress)
	b.enter(f.url.input, "https://example.com/mcp")
	choose(kindProgram)
	b.enter(f.cwd.input, "/tmp")
	b.leave()
	if got := b.file(); strings.Contains(got, "url") || !strings.Contains(got, `"/tmp"`) {
		t.Errorf("the file is\n%s", got)
	}
	choose(kindAddress)
	b.reads("<https://example.com/mcp>")
	b.focus(f.url.input)
	b.leave()
	if got := b.file(); !strings.Contains(got, `"url": "https://example.com/mcp"`) || strings.Contains(got, "npx") {
		t.Errorf("the file is\n%s", got)
	}
}

// Text that could not be saved for a program is dropped when the server becomes a web address.
func TestRefusedTextOfTheKindOfBefore(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	b.enter(f.arguments.rows[0].input, "${X")
	b.leave()
	f.kind.Follow(kindAddress)
	f.kind.OnChosen(kindAddress)
	b.settle()
	b.asks("files", TabSetup) // the choice can still be changed back
	b.enter(f.url.input, "https://example.com/mcp")
	b.leave()
	if got := b.file(); !strings.Contains(got, `"files": {"url": "https://example.com/mcp"}`) {
		t.Errorf("the file is\n%s", got)
	}
	b.lacks("while you were editing")
	b.asks("", 0)
}
