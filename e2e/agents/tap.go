package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// tapName is the name of this program when an agent starts it instead of the engine. It then records the
// messages between the two.
const tapName = "workbench-desktop"

// passed is a recorded message.
type passed struct {
	At      time.Time       `json:"at"`
	From    string          `json:"from"` // "agent" or "engine"
	Message json.RawMessage `json:"message"`
}

// tapIfAsked records the messages between an agent and the engine, and exits, if this program was started by
// that name.
func tapIfAsked() {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") != tapName {
		return
	}
	status, err := tap(filepath.Dir(os.Args[0]), os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "tap:", err)
		status = 1
	}
	os.Exit(status)
}

// tap runs the engine, which is in the folder engine beside this program.
func tap(folder string, args []string) (int, error) {
	log, err := os.Create(filepath.Join(folder, fmt.Sprintf("passed-%d.jsonl", os.Getpid())))
	if err != nil {
		return 0, err
	}
	defer log.Close()
	signal.Ignore(os.Interrupt) // the engine ends when its input ends
	engine := exec.Command(filepath.Join(folder, "engine", tapName), args...)
	engine.Stderr = os.Stderr
	in, err := engine.StdinPipe()
	if err != nil {
		return 0, err
	}
	out, err := engine.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := engine.Start(); err != nil {
		return 0, err
	}
	var mu sync.Mutex
	copyLines := func(from string, to io.Writer, r io.Reader) {
		lines := bufio.NewReaderSize(r, 1<<20)
		for {
			line, err := lines.ReadBytes('\n')
			if message := bytes.TrimSpace(line); json.Valid(message) {
				text, _ := json.Marshal(passed{time.Now(), from, message}) // it was just found to be valid
				mu.Lock()
				_, _ = log.Write(append(text, '\n')) // the reader will notice that it is missing
				mu.Unlock()
			}
			if _, e := to.Write(line); e != nil || err != nil {
				return
			}
		}
	}
	go func() {
		copyLines("agent", in, os.Stdin)
		_ = in.Close()
	}()
	copyLines("engine", os.Stdout, out)
	_ = engine.Wait() // its exit status is returned below
	return engine.ProcessState.ExitCode(), nil
}

// readTaps returns the recorded messages. If the agent has started several engines, they are those of the one
// that got most requests.
func readTaps(folder string) ([]passed, error) {
	files, err := filepath.Glob(filepath.Join(folder, "passed-*.jsonl"))
	if err != nil {
		return nil, err
	}
	var most []passed
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var all []passed
		for line := range bytes.Lines(text) {
			var p passed
			if json.Unmarshal(line, &p) == nil { // the last line of a killed engine may be incomplete
				all = append(all, p)
			}
		}
		if len(all) > len(most) {
			most = all
		}
	}
	return most, nil
}
