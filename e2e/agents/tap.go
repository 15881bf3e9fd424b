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

// tapName is what this program is called where an agent starts it in place of the engine. It then stands between the two, and writes down
// what passes.
const tapName = "workbench-desktop"

// passed is a message that passed between agent and engine.
type passed struct {
	At      time.Time       `json:"at"`
	From    string          `json:"from"` // "agent" or "engine"
	Message json.RawMessage `json:"message"`
}

// tapIfAsked stands between an agent and the engine where this program was started by that name, and then exits.
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

// tap runs the engine, which lies in the folder engine beside this program.
func tap(folder string, args []string) (int, error) {
	log, err := os.Create(filepath.Join(folder, fmt.Sprintf("passed-%d.jsonl", os.Getpid())))
	if err != nil {
		return 0, err
	}
	defer log.Close()
	signal.Ignore(os.Interrupt) // the engine ends when its input does
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
				text, _ := json.Marshal(passed{time.Now(), from, message}) // valid, as we have just seen
				mu.Lock()
				_, _ = log.Write(append(text, '\n')) // missed by who reads it
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
	_ = engine.Wait() // its status is told below
	return engine.ProcessState.ExitCode(), nil
}

// readTaps returns what passed, of the engine that was asked most where the agent has started several.
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
			if json.Unmarshal(line, &p) == nil { // the last line of an engine that was killed may be half
				all = append(all, p)
			}
		}
		if len(all) > len(most) {
			most = all
		}
	}
	return most, nil
}
