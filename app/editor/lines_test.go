package editor

import (
	"testing"

	"fyne.io/fyne/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// The widgets of one server are reused for the next, because making them takes longer than a frame.
func TestLinesStayForTheNextServer(t *testing.T) {
	b := open(t, plain, wide)
	f := &b.setup.form
	first, name, hidden := f.arguments.rows[0].box, f.env.rows[0].box, f.env.rows[1].valueInput
	if !hidden.Hidden() {
		t.Fatal("the token is visible")
	}
	b.server = "git"
	b.apply()
	if len(f.arguments.rows) != 1 || f.arguments.rows[0].box != first || len(f.arguments.spare) > 0 {
		t.Errorf("%d rows, the first is a new one: %t, %d spare rows", len(f.arguments.rows),
			f.arguments.rows[0].box != first, len(f.arguments.spare))
	}
	if got := f.arguments.rows[0].input.Text; got != "mcp-git" {
		t.Errorf("the argument is %q", got)
	}
	b.lacks("sesame", "info", "server-filesystem")
	b.tap("Add a key or value")
	if f.env.rows[0].box == name {
		t.Error("a row that was out of the window is reused, although it may have the theme of that time")
	}

	// The reused widgets change the new argument.
	b.enter(f.arguments.rows[0].input, "mcp-gitlab")
	b.leave()
	b.settle()
	b.has(plain, `"mcp-git"`, `"mcp-gitlab"`)
}

// If the user shows the secret in an address, the secret of the next server is still hidden.
func TestAnEyeIsClosedForAnotherServer(t *testing.T) {
	b := open(t, `{"toolboxes": {"dev": {"mcpServers": {
		"a": {"url": "https://example.com/mcp?api_key=ghp_0123456789abcdef0123456789abcdef0123"},
		"b": {"url": "https://example.com/mcp?api_key=ghp_fedcba9876543210fedcba9876543210fedc"}}}}}`, wide)
	b.server = "a"
	b.apply()
	address := b.setup.form.url.input
	if !address.Hidden() {
		t.Fatal("the secret is visible")
	}
	address.Eye.OnTapped()
	if address.Hidden() {
		t.Fatal("the secret is not visible")
	}
	b.server = "b"
	b.apply()
	if !address.Hidden() {
		t.Error("the secret of the next server is visible")
	}
	b.lacks("ghp_")
}

// Text typed for one server cannot be undone into the next one. A secret that was shown stays hidden for the next
// server.
func TestLinesThatWereUsedDoNotStay(t *testing.T) {
	const source = `{"toolboxes": {"dev": {"mcpServers": {
		"a": {"command": "x", "args": ["same", "other", "ghp_0123456789abcdef0123456789abcdef0123"]},
		"b": {"command": "x", "args": ["same", "other", "ghp_fedcba9876543210fedcba9876543210fedc"]}}}}}`
	b := open(t, source, wide)
	b.server = "a"
	b.apply()
	rows := func() []*argument { return b.setup.form.arguments.rows }
	used, unused, secret := rows()[0], rows()[1], rows()[2]
	if !secret.input.Hidden() {
		t.Fatal("the secret is visible")
	}
	b.focus(used.input)
	b.leave()
	secret.input.Eye.OnTapped()
	if secret.input.Hidden() {
		t.Fatal("the secret is not visible")
	}
	b.server = "b"
	b.apply()
	lines := make([]fyne.CanvasObject, 3)
	var texts []string
	for i, row := range rows() {
		lines[i] = row.box
		texts = append(texts, row.input.Value())
	}
	if diff := cmp.Diff([]string{"same", "other", "ghp_fedcba9876543210fedcba9876543210fedc"}, texts); diff != "" {
		t.Error(diff)
	}
	for _, line := range lines {
		if line == used.box || line == secret.box {
			t.Error("a row that was used is reused for another server")
		}
	}
	if lines[0] != unused.box {
		t.Error("the row that was not used is not reused")
	}
	if !rows()[2].input.Hidden() {
		t.Error("the secret of the next server is visible")
	}
	b.lacks("ghp_")
}

// Ctrl+Z does not put the text of one server into another.
func TestUndoStaysWithItsServer(t *testing.T) {
	const empty = `{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "same"}, "b": {"command": "same"}}}}}`
	for name, at := range map[string]func(*form) *kit.SecretInput{
		"command": func(f *form) *kit.SecretInput { return f.command.input },
		"folder":  func(f *form) *kit.SecretInput { return f.cwd.input },
		"limit":   func(f *form) *kit.SecretInput { return f.startup.input },
	} {
		b := open(t, empty, wide)
		b.server = "a"
		b.apply()
		input := at(&b.setup.form)
		b.focus(input)
		b.typed(input, "30")
		for range 2 {
			input.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
		}
		b.leave()
		b.server = "b"
		b.apply()
		b.focus(input)
		before := input.Text
		input.TypedShortcut(&fyne.ShortcutUndo{})
		b.leave()
		if input.Text != before || b.file() != empty {
			t.Errorf("%s: Ctrl+Z gives %q, and the file is\n%s", name, input.Text, b.file())
		}
	}
}
