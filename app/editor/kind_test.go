package editor

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// switchOf returns the switch of a field.
func (f *form) switchOf(field string) *fieldSwitch {
	return f.switches[slices.IndexFunc(f.switches, func(w *fieldSwitch) bool { return w.field == field })]
}

// TestFormHasTheFields checks that the form has a control and a label for each field of a server's entry. Fields with
// another control are named here.
func TestFormHasTheFields(t *testing.T) {
	elsewhere := []string{
		"transport", "type", "toolFilters", // a choice and a button
		"oauth", // only in the JSON
	}
	setup := open(t, four, wide).setup
	var controls []string
	for _, u := range setup.units {
		controls = append(controls, u.key())
	}
	for _, w := range setup.form.switches {
		controls = append(controls, w.field)
	}
	for _, name := range config.Names(config.ServerFields()) {
		switch there := slices.Contains(controls, name); {
		case there == slices.Contains(elsewhere, name):
			t.Errorf("%s has a control in app/editor/setup_form.go: %v; it is listed here: %v", name, there, !there)
		case there && setup.form.labels[name] == "":
			t.Errorf("%s has no label in app/live/fields.go", name)
		}
	}
}

// When a program replaces a web address, all fields of web addresses are removed, those without a control included.
func TestFieldsOfTheKindOfBefore(t *testing.T) {
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {"files": {"type": "http", "url": "https://example.com/mcp", "headers": {"A": "b"}, "oauth": {"clientId": "x"}, "callTimeout": 3}}}}}`, wide)
	f := &b.setup.form
	f.kind.choice.Follow(kindProgram)
	f.kind.choice.OnChosen(kindProgram)
	b.settle()
	b.enter(f.command.input, "npx")
	b.leave()
	if got, want := b.file(), `{"toolboxes": {"dev": {"mcpServers": {"files": {"command": "npx", "callTimeout": 3}}}}}`; got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
}

// If the user changes the kind and changes it back, text typed for the other kind is not saved, because the entry
// would be of both kinds. The text is shown again when that kind is chosen.
func TestKindIsTakenBack(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	choose := func(kind int) {
		f.kind.choice.Follow(kind)
		f.kind.choice.OnChosen(kind)
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
	f.kind.choice.Follow(kindAddress)
	f.kind.choice.OnChosen(kindAddress)
	b.settle()
	b.asks("files", model.TabSetup) // the choice can still be changed back
	b.enter(f.url.input, "https://example.com/mcp")
	b.leave()
	if got := b.file(); !strings.Contains(got, `"files": {"url": "https://example.com/mcp"}`) {
		t.Errorf("the file is\n%s", got)
	}
	b.lacks("while you were editing")
	b.asks("", 0)
}
