//go:build linux

package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// logged returns the entry of a server that writes its arguments to the file ran whenever it starts.
func (s *session) logged(t *testing.T, args ...string) (entry map[string]any, ran string) {
	t.Helper()
	entry = fake(fakeserver.Script{})
	ran = filepath.Join(s.folder, "ran")
	script := filepath.Join(s.folder, "start.sh")
	text := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s'\n", ran, entry["command"])
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	entry["command"], entry["args"] = script, append([]string{}, args...)
	return entry, ran
}

// With the keyboard alone, the name of a package is typed letter by letter, with pauses, while its server is in use.
// Nothing runs before Enter. After Enter, a new argument has the focus.
func TestTypingArguments(t *testing.T) {
	s := newSession(t, "{}")
	entry, ran := s.logged(t, "-y", "old")
	s.write(t, configured(map[string]any{"files": entry}))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	client := s.newEngine(t)
	client.open(t, "dev")
	eventually(t, icon.says("● files   1 tool"))
	before := s.read(t)

	k := &keyboard{s.display}
	s.keys(t, "Escape") // gives the window the keyboard
	k.press("ctrl+f")
	k.types("files")
	k.press("Return", "Escape", "Return")
	k.toCommand()
	k.tabs(5) // to the second argument
	k.press("End")
	for _, letter := range "er" {
		k.press(string(letter))
		time.Sleep(1500 * time.Millisecond) // longer than any pause that could count as the end of typing
	}
	s.picture(t, "typing")
	if now := s.read(t); now != before {
		t.Errorf("half-typed text is in the file:\n%s", now)
	}
	if now := runs(t, ran); !slices.Equal(now, []string{"-y old"}) {
		t.Errorf("the server was run with %q", now)
	}
	k.press("Return")
	eventually(t, holds(s.config, `"older"`, true))
	eventually(t, icon.says("● files   1 tool"))
	eventually(t, func() error { return differs(runs(t, ran), "-y old", "-y older") })

	// The new argument has the focus. After Enter, the next new argument has it and is left empty.
	k.types("one")
	k.press("Return", "Tab")
	eventually(t, holds(s.config, `"one"`, true))
	k.press("space") // Add argument, which Tab has focused
	k.types("two")
	k.press("ctrl+s")
	eventually(t, func() error { return differs(runs(t, ran), "-y old", "-y older", "-y older one", "-y older one two") })
	s.picture(t, "typed")
	k.press("ctrl+q")
	program.endsWell(t)
}

