//go:build unix

package process

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestScriptWithoutInterpreter checks that a script without "#!" starts as it does from a shell and from Node.js, and
// that a program for another kind of computer is not given to a shell.
func TestScriptWithoutInterpreter(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "My Work - Notes (2)")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	script, other := filepath.Join(folder, "server"), filepath.Join(folder, "other")
	for file, text := range map[string]string{script: "# a comment\necho \"$1, $NAME\"\n", other: "\x7fELX\x00\x01"} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Start(Spec{Command: script, Args: []string{"one two"}, Env: []string{"NAME=ada"}})
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = bufio.NewReader(p.Stderr()).ReadString(0) }()
	line, err := bufio.NewReader(p.Stdout()).ReadString('\n')
	if line != "one two, ada\n" || err != nil {
		t.Errorf("got %q, %v", line, err)
	}
	stop(t, p)
	if _, err := Start(Spec{Command: other}); !errors.Is(err, ErrNotExecutable) {
		t.Errorf("got %v", err)
	}
}
