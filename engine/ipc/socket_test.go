//go:build unix

package ipc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/process/anotheruser"
)

// asOther, in the environment, makes the test binary dial the socket that it names.
const asOther = "WORKBENCH_LINK_TEST_DIAL"

func TestMain(m *testing.M) {
	if at := os.Getenv(asOther); at != "" {
		conn, err := net.Dial("unix", at)
		if err != nil {
			fmt.Println("dial:", err)
			os.Exit(0)
		}
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		got, err := io.ReadAll(conn)
		fmt.Printf("read %d bytes, %v\n", len(got), err)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestWhoGetsIn(t *testing.T) {
	if err := allow(os.Getuid()); err != nil {
		t.Error(err)
	}
	for _, other := range []int{os.Getuid() + 1, 65534} {
		if err := allow(other); err == nil {
			t.Errorf("user %d is let in", other)
		}
	}
	anotheruser.MayEnter(t)
	at := endpoint(t)
	h, _ := startHub(t, HubOptions{Endpoint: at})
	for path, want := range map[string]fs.FileMode{filepath.Dir(at): 0o700, at: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can become another user")
	}
	other := func() string {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{asOther + "=" + at}
		anotheruser.Become(t, cmd)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := other(); !strings.Contains(out, "permission denied") {
		t.Errorf("another user got: %s", out)
	}
	// Even if the folder is open to everybody, the hub checks who connects.
	if err := errors.Join(os.Chmod(filepath.Dir(filepath.Dir(at)), 0o755), os.Chmod(filepath.Dir(at), 0o755),
		os.Chmod(at, 0o666)); err != nil {
		t.Fatal(err)
	}
	if out := other(); !strings.Contains(out, "read 0 bytes") {
		t.Errorf("another user got: %s", out)
	}
	if n := len(h.Engines()); n != 0 {
		t.Errorf("%d engines", n)
	}
}

// An app that was killed leaves its socket behind. The next app replaces it.
func TestSocketOfADeadApp(t *testing.T) {
	at := endpoint(t)
	if err := makeFolder(filepath.Dir(at)); err != nil {
		t.Fatal(err)
	}
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Show(t.Context(), at, ""); !errors.Is(err, ErrNotRunning) {
		t.Errorf("got %v", err)
	}
	h, _ := startHub(t, HubOptions{Endpoint: at})
	startAgent(t, at, newEngine())
	theEngine(t, h)
}

func TestStrangeFolders(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o700),
		os.Symlink(filepath.Join(dir, "real"), elsewhere)); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{file, elsewhere} {
		if _, _, err := listen(filepath.Join(folder, socketName)); err == nil {
			t.Errorf("%s is listened in", folder)
		}
		if _, err := dial(t.Context(), filepath.Join(folder, socketName)); err == nil || errors.Is(err, ErrNotRunning) {
			t.Errorf("dialling in %s: %v", folder, err)
		}
	}
	if os.Getuid() == 0 {
		foreign := filepath.Join(dir, "foreign")
		if err := errors.Join(os.Mkdir(foreign, 0o777), os.Chown(foreign, 65534, 65534)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := listen(filepath.Join(foreign, socketName)); err == nil ||
			!strings.Contains(err.Error(), "another user") {
			t.Errorf("got %v", err)
		}
	}
	// A folder that others may write to is made private.
	open := filepath.Join(dir, "open")
	if err := errors.Join(os.Mkdir(open, 0o777), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := makeFolder(open); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(open); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestEndpointDoesNotDependOnTheEnvironment(t *testing.T) {
	before, err := DefaultEndpoint()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "TMPDIR", "USER", "LOGNAME"} {
		t.Setenv(name, "/nowhere")
	}
	if after, err := DefaultEndpoint(); err != nil || after != before {
		t.Errorf("%s, %v; before, it was %s", after, err, before)
	}
}

func TestLongPaths(t *testing.T) {
	if path, err := socketIn([]string{"/home/a", "/tmp/b"}, socketName, longestSocketPath()); err != nil ||
		path != "/home/a/"+socketName {
		t.Errorf("%s, %v", path, err)
	}
	if path, err := socketIn([]string{"/home/" + strings.Repeat("a", 100), "/tmp/b"}, socketName, longestSocketPath()); err != nil ||
		path != "/tmp/b/"+socketName {
		t.Errorf("%s, %v", path, err)
	}
	if _, err := socketIn([]string{"/home/" + strings.Repeat("a", 100), "/tmp/" + strings.Repeat("a", 100)},
		socketName, longestSocketPath()); err == nil {
		t.Error("no error")
	}
}

// The path of a socket may be as long as the system allows.
func TestSocketAtTheLimit(t *testing.T) {
	fits := filepath.Join("a", socketName)
	if got, err := socketIn([]string{"aa", "a"}, socketName, len(fits)); err != nil || got != fits {
		t.Errorf("%q, %v, want %q", got, err, fits)
	}
	if _, err := socketIn([]string{"a"}, socketName, len(fits)-1); err == nil {
		t.Error("a path that is too long was accepted")
	}
}
