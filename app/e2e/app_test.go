//go:build linux

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const twoToolboxes = `{"toolboxes": {
  "dev": {"description": "Development tools", "mcpServers": {
    "filesystem": {"command": "sh", "args": ["-y", "@modelcontextprotocol/server-filesystem"]},
    "my_memory": {"command": "sh", "args": ["-y", "@modelcontextprotocol/server-memory"]}}},
  "research": {"mcpServers": {
    "search": {"url": "https://search.example.com/mcp"},
    "papers": {"command": "sh", "args": ["papers"], "disabled": true}}}
}}`

// Its servers have the same commands as those above, so that nothing waits for approval.
const threeToolboxes = `{"toolboxes": {
  "dev": {"mcpServers": {"filesystem": {"command": "sh", "args": ["-y", "@modelcontextprotocol/server-filesystem"]}}},
  "research": {"mcpServers": {"search": {"url": "https://search.example.com/mcp"}}},
  "home": {"mcpServers": {"calendar": {"command": "sh", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}
}}`

// The main features: the window opens and draws, the tray lists what is configured and follows good and bad changes of
// the file, and the last entry of its menu quits the program.
func TestTrayFollowsTheConfiguration(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)

	eventually(t, func() error {
		var title string
		if err := icon.property("Title", &title); err != nil || title != "Workbench" {
			return fmt.Errorf("the icon's title is %q, %v; want Workbench", title, err)
		}
		return nil
	})
	calm, err := icon.picture()
	if err != nil {
		t.Fatal(err)
	}
	if calm.Width < 22 || len(calm.Pixels) != int(calm.Width*calm.Height*4) ||
		bytes.Count(calm.Pixels, []byte{0}) == len(calm.Pixels) {
		t.Errorf("the icon is %d × %d pixels of %d bytes, or empty", calm.Width, calm.Height, len(calm.Pixels))
	}

	// In the label of a menu, two underscores stand for one.
	icon.shows(t, []string{"Workbench — 0 of 3 servers connected", "dev", "○ filesystem   Not started",
		"○ my__memory   Not started",
		"research", "– papers   Switched off", "Open Workbench", "Pause all", "Start at login", "Quit"})

	eventually(t, func() error {
		img := s.screen()
		counts := colours(img)
		// Most of the window is background, and text makes many shades.
		if counts[0xF5F6F8] < 100_000 || counts[0xE6EDFD] < 2_000 || len(counts) < 60 {
			return fmt.Errorf("the window does not look like ours: %d colours, %d pixels of background, %d of selection",
				len(counts), counts[0xF5F6F8], counts[0xE6EDFD])
		}
		return nil
	})

	s.write(t, threeToolboxes)
	icon.shows(t, []string{"home", "○ calendar   Not started"}, "○ my__memory   Not started")

	s.write(t, threeToolboxes[:len(threeToolboxes)-5])
	icon.shows(t, []string{"▲ The configuration file has an error: 1 problem", "home"})
	eventually(t, func() error {
		if now, err := icon.picture(); err != nil || bytes.Equal(now.Pixels, calm.Pixels) {
			return fmt.Errorf("the icon does not show that something is wrong: %v", err)
		}
		return nil
	})

	s.write(t, twoToolboxes)
	icon.shows(t, []string{"○ my__memory   Not started"}, "▲ The configuration file has an error: 1 problem", "home")

	icon.click(t, "Quit", program.hasEnded)
	program.endsWell(t)
	// Fyne reports a call from a wrong goroutine in this way and continues.
	for _, bad := range []string{"Error in Fyne call thread", "panic", "DATA RACE", "Translation failure"} {
		if said := program.output.String(); strings.Contains(said, bad) {
			t.Errorf("the program said:\n%s", said)
		}
	}
}

