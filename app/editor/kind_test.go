package editor

import (
	"strings"
	"testing"
)

// What was typed for the other kind, before the choice was taken back, is not saved: it would make an entry of both kinds. It stands there
// when that kind is chosen again.
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

// What was typed for a program and refused goes with it when the server becomes a web address.
func TestRefusedTextOfTheKindOfBefore(t *testing.T) {
	b := open(t, four, wide)
	f := &b.setup.form
	b.enter(f.arguments.rows[0].input, "${X")
	b.leave()
	f.kind.Follow(kindAddress)
	f.kind.OnChosen(kindAddress)
	b.settle()
	b.asks("files", TabSetup) // the choice can still be taken back
	b.enter(f.url.input, "https://example.com/mcp")
	b.leave()
	if got := b.file(); !strings.Contains(got, `"files": {"url": "https://example.com/mcp"}`) {
		t.Errorf("the file is\n%s", got)
	}
	b.lacks("elsewhere")
	b.asks("", 0)
}
