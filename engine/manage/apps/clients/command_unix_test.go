//go:build !windows

package clients

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// fakeClaude records its folder, its arguments and its standard input, and writes its file as Claude Code
// does, with one entry or none. The file "how" can change what it does.
const fakeClaude = `#!/bin/sh
[ -f "$HOME/how" ] && . "$HOME/how"
{ pwd; printf '%s\n' "$@"; cat; echo; } >> "$HOME/ran"
scope=$4 name=$5 command=$7
case $2 in
remove) echo '{"theme": "dark", "mcpServers": {}}' > "$HOME/.claude.json" ;;
add)
	shift 7
	args=
	for word; do args="$args${args:+, }\"$word\""; done
	echo "{\"theme\": \"dark\", \"mcpServers\": {\"$name\": {\"type\": \"stdio\", \"command\": \"$command\", \"args\": [$args], \"env\": {}}}}" > "$HOME/.claude.json" ;;
esac
`

// withClaude returns a place in which Claude Code's program is found.
func withClaude(t *testing.T) (p *place, ran func() string) {
	p = newPlace(t)
	program := filepath.Join(p.home, "programs", "claude")
	p.put(program, fakeClaude)
	if err := os.Chmod(program, 0o755); err != nil {
		t.Fatal(err)
	}
	p.system.Environ = func(string) []string {
		return []string{"HOME=" + p.home, "PATH=" + filepath.Dir(program) + ":/usr/bin:/bin"}
	}
	p.Registrar = New(p.system, p.Folder())
	return p, func() string {
		text := p.text(filepath.Join(p.home, "ran"))
		_ = os.Remove(filepath.Join(p.home, "ran"))
		return text
	}
}

// TestOwnCommand: Claude Code's own program, if found, is run exactly as it was shown, and only after the
// plan was shown.
func TestOwnCommand(t *testing.T) {
	p, ran := withClaude(t)
	c := rowOf(t, "claude-code")
	if p.system.ByHand(c) {
		t.Error("the user must connect the client by hand")
	}
	plan, err := p.PlanConnect(c, p.launch)
	program := filepath.Join(p.home, "programs", "claude")
	if want := program + " mcp add -s user workbench -- " + p.launch.Program + " stdio --client claude-code --config " +
		p.launch.Config; err != nil || plan.Line != want || plan.Paste != "" || !plan.Changed() {
		t.Fatalf("the plan is %+v, %v, want %s", plan, err, want)
	}
	if it := ran(); it != "(none)" || p.stateOf("claude-code") != NotConnected {
		t.Errorf("planning has run: %s", it)
	}
	if err := p.Apply(t.Context(), plan); err != nil || p.stateOf("claude-code") != Connected {
		t.Errorf("after connecting: %v; the state is %s", err, p.stateOf("claude-code"))
	}
	words := strings.Join(append([]string{p.home, "mcp", "add", "-s", "user", "workbench", "--", p.launch.Program},
		p.launch.Args("claude-code")...), "\n") + "\n\n"
	if it := ran(); it != words {
		t.Errorf("the command was\n%s, want\n%s", it, words)
	}
	if plan := p.must(p.connect("claude-code")); plan.Changed() || plan.Line != "" || ran() != "(none)" {
		t.Errorf("connected again, the plan is %+v", plan)
	}

	other := p.launch
	other.Config = filepath.Join(p.home, "other.json")
	plan, err = p.PlanConnect(c, other)
	if err == nil {
		err = p.Apply(t.Context(), plan)
	}
	if it := ran(); err != nil || strings.Count(it, "\nremove\n") != 1 || !strings.Contains(it, "other.json") {
		t.Errorf("with another configuration: %v; the commands were\n%s", err, it)
	}
	p.must(p.disconnect("claude-code"))
	if state := p.stateOf("claude-code"); state != NotConnected || ran() == "(none)" {
		t.Errorf("after disconnecting, the state is %s", state)
	}

	// An entry of a project is removed in the project's folder.
	p.claudeCode(nil, map[string]Launch{"wb": p.launch})
	plan = p.must(p.disconnect("claude-code"))
	folder := filepath.Join(p.home, "a project")
	if it := ran(); it != strings.Join([]string{folder, "mcp", "remove", "-s", "local", "wb"}, "\n")+"\n\n" ||
		!strings.Contains(plan.Line, "cd '"+folder+"'\n") {
		t.Errorf("in a project, the command was\n%s%s", it, plan.Line)
	}
}

// TestOwnCommandFails: a failure is reported with the output of the program, without secrets and invisible
// characters, and with what its file contains.
func TestOwnCommandFails(t *testing.T) {
	p, ran := withClaude(t)
	how := func(text string) { p.put(filepath.Join(p.home, "how"), text) }
	how("echo 'no room, api_key=sk-ant-0123456789abcdefghij'; printf 'a\\033[31mb\\n' >&2; exit 3")
	_, err := p.connect("claude-code")
	if said := err.Error(); !words.Is(err, "clients.command_failed") || !strings.Contains(said, "no room") ||
		strings.Contains(said, "0123456789") || strings.ContainsRune(said, 0x1b) || !strings.Contains(said, "status 3") {
		t.Errorf("the failure is %q", said)
	}
	how("exit 0")
	if _, err := p.connect("claude-code"); !words.Is(err, "clients.command_in_vain") {
		t.Errorf("after a command without effect, connecting ends with %v", err)
	}
	how("exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan, err := p.PlanConnect(rowOf(t, "claude-code"), p.launch)
	if err == nil {
		err = p.Apply(ctx, plan)
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling, connecting ends with %v", err)
	}

	how("")
	p.put(p.file("claude-code"), "{")
	for _, plan := range []func(string) (Plan, error){p.connect, p.disconnect} {
		var refused *RefusedError
		if _, err := plan("claude-code"); !errors.As(err, &refused) || ran() != "(none)" {
			t.Errorf("with a broken file, planning ends with %v", err)
		}
	}
}