// Closing the window leaves the icon in the tray, and a click on it shows the window again.
func TestClosingLeavesTheTray(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)

	s.closeWindow(t, s.hasNoWindow)
	if !program.running() {
		t.Fatal("closing the window ended the program, though there is a tray")
	}
	if call := icon.item.Call(itemName+".Activate", 0, int32(0), int32(0)); call.Err != nil {
		t.Fatal(call.Err)
	}
	eventually(t, s.hasWindow)

	if err := program.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	program.endsWell(t)
}

// If the tray goes away, the window stays, and closing it ends the program.
func TestClosingAfterTheTrayHasGone(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	p.icon(t)
	eventually(t, s.hasWindow)
	if _, err := p.conn.ReleaseName(watcherName); err != nil {
		t.Fatal(err)
	}
	s.closeWindow(t, program.hasEnded)
	program.endsWell(t)
}

// If the session bus ends, the tray is gone, and everything else still works.
func TestTheBusGoesAway(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	p.icon(t)
	eventually(t, s.hasWindow)
	var bus uint32
	if err := p.conn.BusObject().Call("org.freedesktop.DBus.GetConnectionUnixProcessID", 0,
		"org.freedesktop.DBus").Store(&bus); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(int(bus), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-p.conn.Context().Done()
	s.write(t, "{") // the tray would report this
	eventually(t, func() error {
		if !program.running() {
			t.Fatal("the program has ended")
		}
		return s.has(colorWrong, 60)()
	})
	s.write(t, threeToolboxes)
	eventually(t, func() error {
		if s.has(colorWrong, 60)() == nil {
			return errors.New("the window still shows that the file is broken")
		}
		return nil
	})
	s.closeWindow(t, program.hasEnded) // there is no tray
	program.endsWell(t)
}

// Started hidden, the program is only in the tray until its window is opened.
func TestHidden(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	s.run(t, "--hidden")
	icon := p.icon(t)
	icon.shows(t, []string{"Open Workbench"})
	if err := s.hasNoWindow(); err != nil {
		t.Error(err)
	}
	icon.click(t, "Open Workbench", s.hasWindow)
}

// Without a tray, the program is an ordinary window.
func TestWithoutATray(t *testing.T) {
	s := newSession(t, twoToolboxes)
	program := s.run(t)
	eventually(t, s.hasWindow)
	s.closeWindow(t, program.hasEnded)
	program.endsWell(t)
}

// It also works without a session bus.
func TestWithoutABus(t *testing.T) {
	s := newSession(t, "{")
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(s.folder, "nothing-here"))
	program := s.run(t)
	eventually(t, s.hasWindow)
	s.keys(t, "ctrl+q")
	program.endsWell(t)
}

// If no window can open, the program says so, and what to do instead.
func TestWithoutADisplay(t *testing.T) {
	for name, c := range map[string]struct {
		env  string
		says string
	}{
		"none": {"NOTHING=", "there is no display here (DISPLAY and WAYLAND_DISPLAY are not set), so the window " +
			"cannot open"},
		"nobody":      {"DISPLAY=:9876", `the display cannot be opened (DISPLAY is ":9876"`},
		"not a name":  {"DISPLAY=nonsense", `the display cannot be opened (DISPLAY is "nonsense"`},
		"no Wayland":  {"WAYLAND_DISPLAY=nobody-here", `WAYLAND_DISPLAY is "nobody-here"`},
		"empty names": {"DISPLAY=", "there is no display here"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			cmd := exec.Command(program)
			cmd.Env = []string{"PATH=/usr/bin:/bin", "LANG=en_US.UTF-8", "HOME=" + home, "XDG_RUNTIME_DIR=" + home, c.env}
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("the program ended with %v, want exit status 1", err)
			}
			if stdout.Len() > 0 {
				t.Errorf("it wrote to standard output: %q", stdout.String())
			}
			for _, want := range []string{c.says, `"workbench-desktop stdio"`, `"workbench-desktop status"`} {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("it does not say %q:\n%s", want, stderr.String())
				}
			}
			if strings.Contains(stderr.String(), "goroutine ") || strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("it says more than a sentence:\n%s", stderr.String())
			}
		})
	}
}
