package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// childVariable makes the test binary behave as one of the children below.
const childVariable = "PROCESS_TEST_CHILD"

// patience is far longer than anything here takes.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if mode := os.Getenv(childVariable); mode != "" {
		child(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child does what the words of the mode say, one after the other.
func child(mode string) {
	for _, word := range strings.Fields(mode) {
		word, argument, _ := strings.Cut(word, "=")
		switch word {
		case "ignore-term":
			signal.Ignore(syscall.SIGTERM)
		case "grandchild": // its argument is its mode
			grandchild := exec.Command(os.Args[0])
			grandchild.Env = append(os.Environ(), childVariable+"="+strings.ReplaceAll(argument, "+", " "))
			grandchild.Stdout = os.Stdout
			grandchild.Stderr = os.Stderr
			if err := grandchild.Start(); err != nil {
				panic(err)
			}
		case "pid":
			fmt.Println(os.Getpid())
		case "say":
			fmt.Println(argument)
		case "complain":
			fmt.Fprintln(os.Stderr, argument)
		case "flood":
			block := bytes.Repeat([]byte("noise "), 10_000)
			for range 200 {
				os.Stderr.Write(block)
			}
		case "environment":
			fmt.Println(strings.Join(os.Environ(), "|"))
		case "line", "server": // on Windows
			windowsChild(word)
		case "folder":
			folder, _ := os.Getwd()
			fmt.Println(folder)
		case "wait-stdin":
			io.Copy(io.Discard, os.Stdin)
		case "sleep":
			time.Sleep(time.Hour)
		case "exit":
			status, _ := strconv.Atoi(argument)
			os.Exit(status)
		}
	}
}

// spec returns the Spec of a child with short graces.
func spec(t *testing.T, mode string) Spec {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Spec{
		Command:    self,
		Env:        append(os.Environ(), childVariable+"="+mode),
		StdinGrace: 50 * time.Millisecond,
		TermGrace:  50 * time.Millisecond,
	}
}

// start starts a child, discards its stderr, and stops it at the end of the test.
func start(t *testing.T, spec Spec) (*Process, *bufio.Scanner) {
	t.Helper()
	return started(t, newGroup(), spec)
}

// started starts a process in a group, and ends it with the test.
func started(t *testing.T, g *group, spec Spec) (*Process, *bufio.Scanner) {
	t.Helper()
	p, err := startIn(g, spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		if err := p.Stop(ended); err != nil {
			t.Error(err)
		}
	})
	go io.Copy(io.Discard, p.Stderr())
	return p, bufio.NewScanner(p.Stdout())
}

func readPid(t *testing.T, lines *bufio.Scanner) int {
	t.Helper()
	if !lines.Scan() {
		t.Fatal("the child wrote nothing")
	}
	pid, err := strconv.Atoi(lines.Text())
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func awaitDone(t *testing.T, p *Process) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		t.Fatal("the process isn't done")
	}
}

// awaitEnd checks that the stream ends.
func awaitEnd(t *testing.T, lines *bufio.Scanner) (rest []string) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines.Scan() {
			rest = append(rest, lines.Text())
		}
	}()
	select {
	case <-ended:
		return rest
	case <-time.After(patience):
		t.Fatal("stdout doesn't end")
		return nil
	}
}

func stop(t *testing.T, p *Process) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := p.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.Done():
	default:
		t.Error("Stop returned, but the process isn't done")
	}
}

func TestExitByItself(t *testing.T) {
	for mode, want := range map[string]string{"exit=0": "exited with status 0", "exit=3": "exited with status 3",
		"say=last exit=1": "exited with status 1"} {
		p, lines := start(t, spec(t, mode))
		awaitDone(t, p)
		if err := p.ExitError(); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", mode, err, want)
		}
		if rest := awaitEnd(t, lines); strings.HasPrefix(mode, "say") && (len(rest) != 1 || rest[0] != "last") {
			t.Errorf("%s: read %q after the end", mode, rest)
		}
	}
}

func TestStopByStdin(t *testing.T) {
	s := spec(t, "say=ready ignore-term wait-stdin exit=7")
	s.StdinGrace = patience
	p, lines := start(t, s)
	lines.Scan()
	if err := p.ExitError(); err != nil {
		t.Errorf("ExitError is %v before the end", err)
	}
	stop(t, p)
	if err := p.ExitError(); err.Error() != "exited with status 7" {
		t.Errorf("%v, want status 7: the end of stdin should have been enough", err)
	}
	stop(t, p) // a second time
}

