package clients

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestUnreadableSaysWhere: an error about a file names the place in words.
func TestUnreadableSaysWhere(t *testing.T) {
	p := newPlace(t)
	for _, test := range []struct{ id, text, want string }{
		{"cursor", "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"\n", "line 3"},
		{"cursor", "{\n  \"a\": 1\n  \"b\": 2\n}\n", "line 2"},
		{"claude-desktop", "{\n  \"a\": [1],\n  // mine\n  \"b\": 2\n}\n",
			"line 3: there is a comment or a comma too many, with which Claude Desktop"},
		{"claude-desktop", "{\n  \"a\": 1,\n  \"b\": 2,\n}\n", "line 3: there is a comment or a comma too many"},
		{"codex", "a = 1\n[b\n", "line 2"},
		{"goose", "a: 1\nb: 2\na: 3\n", "line 3, column 1"},
	} {
		p.put(p.file(test.id), test.text)
		_, err := p.connect(test.id)
		if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "parsing value") {
			t.Errorf("%s %q: %v", test.id, test.text, err)
		}
	}
}

// TestRefusedShowsTheEntry: people who must write the entry by hand are shown it in the app's form.
func TestRefusedShowsTheEntry(t *testing.T) {
	p := newPlace(t)
	for id, test := range map[string][2]string{
		"cursor": {`{"mcpServers": []}`, `"mcpServers": {`},
		"codex":  {"mcp_servers = {}\n", "[mcp_servers.workbench]"},
		"goose":  {"extensions: {a: {cmd: x}}\n", "  workbench:"},
	} {
		p.put(p.file(id), test[0])
		plan, err := p.PlanConnect(rowOf(t, id), p.launch)
		if !errors.Is(err, ErrShape) || !strings.Contains(plan.Entry, test[1]) || !strings.Contains(plan.Entry, "--client") {
			t.Errorf("%s: %v, %q", id, err, plan.Entry)
		}
		p.put(p.file(id), "\x00")
		if plan, _ := p.PlanConnect(rowOf(t, id), p.launch); plan.Entry != "" {
			t.Errorf("%s: an unreadable file: %q", id, plan.Entry)
		}
	}
}

// A file with many settings is read and changed like any other.
func TestManySettings(t *testing.T) {
	p := newPlace(t)
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "k%d = 1\n", i)
	}
	p.put(p.file("codex"), text.String())
	p.must(p.connect("codex"))
	p.must(p.disconnect("codex"))
	if p.text(p.file("codex")) != text.String() {
		t.Error("the file was changed")
	}
}

// TestNothingInIt: a file without content can be written, whatever its form.
func TestNothingInIt(t *testing.T) {
	p := newPlace(t)
	for id, texts := range map[string][]string{
		"cursor": {"", "\n", "{}", "{ }\r\n", "{}\n"},
		"codex":  {"", "\n"},
		"goose":  {"", "\n", "{}", " {}\n", "{}\r\n", "extensions: {}\n", "extensions:\n"},
	} {
		for _, text := range texts {
			p.put(p.file(id), text)
			p.must(p.connect(id))
			if !strings.Contains(p.text(p.file(id)), "workbench") {
				t.Errorf("%s %q: no entry", id, text)
			}
			p.must(p.disconnect(id))
			if got := p.text(p.file(id)); got != text {
				t.Errorf("%s %q became %q", id, text, got)
			}
		}
	}
}

// TestCommentsStayInAFileOfOurs: comments that people added to an empty file, or to one that we made, stay.
func TestCommentsStayInAFileOfOurs(t *testing.T) {
	p := newPlace(t)
	for id, comment := range map[string]string{"cursor": "// mine\n", "codex": "# mine\n", "goose": "# mine\n"} {
		for _, before := range []string{"(none)", ""} {
			file := p.file(id)
			if before == "(none)" {
				_ = os.Remove(file)
			} else {
				p.put(file, before)
			}
			p.must(p.connect(id))
			p.put(file, p.text(file)+comment)
			p.must(p.disconnect(id))
			if got := p.text(file); !strings.Contains(got, comment) || strings.Contains(got, "workbench") {
				t.Errorf("%s, %q: %q is left", id, before, got)
			}
		}
	}
}
