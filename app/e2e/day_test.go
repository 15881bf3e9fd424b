//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// Colours of the light theme that the tests look for.
const (
	colorWrong  = 0xC2322D
	colorGood   = 0x157F4D
	colorAccent = 0x2F5FDE
	colorText   = 0x1D2433
)

// has returns an error unless the display has at least atLeast pixels of a colour.
func (s *session) has(color uint32, atLeast int) func() error {
	return func() error {
		img := s.screen()
		if got := colours(img)[color]; got < atLeast {
			return fmt.Errorf("the display has %d pixels of %06X, not %d", got, color, atLeast)
		}
		return nil
	}
}

// within measures how long it takes until a condition holds.
func within(t *testing.T, condition func() error) time.Duration {
	t.Helper()
	begun := time.Now()
	for {
		err := condition()
		took := time.Since(begun)
		if err == nil {
			return took
		}
		if took > patience {
			t.Fatalf("not after %v: %v", patience, err)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// prompt is how soon the window and the tray must show what has happened in an engine. It is only checked on a machine
// that does nothing else; otherwise the time is logged.
const prompt = 500 * time.Millisecond

func checkPrompt(t *testing.T, what string, took time.Duration) {
	t.Helper()
	t.Logf("%s after %v", what, took)
	if took > prompt && os.Getenv("WORKBENCH_E2E_TIMES") != "" {
		t.Errorf("%s after %v, which is more than %v", what, took, prompt)
	}
}

// says returns an error unless a line of the menu begins with a text.
func (i *icon) says(beginning string) func() error {
	return func() error {
		_, entries, err := i.menu()
		if err != nil {
			return err
		}
		all := labels(entries)
		for _, label := range all {
			if strings.HasPrefix(label, beginning) {
				return nil
			}
		}
		return fmt.Errorf("no line of the menu begins with %q: %q", beginning, all)
	}
}

// An AI app starts an engine and opens a toolbox. A server dies and is started from the tray, and the engine crashes.
// The tray and the window show all of this at once.
func TestWhatHappensInAnEngine(t *testing.T) {
	s := newSession(t, configured(map[string]any{"memory": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)

	client := s.newEngine(t)
	eventually(t, icon.says("Claude Desktop — connected since "))
	eventually(t, icon.says("○ memory   Not started"))
	client.open(t, "dev")
	checkPrompt(t, "connected in the tray", within(t, icon.says("● memory   1 tool")))
	eventually(t, icon.says("Workbench — 1 of 1 server connected"))
	eventually(t, s.has(colorGood, 100))
	s.picture(t, "connected")

	servers := client.servers(t)
	if len(servers) != 1 {
		t.Fatalf("the engine has the processes %v", servers)
	}
	d := s.display
	x, y, width, height := s.geometry(t)
	whole := image.Rect(x, y, x+width, y+height)
	if err := syscall.Kill(servers[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	var inTray, inWindow time.Duration
	within(t, func() error {
		if inTray == 0 && icon.says("● memory   1 tool")() != nil {
			inTray = time.Since(begun)
		}
		if inWindow == 0 && d.counts(whole, colorWrong) >= 30 {
			inWindow = time.Since(begun)
		}
		if inTray == 0 || inWindow == 0 {
			return errors.New("the death of the server is not shown")
		}
		return nil
	})
	checkPrompt(t, "the death of a server in the tray", inTray)
	checkPrompt(t, "the death of a server in the window", inWindow)

	// The server restarts by itself; the tray can restart it, too.
	eventually(t, icon.says("● memory   1 tool"))
	before := client.servers(t)
	icon.click(t, "Restart", func() error {
		if now := client.servers(t); len(now) != 1 || len(before) == 1 && now[0] == before[0] {
			return fmt.Errorf("the server has the processes %v, as before %v", now, before)
		}
		return nil
	})
	eventually(t, icon.says("● memory   1 tool"))

	// A single server can be stopped, and started again in the same engine.
	icon.click(t, "Stop", func() error {
		if left := client.servers(t); len(left) > 0 {
			return fmt.Errorf("stopped, it still has the processes %v", left)
		}
		return nil
	})
	eventually(t, icon.says("○ memory   Stopped"))
	icon.click(t, "Start", icon.says("● memory   1 tool"))
	if left := client.servers(t); len(left) != 1 {
		t.Errorf("after another start, the engine has the processes %v", left)
	}

	icon.click(t, "Pause all", icon.says("Paused"))
	eventually(t, func() error {
		if left := client.servers(t); len(left) > 0 {
			return fmt.Errorf("paused, the engine still has the processes %v", left)
		}
		return nil
	})
	icon.click(t, "Resume", icon.says("● memory   1 tool")) // open toolboxes are opened again

	left := client.servers(t)
	client.kill()
	checkPrompt(t, "the end of an engine in the tray", within(t, icon.says("Claude Desktop — last seen ")))
	eventually(t, icon.says("○ memory   Ready"))
	for _, pid := range left {
		eventually(t, gone(pid))
	}
}

// A server is added by pasting, is tried, and is removed with undo. A file that another program has broken is
// repaired.
func TestAddAndRepair(t *testing.T) {
	needs(t, "xsel")
	s := newSession(t, configured(map[string]any{"first": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	app := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500)) // the button that adds servers

	pasted, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"memory": fake(fakeserver.Script{})}})
	if err != nil {
		t.Fatal(err)
	}
	s.clipboard(t, string(pasted))
	added := func() error {
		if text := s.read(t); !strings.Contains(text, `"memory"`) {
			return errors.New("the file does not have the server")
		}
		return nil
	}
	// Each key depends on what the key before it has shown. If a key was lost, all are repeated.
	eventually(t, func() error {
		if added() == nil {
			return nil
		}
		for _, key := range []string{"Escape", "Escape", "ctrl+1", "ctrl+v", "ctrl+Return", "Return"} {
			s.press(t, key)
			time.Sleep(500 * time.Millisecond)
		}
		return soon(added)
	})
	eventually(t, icon.says("● memory   1 tool"))
	s.picture(t, "added")
	if own := children(t, app.cmd.Process.Pid); len(own) != 1 {
		t.Errorf("the program has started the processes %v", own)
	}

	// After undo, the server is not in the file and its process has ended.
	own := children(t, app.cmd.Process.Pid)
	eventually(t, func() error {
		if added() != nil {
			return nil
		}
		s.press(t, "Escape")
		s.press(t, "ctrl+z")
		return soon(func() error {
			if added() == nil {
				return errors.New("the server is still in the file")
			}
			return nil
		})
	})
	for _, pid := range own {
		eventually(t, gone(pid))
	}

	good := s.read(t)
	s.write(t, strings.Replace(good, `"mcpServers": {`, `"mcpServers": {,`, 1))
	eventually(t, icon.says("▲ The configuration file has an error: 1 problem"))
	eventually(t, s.has(colorWrong, 60))
	s.picture(t, "broken")
	height := 60
	eventually(t, func() error {
		if s.read(t) == good {
			return nil
		}
		// The button of the repair is near the lower right corner. Its height depends on the text beside it, so try
		// several.
		if height += 12; height > 180 {
			height = 60
		}
		s.clickFromCorner(t, 150, height)
		return soon(func() error {
			if now := s.read(t); now != good {
				return fmt.Errorf("the file is not repaired: %q", now)
			}
			return nil
		})
	})
	eventually(t, func() error {
		if icon.says("▲ The configuration file has an error: 1 problem")() == nil {
			return errors.New("the tray still shows the problem")
		}
		return nil
	})
	icon.click(t, "Quit", app.hasEnded)
	app.endsWell(t)
}

// soon waits up to a second for a condition.
func soon(condition func() error) error {
	var err error
	for range 20 {
		if err = condition(); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

// A second start shows the window of the first and ends.
func TestSecondStart(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	first := s.run(t)
	p.icon(t)
	eventually(t, s.hasWindow)
	s.closeWindow(t, s.hasNoWindow)

	second := s.run(t)
	second.endsWell(t)
	eventually(t, s.hasWindow)
	const said = "Workbench runs already; its window is shown.\n"
	if got := second.output.String(); got != said {
		t.Errorf("the second start says %q", got)
	}
	// With another configuration, it says that the window shows a different one.
	other := s.run(t, "--config", s.config+".other")
	other.endsWell(t)
	if got := other.output.String(); !strings.Contains(got, said) ||
		!strings.Contains(got, "it shows "+s.config+". To see "+s.config+".other, quit it and start it again") {
		t.Errorf("a start with another configuration says %q", got)
	}
	if !first.running() {
		t.Error("the first program has ended")
	}
}

// Quitting ends the servers that the window has started.
func TestQuitEndsEverything(t *testing.T) {
	s := newSession(t, configured(map[string]any{"a": fake(fakeserver.Script{}), "b": fake(fakeserver.Script{})}))
	p := newPanel(t, s)
	app := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	for _, name := range []string{"a", "b"} {
		icon.clickIn(t, "○ "+name+"   Not started", "Start", icon.says("● "+name+"   1 tool"))
	}
	servers := children(t, app.cmd.Process.Pid)
	if len(servers) != 2 {
		t.Fatalf("the window has started the processes %v", servers)
	}
	if err := app.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	app.endsWell(t)
	for _, pid := range servers {
		if err := gone(pid)(); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(s.link); err == nil {
		t.Error("the socket is still there")
	}
	for _, bad := range []string{"Error in Fyne call thread", "panic", "DATA RACE", "Translation failure"} {
		if said := app.output.String(); strings.Contains(said, bad) {
			t.Errorf("the program said:\n%s", said)
		}
	}
}

// Killing the program leaves no servers, not even servers that ignore the end of their input.
func TestKilledWindowLeavesNothing(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	s := newSession(t, configured(
		map[string]any{"a": fake(fakeserver.Script{IgnoreEnd: true, SpawnGrandchild: true, PidFile: pids})}))
	p := newPanel(t, s)
	app := s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	icon.clickIn(t, "○ a   Not started", "Start", icon.says("● a   1 tool"))
	var servers []string
	eventually(t, func() error {
		text, err := os.ReadFile(pids)
		if servers = strings.Fields(string(text)); len(servers) != 2 {
			return fmt.Errorf("the server has written %q: %v", text, err)
		}
		return nil
	})
	if err := app.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		left := slices.DeleteFunc(slices.Clone(servers), func(pid string) bool {
			stat, err := os.ReadFile("/proc/" + pid + "/stat")
			return err != nil || strings.Contains(string(stat), ") Z ")
		})
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the processes %v still run", left)
		}
	}
}

// clipboard puts a text on the clipboard of the display.
func (s *session) clipboard(t *testing.T, text string) {
	t.Helper()
	cmd := exec.Command("xsel", "--clipboard", "--input")
	cmd.Env, cmd.Stdin = s.env, strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
}

// read returns the configuration in the file.
func (s *session) read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// press focuses the window and presses keys. They may get lost.
func (s *session) press(t *testing.T, keys string) {
	t.Helper()
	cmd := exec.Command("timeout", "5", "xdotool", "windowfocus", "--sync", s.window(), "key", "--clearmodifiers", keys)
	cmd.Env = s.env
	_ = cmd.Run()
}

// geometry returns the place of the window on the display. It is zero if there is no window yet.
func (s *session) geometry(t *testing.T) (x, y, width, height int) {
	t.Helper()
	cmd := exec.Command("xwininfo", "-id", s.window())
	cmd.Env = s.env
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, 0, 0
	}
	for _, line := range strings.Split(string(out), "\n") {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		number, _ := strconv.Atoi(strings.TrimSpace(value))
		switch name {
		case "Absolute upper-left X":
			x = number
		case "Absolute upper-left Y":
			y = number
		case "Width":
			width = number
		case "Height":
			height = number
		}
	}
	return x, y, width, height
}

// clickFromCorner clicks in the window, at a distance from its lower right corner.
func (s *session) clickFromCorner(t *testing.T, right, up int) {
	t.Helper()
	x, y, width, height := s.geometry(t)
	at := image.Pt(x+width-right, y+height-up)
	cmd := exec.Command("xdotool", "mousemove", fmt.Sprint(at.X), fmt.Sprint(at.Y), "click", "1")
	cmd.Env = s.env
	_ = cmd.Run() // the caller repeats it if it fails
}
