package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

const processEdits = 100

// roles returns what the test binary can do as another process.
func roles() map[string]func() error {
	all := map[string]func() error{
		"edit":  editRole,
		"write": writeRole,
		"hold":  holdRole,
	}
	for name, role := range platformRoles() {
		all[name] = role
	}
	return all
}

// editRole adds many toolboxes, each by one edit.
func editRole() error {
	s, err := openAsChild()
	if err != nil {
		return err
	}
	for i := range processEdits {
		name := fmt.Sprintf("%s-%d", os.Getenv(envName), i)
		change, err := s.Edit(context.Background(), "added "+name, addToolbox(name))
		if err != nil {
			return err
		}
		if change.Unrecorded != nil {
			return change.Unrecorded
		}
	}
	return nil
}

// writeRole replaces a file again and again by one of two texts, until it is killed.
func writeRole() error {
	fmt.Println("ready")
	name := os.Getenv(envFile)
	current, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		source := wholeText(i)
		if err := replaceFile(name, source, current); err != nil {
			return err
		}
		current = source
	}
}

// wholeText returns a text that is long enough to take time to write, and from which a missing part can be
// noticed.
func wholeText(i int) []byte {
	return fmt.Appendf(nil, "{\"toolboxes\": {}} // %d\n%s// end\n", i,
		strings.Repeat("// "+strings.Repeat("x", 200)+"\n", 300))
}

// holdRole holds the locks until its standard input ends.
func holdRole() error {
	unlock, err := lockFile(context.Background(), os.Getenv(envFile), os.Getenv(envHistory))
	if err != nil {
		return err
	}
	defer unlock()
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// process returns a command that runs the test binary as another process.
func (p place) process(role, name string) *exec.Cmd {
	p.t.Helper()
	program, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(p.t.Context(), program)
	cmd.Env = append(os.Environ(), envRole+"="+role, envFile+"="+p.file, envHistory+"="+p.history, envName+"="+name)
	return cmd
}

func TestTwoProcesses(t *testing.T) {
	p := placed(t, small)
	var wait sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		cmd := p.process("edit", name)
		wait.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		})
	}
	// Meanwhile this process follows the file and edits it too.
	s := p.open()
	run(t, s)
	for i := range 20 {
		edited(t, s, fmt.Sprint("added own-", i), addToolbox(fmt.Sprint("own-", i)))
	}
	wait.Wait()
	_, changed, cancel := s.Subscribe()
	defer cancel()
	const want = 1 + 2*processEdits + 20
	now := next(t, s, changed, func(now Snapshot) bool { return len(now.Document.Config.Toolboxes) >= want })
	check(t, "toolboxes", len(now.Document.Config.Toolboxes), want)
	check(t, "file", p.read(), string(now.Document.Source))
	check(t, "comment", strings.Contains(p.read(), "// mine"), true)
	p.clean()

	versions, err := s.History()
	if err != nil {
		t.Fatal(err)
	}
	check(t, "versions", len(versions), DefaultMaxVersions)
	entries := map[string]bool{}
	for _, v := range versions {
		entries[v.Label] = true
	}
	check(t, "versions that differ", len(entries), DefaultMaxVersions)
	check(t, "newest", versions[0].ID, fmt.Sprint(want))
	text, err := s.Diff(versions[0].ID)
	check(t, "newest is the file", err == nil && text == "", true)
}

func TestKilledWriter(t *testing.T) {
	p := placed(t, string(wholeText(-1)))
	rounds := 15
	if testing.Short() {
		rounds = 5
	}
	begun := time.Now()
	if err := replaceFile(p.file, wholeText(-2), wholeText(-1)); err != nil {
		t.Fatal(err)
	}
	life := max(20*time.Millisecond, 4*time.Since(begun)) // some disks are slow
	seen := map[string]bool{}
	for round := 0; round < rounds || len(seen) < 2 && round < 10*rounds; round++ {
		cmd := p.process("write", "")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		// This sleep is not for synchronisation: the process is to be killed at a random moment.
		time.Sleep(time.Duration(rand.Int64N(int64(life))))
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		var ended *exec.ExitError
		if err := cmd.Wait(); !errors.As(err, &ended) || ended.Exited() && runtime.GOOS != "windows" {
			t.Fatalf("the writer ended by itself: %v", err)
		}
		content := p.read()
		var i int
		if _, err := fmt.Sscanf(content, `{"toolboxes": {}} // %d`, &i); err != nil || content != string(wholeText(i)) {
			t.Fatalf("the file is not whole: %d bytes, %v", len(content), err)
		}
		if seen[content] = true; len(seen) < 2 {
			life = min(2*life, 5*time.Second) // a busy machine is slower than that one write
		}
		if s := p.open(); !s.Current().Valid() { // the locks were released when the process died
			t.Fatal("the file is not valid")
		}
	}
	if len(seen) < 2 {
		t.Error("the writer was always killed before it wrote anything")
	}

	// Temporary files of the killed process are removed if they are certainly its own.
	left, err := filepath.Glob(filepath.Join(filepath.Dir(p.file), ".*"+atomicfile.TemporaryEnd))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d temporary files were left", len(left))
	recent := filepath.Join(filepath.Dir(p.file), "."+config.FileName+".1"+atomicfile.TemporaryEnd)
	foreign := filepath.Join(filepath.Dir(p.file), ".other.json.1"+atomicfile.TemporaryEnd)
	old := time.Now().Add(-2 * atomicfile.Abandoned)
	for _, name := range append(left, recent, foreign) {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if name != recent {
			if err := os.Chtimes(name, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	edited(t, p.open(), "added a", addToolbox("a"))
	for _, name := range []string{recent, foreign} {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
	p.clean()
}

func TestLockIsKept(t *testing.T) {
	p := placed(t, small)
	s := p.open()
	cmd := p.process("hold", "")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, err := s.Edit(ctx, "cancelled", addToolbox("a"))
		ended <- err
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	check(t, "nothing pending", s.Snapshot().Pending == nil, true)
	// One lock is enough to be kept out, since the other may not be shared.
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	for _, folder := range []string{p.history, ""} {
		if folder == "" && runtime.GOOS == "windows" {
			continue // folders cannot be locked here
		}
		if _, err := lockFile(ctx, p.file, folder); !errors.Is(err, errBusy) {
			t.Errorf("locked twice: %v", err)
		}
	}

	go func() {
		_, err := s.Edit(t.Context(), "added b", addToolbox("b"))
		ended <- err
	}()
	check(t, "file", p.read(), small)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	check(t, "toolboxes", toolboxes(s.Current()), "dev b")
}
