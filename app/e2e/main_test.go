//go:build linux

package e2e

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/e2e/built"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// patience is how long a test waits for something. It is far more than needed, because the machine may be busy.
const patience = 60 * time.Second

// program is the path of the binary under test.
var program string

func TestMain(m *testing.M) {
	fakeserver.RunIfAsked() // this binary also serves as the servers of the tests
	flag.Parse()
	os.Exit(built.Tests(m.Run, prepare))
}

func prepare(folder string) (*built.Program, error) {
	overlay, err := soakOverlay(folder)
	if err != nil {
		return nil, err
	}
	made, err := built.Recipe{
		Package: "../../cmd/workbench-desktop", Args: []string{"-tags", "threadchecks", "-overlay", overlay},
		Cgo: true, Race: built.WithRaceDetector(), Known: []string{knownRace},
	}.Into(folder)
	if err != nil {
		return nil, err
	}
	program, races = made.Path, made.Races
	return made, nil
}

// needs skips a test if tools are missing. In continuous integration it fails the test instead; otherwise the test
// could never fail there.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing; run .ci/setup test", tool)
			}
			t.Skipf("%s is missing; run .ci/setup test", tool)
		}
	}
}

// eventually waits until condition returns nil. Otherwise its error says what is missing.
func eventually(t *testing.T, condition func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := condition()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not after %v: %v", patience, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// process is a process started by a test. It ends with the test at the latest.
type process struct {
	cmd    *exec.Cmd
	begun  time.Time
	output *built.Buffer
	done   chan struct{} // closed when the process has ended
	err    error         // set then
}

func start(t *testing.T, env []string, name string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(name, args...), output: &built.Buffer{}, done: make(chan struct{})}
	p.cmd.Env = env
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	// Kill the process even if the test process is killed.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	p.begun = time.Now()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.done)
	}()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.done
		if strings.Contains(p.output.String(), "Error in Fyne call thread") {
			t.Error("a goroutine other than that of the window has used the window")
		}
		if strings.Contains(p.output.String(), "Preferences load error") {
			t.Error("Fyne has read its preferences while it was writing them")
		}
		if t.Failed() {
			t.Logf("%s said:\n%s", filepath.Base(name), p.output)
		}
	})
	return p
}

// hasEnded returns an error while the process runs.
func (p *process) hasEnded() error {
	if p.running() {
		return errors.New("the program still runs")
	}
	return nil
}

// running reports whether the process still runs.
func (p *process) running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// endsWell waits for the process to end with status 0.
func (p *process) endsWell(t *testing.T) {
	t.Helper()
	select {
	case <-p.done:
		if p.err != nil {
			t.Fatalf("the program ended badly: %v", p.err)
		}
	case <-time.After(patience):
		t.Fatalf("the program still runs after %v", patience)
	}
}
