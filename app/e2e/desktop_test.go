//go:build linux

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/keychain/keychaintest"
)

// session is a desktop for one test: a display with a window manager, a session bus, and folders for the user's files.
type session struct {
	display *screen
	env     []string
	bus     string // address of the session bus; empty if there is none
	folder  string // the user's home
	config  string // the configuration file
	link    string // endpoint of the program for engines
}

// newSession starts a desktop with a configuration.
func newSession(t *testing.T, config string) *session {
	t.Helper()
	return newSessionOf(t, config, "light")
}

// newSessionOf is like newSession, with one of Fyne's two themes, light or dark.
func newSessionOf(t *testing.T, config, look string) *session {
	t.Helper()
	needs(t, "Xvfb", "openbox", "dbus-daemon", "xdotool", "xwininfo")
	s := &session{folder: built.Folder(t)}
	t.Cleanup(func() { // after everything on this desktop has ended
		for _, race := range races() {
			t.Errorf(foundRace, race)
		}
	})
	// The path of a socket must be short.
	sockets, err := os.MkdirTemp("", "wb")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	s.link = filepath.Join(sockets, "link")
	s.config = filepath.Join(s.folder, "workbench-config.json")
	s.write(t, config)
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "LANG=en_US.UTF-8", "FYNE_THEME=" + look, "FYNE_SCALE=1",
		"HOME=" + s.folder, "XDG_CONFIG_HOME=" + filepath.Join(s.folder, ".config"), "XDG_RUNTIME_DIR=" + s.folder,
	}
	s.env = append(s.env, "DISPLAY=:"+startDisplay(t, s.env))
	s.display = newScreen(t, s)
	start(t, s.env, "openbox")
	s.bus = startBus(t, s.env)
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+s.bus)
	return s
}

// write replaces the configuration as editors do: by renaming a new file over the old.
func (s *session) write(t *testing.T, config string) {
	t.Helper()
	next := s.config + ".new"
	if err := os.WriteFile(next, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(next, s.config); err != nil {
		t.Fatal(err)
	}
}

// run starts the program on this desktop.
func (s *session) run(t *testing.T, args ...string) *process {
	t.Helper()
	return start(t, s.env, program, append([]string{"--config", s.config, "--link", s.link}, args...)...)
}

// startDisplay starts an X server with a free number, and returns the number.
func startDisplay(t *testing.T, env []string) string {
	t.Helper()
	return startPrinting(t, env, "Xvfb", "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
}

// startBus starts a session bus and returns its address. It starts the programs that every session bus of this
// computer would start, such as that for the settings of the panel, but no keychain: what is tested must not depend on
// whether this computer has one.
func startBus(t *testing.T, env []string) string {
	t.Helper()
	folder := t.TempDir()
	installed, err := filepath.Glob("/usr/share/dbus-1/services/*.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range installed {
		service, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(service, []byte("org.freedesktop.secrets")) || bytes.Contains(service, []byte("keyring")) {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(path)), service, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return keychaintest.BusOf(t, folder, env)
}

// startPrinting starts a server that prints its address to file descriptor 3, and returns the address.
func startPrinting(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.ExtraFiles = env, []*os.File{write}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var line bytes.Buffer
	for chunk := make([]byte, 1); !strings.HasSuffix(line.String(), "\n"); {
		if _, err := io.ReadFull(read, chunk); err != nil {
			t.Fatalf("%s ended without saying how to reach it: %v", name, err)
		}
		line.Write(chunk)
	}
	return strings.TrimSpace(line.String())
}

// window returns the number of the program's window, or "" if none is visible.
func (s *session) window() string {
	cmd := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^Workbench$")
	cmd.Env = s.env
	out, _ := cmd.Output() // xdotool fails if there is none
	return strings.TrimSpace(string(out))
}

func (s *session) hasWindow() error {
	if s.window() == "" {
		return fmt.Errorf("no window can be seen")
	}
	return nil
}

func (s *session) hasNoWindow() error {
	if s.window() != "" {
		return fmt.Errorf("the window can still be seen")
	}
	return nil
}

// keys focuses the window and presses keys.
func (s *session) keys(t *testing.T, keys string) {
	t.Helper()
	cmd := exec.Command("xdotool", "windowfocus", "--sync", s.window(), "key", "--clearmodifiers", keys)
	cmd.Env = s.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("pressing %s: %v\n%s", keys, err, out)
	}
}

// closeWindow closes the window with the keyboard. It repeats that until gone returns nil, because a window manager
// may not accept keys for a new window yet.
func (s *session) closeWindow(t *testing.T, gone func() error) {
	t.Helper()
	var next time.Time
	eventually(t, func() error {
		err := gone()
		if err == nil || time.Now().Before(next) {
			return err
		}
		next = time.Now().Add(3 * time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		cmd := exec.CommandContext(ctx, "xdotool", "windowfocus", "--sync", s.window(), "key", "--clearmodifiers", "alt+F4")
		cmd.Env = s.env
		_ = cmd.Run() // fails if the window closes meanwhile, which is fine
		return err
	})
}

// screen takes a picture of the whole display.
func (s *session) screen() *image.RGBA { return s.display.picture(image.Rect(0, 0, 1280, 800)) }

// colours counts the pixels of each colour, as 0xRRGGBB.
func colours(img *image.RGBA) map[uint32]int {
	counts := map[uint32]int{}
	same, color := 0, uint32(0) // neighbours are mostly of one colour
	for pixel := img.Pix; len(pixel) > 0; pixel = pixel[4:] {
		now := uint32(pixel[0])<<16 | uint32(pixel[1])<<8 | uint32(pixel[2])
		if now != color {
			counts[color] += same
			same, color = 0, now
		}
		same++
	}
	counts[color] += same
	return counts
}