// With the keyboard alone, moving from the command of a server in use to its arguments starts nothing. When the focus
// has left the server, the new command runs once, with the new arguments.
func TestTabFromCommandToArguments(t *testing.T) {
	s := newSession(t, "{}")
	entry, ran := s.logged(t, "old")
	s.write(t, configured(map[string]any{"files": entry}))
	script, err := os.ReadFile(entry["command"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry["command"].(string)+"x",
		[]byte(strings.Replace(string(script), `"$*"`, `"other $*"`, 1)), 0o700); err != nil {
		t.Fatal(err)
	}
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	client := s.newEngine(t)
	client.open(t, "dev")
	eventually(t, icon.says("● files   1 tool"))
	before := s.read(t)

	k := &keyboard{s.display}
	s.keys(t, "Escape") // gives the window the keyboard
	k.press("ctrl+f")
	k.types("files")
	k.press("Return", "Escape", "Return")
	k.toCommand()
	k.press("End", "x")
	for _, key := range []string{"Tab", "Tab", "ctrl+a"} { // past the button that chooses a file
		k.press(key)
		time.Sleep(1500 * time.Millisecond) // longer than any pause after which a field could be applied
	}
	k.types("new")
	time.Sleep(1500 * time.Millisecond)
	s.picture(t, "collected")
	if now := s.read(t); now != before {
		t.Errorf("half-typed text is in the file:\n%s", now)
	}
	if now := runs(t, ran); !slices.Equal(now, []string{"old"}) {
		t.Errorf("the server was run with %q", now)
	}
	k.press("ctrl+2") // AI apps
	eventually(t, func() error { return differs(runs(t, ran), "old", "other new") })
	eventually(t, icon.says("● files   1 tool"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// Each button that fixes a server leads to its command, although the form was never drawn before.
func TestFixLeadsToTheCommand(t *testing.T) {
	t.Run("card", func(t *testing.T) {
		fixesTheCommand(t, nil, func(s *session, k *keyboard, _ *icon) {
			k.rest()
			s.picture(t, "fix-card")
			s.click(t, 815, 191)
		})
	})
	t.Run("header", func(t *testing.T) {
		fixesTheCommand(t, nil, func(s *session, k *keyboard, _ *icon) {
			k.press("ctrl+f")
			k.types("files")
			k.press("Return", "Escape", "Return", "ctrl+Tab") // to the log
			s.picture(t, "fix-header")
			s.click(t, 892, 81)
		})
	})
	t.Run("tray", func(t *testing.T) {
		fixesTheCommand(t, []string{"--hidden"}, func(s *session, _ *keyboard, icon *icon) {
			icon.click(t, "Change the command", s.hasWindow)
		})
	})
}

// fixesTheCommand runs the program with a server whose command is wrong. Where lead leads, the command can be
// corrected.
func fixesTheCommand(t *testing.T, args []string, lead func(*session, *keyboard, *icon)) {
	t.Helper()
	s := newSession(t, "{}")
	entry, _ := s.logged(t)
	command := entry["command"].(string)
	entry["command"] = strings.TrimSuffix(command, ".sh")
	s.write(t, configured(map[string]any{"files": entry}))
	p := newPanel(t, s)
	program := s.run(t, args...)
	icon := p.icon(t)
	if len(args) == 0 {
		eventually(t, s.hasWindow)
		eventually(t, s.has(colorAccent, 500))
	}
	client := s.newEngine(t)
	// fails
	client.call(t, "tools/call", map[string]any{"name": "open_toolbox",
		"arguments": map[string]any{"toolbox_name": "dev"}})
	eventually(t, icon.says("▲ files"))
	k := &keyboard{s.display}
	lead(s, k, icon)
	k.press("End", "period")
	k.types("sh")
	s.picture(t, "fixing")
	k.press("Return")
	eventually(t, holds(s.config, command+`"`, true))
	eventually(t, icon.says("○ files   Not started"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// With the keyboard alone, a server gets a header. A new header has the focus.
func TestTypingHeaders(t *testing.T) {
	s := newSession(t, configured(map[string]any{"files": map[string]any{"url": "http://127.0.0.1:1/mcp"}}))
	program := s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	k := &keyboard{s.display}
	s.keys(t, "Escape") // gives the window the keyboard
	k.press("ctrl+f")
	k.types("files")
	k.press("Return", "Escape", "Return")
	k.tabs(6)
	s.picture(t, "headers")
	k.press("space") // Add a key or value
	k.types("one")
	s.picture(t, "header-name")
	k.press("Return") // to its value
	k.types("two")
	k.press("ctrl+s")
	eventually(t, holds(s.config, `"one": "two"`, true))
	k.press("ctrl+q")
	program.endsWell(t)
}

// toCommand goes from a connected server in the list to its command, which is folded on its second tab.
func (k *keyboard) toCommand() {
	k.t.Helper()
	k.press("ctrl+Tab")
	k.tabs(14)       // past the two variables of these servers
	k.press("space") // How it starts
	k.tabs(2)
}

// runs returns the arguments of each start of a server.
func runs(t *testing.T, ran string) []string {
	t.Helper()
	text, err := os.ReadFile(ran)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func differs(got []string, want ...string) error {
	if !slices.Equal(got, want) {
		return fmt.Errorf("the server was run with %q, not %q", got, want)
	}
	return nil
}
