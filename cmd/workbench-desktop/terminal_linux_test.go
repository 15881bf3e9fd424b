package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a real terminal. A person types at one end, and a program has the other end.
type terminal struct {
	t       *testing.T
	person  *os.File
	program *os.File
	seen    strings.Builder
}

func newTerminal(t *testing.T) *terminal {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	var number int
	control, err := person.SyscallConn() // Fd would disable deadlines for reading
	if err != nil {
		t.Fatal(err)
	}
	if controlled := control.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}); controlled != nil || err != nil {
		t.Fatal(controlled, err)
	}
	program, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = person.Close()
		_ = program.Close()
	})
	return &terminal{t: t, person: person, program: program}
}

// run starts the program with this terminal as its controlling terminal.
func (at *terminal) run(args ...string) *exec.Cmd {
	at.t.Helper()
	self, err := os.Executable()
	if err != nil {
		at.t.Fatal(err)
	}
	cmd := exec.CommandContext(at.t.Context(), self)
	cmd.Args = append([]string{"workbench-desktop"}, args...)
	cmd.Env = inHome(at.t.TempDir())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = at.program, at.program, at.program
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		at.t.Fatal(err)
	}
	limit := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	at.t.Cleanup(func() { limit.Stop() })
	return cmd
}

// until reads the output of the terminal up to a text.
func (at *terminal) until(text string) {
	at.t.Helper()
	if err := at.person.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		at.t.Fatal(err)
	}
	buffer := make([]byte, 4096)
	for !strings.Contains(at.seen.String(), text) {
		n, err := at.person.Read(buffer)
		if err != nil {
			at.t.Fatalf("waiting for %q: %v\n%s", text, err, at.seen.String())
		}
		at.seen.Write(buffer[:n])
	}
}

func (at *terminal) types(text string) {
	at.t.Helper()
	if _, err := at.person.WriteString(text); err != nil {
		at.t.Fatal(err)
	}
}

// echoes reports whether the terminal shows what is typed.
func (at *terminal) echoes() bool {
	at.t.Helper()
	state, err := unix.IoctlGetTermios(int(at.program.Fd()), getTermios)
	if err != nil {
		at.t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// TestSecretsAreNotShownWhileTyped checks that a terminal does not show a secret that a person types, and shows
// everything else, even after the person has interrupted the question.
func TestSecretsAreNotShownWhileTyped(t *testing.T) {
	folder := t.TempDir()
	shared, config := filepath.Join(folder, "office.toolbox.json"), filepath.Join(folder, "config.json")
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(shared, `{"workbenchToolbox": 1, "name": "office", "inputs": [{"id": "T", "kind": "secret", "label": "Token"}, {"id": "F", "kind": "folder", "label": "Folder"}],
		"mcpServers": {"x": {"command": "run", "args": ["{{F}}"], "env": {"TOKEN": "{{T}}"}}}}`)
	write(config, `{"toolboxes": {}}`)
	secret := "typed-" + strings.Repeat("s", 1500) // longer than most secrets

	at := newTerminal(t)
	cmd := at.run("config", "add-toolbox", "--from", shared, "--config", config)
	at.until("Folder: ")
	at.types("/typed/folder\n")
	at.until("Token: ")
	if at.echoes() || !strings.Contains(at.seen.String(), "/typed/folder") {
		t.Errorf("the terminal shows the secret, or does not show the text typed before it:\n%s", at.seen.String())
	}
	at.types(secret + "\n")
	at.until("? ")
	at.types("yes\n")
	if err := cmd.Wait(); err != nil || !at.echoes() {
		t.Fatalf("%v\n%s", err, at.seen.String())
	}
	if strings.Contains(at.seen.String(), "typed-s") {
		t.Errorf("the terminal shows\n%s", at.seen.String())
	}
	if text, err := os.ReadFile(config); err != nil || !strings.Contains(string(text), secret) ||
		!strings.Contains(string(text), "/typed/folder") {
		t.Errorf("%v: the saved file is\n%s", err, text)
	}

	stored := newTerminal(t)
	cmd = stored.run("secret", "set", "github", "--config", config)
	stored.until("Value of github (it is not shown): ")
	if stored.echoes() {
		t.Error("the terminal shows the value of a secret")
	}
	stored.types(secret + "\n")
	stored.until("\n")
	_ = cmd.Wait() // there may be no keychain here
	if !stored.echoes() || strings.Contains(stored.seen.String(), "typed-s") {
		t.Errorf("the terminal shows\n%s", stored.seen.String())
	}

	write(config, `{"toolboxes": {}}`)
	broken := newTerminal(t)
	cmd = broken.run("config", "add-toolbox", "--from", shared, "--config", config)
	broken.until("Folder: ")
	broken.types("/typed/folder\n")
	broken.until("Token: ")
	broken.types("typed-s\x03")
	if err := cmd.Wait(); err == nil {
		t.Error("the command has not failed")
	}
	if !broken.echoes() {
		t.Error("the terminal no longer shows what is typed")
	}
}
