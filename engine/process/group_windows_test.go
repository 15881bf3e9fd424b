package process

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/windows"
)

// watched opens a process, so that its id is not reused, and returns a function that waits until it has
// ended.
func watched(t *testing.T, pid int) (awaitEnd func()) {
	t.Helper()
	handle, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = windows.CloseHandle(handle) })
	return func() {
		t.Helper()
		if event, err := windows.WaitForSingleObject(handle, uint32(patience.Milliseconds())); err != nil ||
			event != windows.WAIT_OBJECT_0 {
			t.Errorf("process %d is still there (%#x, %v)", pid, event, err)
		}
	}
}

func TestTheWholeJobEnds(t *testing.T) {
	for name, mode := range map[string]string{
		"stopped while it waits for its stdin": "grandchild=pid+sleep wait-stdin",
		"stopped by force":                     "grandchild=pid+sleep sleep",
	} {
		t.Run(name, func(t *testing.T) {
			p, lines := start(t, spec(t, mode))
			awaitEnd := watched(t, readPid(t, lines))
			if err := p.Stop(context.Background()); err != nil {
				t.Log(err) // a busy Wine takes longer to end a process than Stop waits; what counts is that it ends
			}
			awaitEnd()
			awaitDone(t, p)
		})
	}
	t.Run("the leader ended by itself", func(t *testing.T) {
		p, lines := start(t, spec(t, "grandchild=pid+sleep wait-stdin exit=5"))
		awaitEnd := watched(t, readPid(t, lines))
		_ = p.Stdin().Close()
		awaitEnd()
		awaitDone(t, p)
		if err := p.ExitError(); err == nil || err.Error() != "exited with status 5" {
			t.Errorf("%v", err)
		}
	})
}

// TestTheJobEndsWithUs: AI apps kill what they have started. All its children must end too.
func TestTheJobEndsWithUs(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	us := exec.Command(self)
	us.Env = append(os.Environ(), childVariable+"=server")
	out, err := us.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := us.Start(); err != nil {
		t.Fatal(err)
	}
	awaitEnd := watched(t, readPid(t, bufio.NewScanner(out)))
	if err := us.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = us.Wait()
	awaitEnd()
}

// serve starts a process as an engine does, prints its id, and waits to be killed.
func serve() {
	p, err := Start(Spec{Command: os.Args[0], Env: append(os.Environ(), childVariable+"=sleep")})
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Pid())
	<-p.Done()
}

// TestDefaultsOfWindows: a batch file does not run what lies in the folder of the server instead of what is in Path,
// and wsl.exe writes UTF-8; what is set stays.
func TestDefaultsOfWindows(t *testing.T) {
	s := spec(t, "environment")
	s.Env = append(s.Env, "wsl_utf8=0")
	_, lines := start(t, s)
	lines.Scan()
	if said := "|" + lines.Text() + "|"; !strings.Contains(said, "|NoDefaultCurrentDirectoryInExePath=1|") ||
		strings.Contains(said, "|WSL_UTF8=1|") {
		t.Errorf("it gets %q", said)
	}
}