func TestEnvironmentAndFolder(t *testing.T) {
	s := spec(t, "environment folder")
	s.Env = []string{childVariable + "=environment folder", "ONE=1"}
	s.Dir = t.TempDir()
	p, lines := start(t, s)
	rest := awaitEnd(t, lines)
	awaitDone(t, p)
	if len(rest) != 2 || !strings.Contains(rest[0], "ONE=1") || strings.Contains(rest[0], "HOME=") {
		t.Errorf("the child saw %q", rest)
	}
	if got, err := os.Stat(rest[1]); err != nil {
		t.Error(err)
	} else if want, _ := os.Stat(s.Dir); !os.SameFile(got, want) {
		t.Errorf("the child ran in %s, want %s", rest[1], s.Dir)
	}
}

func TestFloodOnStderr(t *testing.T) {
	p, lines := start(t, spec(t, "flood say=through"))
	if rest := awaitEnd(t, lines); len(rest) != 1 || rest[0] != "through" {
		t.Errorf("read %q", rest)
	}
	awaitDone(t, p)
}

func TestStopWhileNobodyReads(t *testing.T) {
	p, err := Start(spec(t, "flood sleep"))
	if err != nil {
		t.Fatal(err)
	}
	stop(t, p)
}

func TestClosingStdinEndsWrite(t *testing.T) {
	p, lines := start(t, spec(t, "say=ready sleep"))
	lines.Scan()
	begun, failed := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := p.Stdin().Write([]byte("x")) // it fits into the pipe
		begun <- err
		_, err = p.Stdin().Write(make([]byte, 10<<20))
		failed <- err
	}()
	if err := <-begun; err != nil {
		t.Fatal(err)
	}
	stop(t, p)
	select {
	case err := <-failed:
		if err == nil {
			t.Error("writing 10 MB to a child that doesn't read succeeded")
		}
	case <-time.After(patience):
		t.Fatal("the write is still blocked")
	}
}

func TestStartErrors(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := folder + string(os.PathSeparator) + name
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file, runs := write("plain.exe", "just text", 0o644), write("runs.exe", "", 0o755)
	tests := []struct {
		name   string
		spec   Spec
		reason error
		text   string
	}{
		{"not in PATH", Spec{Command: "no-such-program", Env: []string{"PATH=" + folder}}, ErrNotFound,
			"no-such-program was not found (looked in PATH: " + folder + ")"},
		{"no PATH", Spec{Command: "no-such-program"}, ErrNotFound, "no-such-program was not found (PATH is empty)"},
		{"relative PATH", Spec{Command: "sh", Env: []string{"PATH=.:bin"}}, ErrNotFound, "sh was not found"},
		{"no command", Spec{}, ErrNotFound, "no command is given"},
		{"zero byte", Spec{Command: "a\x00b"}, ErrNotFound, "zero byte"},
		{"no file", Spec{Command: file + "x"}, ErrNotFound, file + "x was not found"},
		{"below a file", Spec{Command: file + "/x"}, ErrNotFound, " was not found"},
		{"gone, but in PATH", Spec{Command: folder + "/gone/" + filepath.Base(runs), Env: []string{"PATH=" + folder}},
			ErrNotFound, filepath.Base(runs) + " alone is enough: that program is at " + runs},
		{"no such folder", Spec{Command: file, Dir: folder + "/nowhere"}, ErrNoFolder, "nowhere (cwd) does not exist"},
		{"file as folder", Spec{Command: file, Dir: file}, ErrNoFolder, "plain.exe (cwd) is not a folder"},
	}
	for _, test := range tests {
		p, err := Start(test.spec)
		if err == nil {
			stop(t, p)
			t.Errorf("%s: started", test.name)
			continue
		}
		if !errors.Is(err, test.reason) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v (want %v, %q)", test.name, err, test.reason, test.text)
		}
	}
}

func TestRun(t *testing.T) {
	stdout, stderr, err := Run(t.Context(), spec(t, "say=fine complain=oh"), 100)
	if stdout != "fine\n" || stderr != "oh\n" || err != nil {
		t.Errorf("the program wrote %q and %q, %v", stdout, stderr, err)
	}
	if _, _, err := Run(t.Context(), spec(t, "exit=3"), 100); !words.Is(err, "process.exited") {
		t.Errorf("with status 3, Run ends with %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, _, err := Run(ctx, spec(t, "sleep"), 100); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the time limit, Run ends with %v", err)
	}
	if stdout, _, err := Run(t.Context(), spec(t, "say=abcdef sleep"), 4); stdout != "abcd" || err != nil {
		t.Errorf("of a long output, Run returns %q, %v", stdout, err)
	}
}
