package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// meetTime is how long a model waits for the other one. Agents give up a model that is silent for a minute or more.
const meetTime = 50 * time.Second

// meeting lets the models of two agents wait for each other, so that both have the toolbox open at the same time.
type meeting struct {
	here  chan struct{} // closed when this one has used the tool, or has ended
	once  sync.Once
	other *meeting
}

// meetings returns one for each of two agents.
func meetings() [2]*meeting {
	a, b := &meeting{here: make(chan struct{})}, &meeting{here: make(chan struct{})}
	a.other, b.other = b, a
	return [2]*meeting{a, b}
}

// arrive tells the other one that it need not wait any more.
func (m *meeting) arrive() { m.once.Do(func() { close(m.here) }) }

// meet waits for the other one. Without another one it does nothing.
func (m *meeting) meet() {
	if m == nil {
		return
	}
	m.arrive()
	select {
	case <-m.other.here:
	case <-time.After(meetTime):
	}
}

// pairs returns each agent with another one, whose settings are in another file.
func pairs(chosen []agent) ([][2]agent, error) {
	half := (len(chosen) + 1) / 2
	var out [][2]agent
	for i := range half {
		pair := [2]agent{chosen[i], chosen[(i+half)%len(chosen)]}
		if pair[0].file == pair[1].file {
			return nil, fmt.Errorf("%s and %s have the same settings", pair[0].id, pair[1].id)
		}
		out = append(out, pair)
	}
	return out, nil
}

// together runs the agents two at a time. Both use one process of each server, unless servers can ask them different
// things.
func (b *bench) together(ctx context.Context, chosen []agent) error {
	two, err := pairs(chosen)
	if err != nil {
		return err
	}
	failed := 0
	fmt.Print("| two agents | passed | both answer the same questions | processes of the two servers |\n",
		"|---|---|---|---|\n")
	for _, pair := range two {
		for range b.times {
			results := b.beside(ctx, pair)
			for _, r := range results {
				fmt.Fprintln(os.Stderr, r.line())
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			passed := 0
			for _, r := range results {
				if r.passes() {
					passed++
				}
			}
			want, same := 2*sharedServers, "no"
			if answers(results[0].Capabilities) == answers(results[1].Capabilities) {
				want, same = sharedServers, "yes"
				if tellsRoots(results[0]) != tellsRoots(results[1]) {
					want++ // one of the servers asks for roots
				}
			}
			fmt.Printf("| %s, %s | %d of 2 | %s | %d |\n", pair[0].name, pair[1].name, passed, same, results[0].Starts)
			if passed < 2 || results[0].Starts != want {
				failed++
			}
		}
	}
	if failed > 0 {
		return errors.New("not all agents have passed, or the servers have other numbers of processes than they should")
	}
	return nil
}

// answers returns what an agent can be asked by a server. Agents for which that differs have processes of their own.
func answers(capabilities json.RawMessage) string {
	var c struct{ Sampling, Elicitation any }
	if json.Unmarshal(capabilities, &c) != nil {
		return "unknown"
	}
	return fmt.Sprint(c.Sampling, c.Elicitation)
}

// tellsRoots reports whether an agent tells the engine its roots. In 2026-07-28 it does so only during a call.
func tellsRoots(r result) bool {
	var c struct{ Roots any }
	return json.Unmarshal(r.Capabilities, &c) == nil && c.Roots != nil && r.Protocol < "2026"
}

// beside runs two agents at the same time, with one home folder.
func (b *bench) beside(ctx context.Context, pair [2]agent) (results [2]result) {
	home := filepath.Join(b.folder, fmt.Sprintf("home%d", b.runs))
	var runs [2]*run
	var failed [2]error
	for i, a := range pair {
		runs[i], failed[i] = b.begin(ctx, a, home, pair[1-i])
	}
	_ = os.Remove(startsOf(home)) // those of begin
	var running sync.WaitGroup
	for i, m := range meetings() {
		running.Go(func() {
			defer m.arrive()
			results[i] = runs[i].play(ctx, failed[i], m)
		})
	}
	running.Wait()
	text, _ := os.ReadFile(startsOf(home)) // without it, none was started
	for i := range results {
		results[i].Starts = bytes.Count(text, []byte("\n"))
	}
	if b.keep == "" {
		_ = os.RemoveAll(home)
	}
	return results
}

// sharedServers is how many servers the toolbox has.
const sharedServers = 2

// startsOf is the file with a line for each process of a server.
func startsOf(home string) string { return filepath.Join(home, "starts.txt") }

// counted makes an entry one that is shared, and that notes in a file when it is started.
func (r *run) counted(name string, entry map[string]any) {
	// What it is started with is kept beside the file, to see why two processes are not one.
	args := []string{"-c", `echo "$0 $$" >>"$1"; env >"$1.$0.$$"; shift; exec "$@"`, name, startsOf(r.home),
		entry["command"].(string)}
	entry["share"], entry["command"], entry["args"] = true, "/bin/sh", append(args, entry["args"].([]string)...)
}
