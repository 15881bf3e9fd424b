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

// logged is the entry of a server that writes down with which arguments it is started, and where.
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

// Without a mouse, in the real window: the name of a package is typed letter by letter, with pauses, while its server is in use. Nothing
// is run before Enter, and then the keyboard is in a new argument.
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
	eventually(t, icon.says("● files   Connected"))
	before := s.read(t)

	k := &keyboard{newScreen(t, s)}
	s.keys(t, "Escape") // which gives the window the keyboard
	k.press("ctrl+f")
	k.types("files")
	k.press("Return", "Escape", "Return")
	k.tabs(tabsToCommand + 5) // to the second argument
	k.press("End")
	for _, letter := range "er" {
		k.press(string(letter))
		time.Sleep(1500 * time.Millisecond) // more than twice what once was taken for the end of the typing
	}
	s.picture(t, "typing")
	if now := s.read(t); now != before {
		t.Errorf("what is half typed is in the file:\n%s", now)
	}
	if now := runs(t, ran); !slices.Equal(now, []string{"-y old"}) {
		t.Errorf("the server was run with %q", now)
	}
	k.press("Return")
	eventually(t, holds(s.config, `"older"`, true))
	eventually(t, icon.says("● files   Connected"))
	eventually(t, func() error { return differs(runs(t, ran), "-y old", "-y older") })

	// The keyboard is in the new argument, and in the one after that, which stays empty.
	k.types("one")
	k.press("Return", "Tab")
	eventually(t, holds(s.config, `"one"`, true))
	k.press("space") // Add argument, to which the Tab key leads
	k.types("two")
	k.press("ctrl+s")
	eventually(t, func() error { return differs(runs(t, ran), "-y old", "-y older", "-y older one", "-y older one two") })
	s.picture(t, "typed")
	k.press("ctrl+q")
	program.endsWell(t)
}

// Without a mouse, in the real window: whoever goes from the command to its arguments with the Tab key, in a server in use, starts nothing on the way.
// The new command is run once, with the new arguments, when the keyboard has left the server.
func TestTabFromCommandToArguments(t *testing.T) {
	s := newSession(t, "{}")
	entry, ran := s.logged(t, "old")
	s.write(t, configured(map[string]any{"files": entry}))
	script, err := os.ReadFile(entry["command"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(entry["command"].(string)+"x", []byte(strings.Replace(string(script), `"$*"`, `"other $*"`, 1)), 0o700); err != nil {
		t.Fatal(err)
	}
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	client := s.newEngine(t)
	client.open(t, "dev")
	eventually(t, icon.says("● files   Connected"))
	before := s.read(t)

	k := &keyboard{newScreen(t, s)}
	s.keys(t, "Escape") // which gives the window the keyboard
	k.press("ctrl+f")
	k.types("files")
	k.press("Return", "Escape", "Return")
	k.tabs(tabsToCommand)
	k.press("End", "x")
	for _, key := range []string{"Tab", "Tab", "ctrl+a"} { // past the button that chooses a file
		k.press(key)
		time.Sleep(1500 * time.Millisecond) // the time in which a field that was left was applied once, and more
	}
	k.types("new")
	time.Sleep(1500 * time.Millisecond)
	s.picture(t, "collected")
	if now := s.read(t); now != before {
		t.Errorf("what is half typed is in the file:\n%s", now)
	}
	if now := runs(t, ran); !slices.Equal(now, []string{"old"}) {
		t.Errorf("the server was run with %q", now)
	}
	k.press("ctrl+2") // AI apps
	eventually(t, func() error { return differs(runs(t, ran), "old", "other new") })
	eventually(t, icon.says("● files   Connected"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// What mends a server that cannot be started leads to its command, though the form was never drawn before.
func TestFixLeadsToTheCommand(t *testing.T) {
	s := newSession(t, "{}")
	entry, _ := s.logged(t)
	command := entry["command"].(string)
	entry["command"] = strings.TrimSuffix(command, ".sh")
	s.write(t, configured(map[string]any{"files": entry}))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	client := s.newEngine(t)
	client.call(t, "tools/call", map[string]any{"name": "open_toolbox", "arguments": map[string]any{"toolbox_name": "dev"}}) // in vain
	eventually(t, icon.says("▲ files"))
	k := &keyboard{newScreen(t, s)}
	k.rest()
	s.picture(t, "fix")
	s.click(t, 830, 207) // Change the command, on its card
	k.press("End", "period")
	k.types("sh")
	s.picture(t, "fixing")
	k.press("Return")
	eventually(t, holds(s.config, command, true))
	eventually(t, icon.says("○ files   Not started"))
	k.press("ctrl+q")
	program.endsWell(t)
}

// tabsToCommand is how many times Tab is pressed to get from a connected server in the list to its command.
const tabsToCommand = 8

// runs are the arguments with which a server was run, each time.
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
