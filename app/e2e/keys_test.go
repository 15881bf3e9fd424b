//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// colorDark is the background in the dark theme.
const colorDark = 0x14171C

// barStops is how often Tab must be pressed to get past the navigation bar at the left.
const barStops = 5

// With the keyboard alone, an AI app is connected and disconnected, the theme is changed, start at login is switched
// on and off, and the text of the file is changed and restored. The tests of the widgets check where the focus goes;
// this test checks that keys of the real system get there.
func TestByKeysAlone(t *testing.T) {
	s := newSession(t, twoToolboxes)
	cursor := filepath.Join(s.folder, ".cursor")
	if err := os.Mkdir(cursor, 0o700); err != nil {
		t.Fatal(err)
	}
	program := s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	k := &keyboard{s.display}

	// What the page and its dialogs show is looked for in the background. Until a button is there, no key is for it.
	button := func(x, y int) {
		t.Helper()
		left, top, _, _ := s.geometry(t)
		eventually(t, func() error {
			if s.display.counts(image.Rect(x-30, y-12, x+30, y+12).Add(image.Pt(left, top)), colorAccent) < 500 {
				return fmt.Errorf("there is no button at %d, %d", x, y)
			}
			return nil
		})
	}
	k.press("ctrl+2")
	button(975, 130)     // Connect…
	k.tabs(barStops + 4) // past the two buttons at the top and "Good to know", to the button of the only app
	k.press("Return")
	button(877, 527) // Connect
	k.press("Return")
	file := filepath.Join(cursor, "mcp.json")
	eventually(t, holds(file, `"workbench"`, true))
	button(887, 437) // Done
	k.press("Return")
	// the menu has the focus, since Connect is gone; its second entry is Disconnect
	k.press("Return", "Down", "Down", "Return")
	button(867, 527) // Disconnect
	k.press("Return")
	eventually(t, isGone(file))

	k.press("ctrl+4")
	k.tabs(barStops + 7) // past the five sections and "Start at login"
	s.picture(t, "s1")
	k.press("Right", "Right")
	eventually(t, s.has(colorDark, 100_000))
	k.press("Left")
	eventually(t, func() error {
		if s.has(colorDark, 100_000)() == nil {
			return errors.New("the window is still dark")
		}
		return nil
	})
	start := filepath.Join(s.folder, ".config", "autostart")
	k.press("shift+Tab")
	s.picture(t, "s2")
	k.press("space")
	eventually(t, func() error {
		if files, _ := os.ReadDir(start); len(files) != 1 {
			return fmt.Errorf("there are %d files in %s", len(files), start)
		}
		return nil
	})
	k.press("space")
	eventually(t, func() error {
		if files, _ := os.ReadDir(start); len(files) != 0 {
			return fmt.Errorf("%s is still in %s", files[0].Name(), start)
		}
		return nil
	})

	// Moving through the text of the file with Tab changes nothing. What is typed there is saved, and can be undone.
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	k.press("ctrl+5")
	k.tabs(barStops + 5)
	s.picture(t, "f1")
	k.press("ctrl+s", "ctrl+1", "ctrl+5")
	k.tabs(barStops + 4) // past what is above the text
	k.press("End", "Return", "ctrl+s")
	eventually(t, func() error {
		now, err := os.ReadFile(s.config)
		if err == nil && string(now) == string(text) {
			err = errors.New("the file is unchanged")
		}
		return err
	})
	line, rest, _ := strings.Cut(string(text), "\n")
	if now, _ := os.ReadFile(s.config); !strings.HasPrefix(string(now), line+"\n") ||
		!strings.HasSuffix(string(now), "\n"+rest) || strings.Contains(string(now), "\t") {
		t.Errorf("after a new line the file is\n%s", now)
	}
	k.press("ctrl+z", "ctrl+s")
	eventually(t, holds(s.config, string(text), true))
	k.press("ctrl+q")
	program.endsWell(t)
}

// keyboard presses keys no faster than the window handles them.
type keyboard struct{ *screen }

// press presses keys one after another, and waits before each until the display is still.
func (k *keyboard) press(keys ...string) {
	k.t.Helper()
	for _, key := range keys {
		k.rest()
		k.key(key)
	}
	k.rest()
}

func (k *keyboard) tabs(count int) {
	k.t.Helper()
	for range count {
		k.press("Tab")
	}
}

// rest waits until the display has not changed for a while and no program of the test has had anything to do. On a
// busy machine, a program may need longer than that before it handles a key. It does not wait long, because the caret
// of a field blinks.
func (k *keyboard) rest() {
	k.t.Helper()
	const quiet, longest = 150 * time.Millisecond, 2 * time.Second
	all := image.Rect(0, 0, 1280, 780)
	begun := time.Now()
	before, since := k.pixels(all), begun
	for time.Since(since) < quiet && time.Since(begun) < longest {
		time.Sleep(20 * time.Millisecond)
		if now := k.pixels(all); !slices.Equal(now, before) || k.working() {
			before, since = now, time.Now()
		}
	}
}

// working reports whether a program of the test runs or waits for a processor.
func (k *keyboard) working() bool {
	k.t.Helper()
	for _, pid := range children(k.t, os.Getpid()) {
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, thread := range threads {
			stat, _ := os.ReadFile(thread) // it may have ended
			if end := bytes.LastIndexByte(stat, ')'); end >= 0 && bytes.HasPrefix(stat[end:], []byte(") R")) {
				return true
			}
		}
	}
	return false
}

func holds(path, text string, wanted bool) func() error {
	return func() error {
		content, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(content), text) != wanted {
			err = fmt.Errorf("%s is\n%s", path, content)
		}
		return err
	}
}

func isGone(path string) func() error {
	return func() error {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is still there: %v", path, err)
		}
		return nil
	}
}

// Ctrl+K finds an action by a part of its name, and Enter does it.
func TestFindAnything(t *testing.T) {
	s := newSession(t, configured(map[string]any{"memory": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	k := &keyboard{s.display}
	k.press("ctrl+k")
	k.types("pause")
	k.rest()
	s.picture(t, "find-anything")
	k.press("Return")
	eventually(t, icon.says("Paused"))
	k.press("ctrl+q")
	program.endsWell(t)
}
