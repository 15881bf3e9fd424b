package process

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestUsesOf starts this test as a program that starts it once more, and measures both as one.
func TestUsesOf(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUsesOfChild$")
	cmd.Env = append(os.Environ(), "USES=2")
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
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	if _, err := out.Read(make([]byte, 1)); err != nil { // both run
		t.Fatal(err)
	}
	own, pid := os.Getpid(), cmd.Process.Pid
	uses := UsesOf(map[int]int{pid: own})
	if use := uses[pid]; use.Processes < 2 || use.Bytes < 1<<20 || use.Bytes > 1<<30 {
		t.Errorf("measured was %+v", use)
	}
	if uses := UsesOf(map[int]int{pid: own + 1_000_000, 1 << 30: own}); len(uses) != 0 {
		t.Errorf("measured was %v, of which nothing is what was asked for", uses)
	}
}

// TestUsesOfChild is the program of TestUsesOf.
func TestUsesOfChild(t *testing.T) {
	switch os.Getenv("USES") {
	case "2":
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestUsesOfChild$")
		cmd.Env = append(os.Environ(), "USES=1")
		cmd.Stdin, cmd.Stdout = os.Stdin, os.Stdout
		_ = cmd.Run()
	case "1":
		_, _ = os.Stdout.WriteString("x")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends
	}
}
