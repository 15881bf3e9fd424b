//go:build linux

// Command sharing measures what it saves and costs that engines share servers: the memory of one engine and of five
// with three real servers from npm, and the time of a call with a server of its own and with a shared one.
//
//	e2e/npm/install && go run ./bench/sharing
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

const (
	engines = 5
	rounds  = 5
	calls   = 400 // a round
	settle  = 3 * time.Second
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "sharing:", err)
		os.Exit(1)
	}
}

func run() error {
	folder, err := os.MkdirTemp("", "wb")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "workbench-engine")
	build := exec.Command("go", "build", "-tags", "headless", "-trimpath", "-o", program, "./cmd/workbench-desktop")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building the engine: %w\n%s", err, out)
	}
	place := place{program: program, folder: folder}
	one, err := place.memory(1, false)
	if err != nil {
		return err
	}
	apart, err := place.memory(engines, false)
	if err != nil {
		return err
	}
	shared, err := place.memory(engines, true)
	if err != nil {
		return err
	}
	const mib = 1 << 20
	fmt.Printf("one engine, three servers:           %2d processes, %4d MiB\n", one.processes, one.bytes/mib)
	fmt.Printf("%d engines, each its own servers:     %2d processes, %4d MiB\n", engines, apart.processes, apart.bytes/mib)
	fmt.Printf("%d engines, the servers shared:       %2d processes, %4d MiB, %.2f times one engine (bar: 1.5)\n", engines,
		shared.processes, shared.bytes/mib, float64(shared.bytes)/float64(one.bytes))
	own, pooled, err := place.calls()
	if err != nil {
		return err
	}
	fmt.Printf("a call, median: %v with a process of its own, %v shared, %.2f times (bar: 2)\n", own, pooled,
		float64(pooled)/float64(own))
	return nil
}

// memory returns the use of a number of engines with open toolboxes.
func (p place) memory(number int, share bool) (use, error) {
	defer p.end()
	for range number {
		e, err := p.start(share)
		if err != nil {
			return use{}, err
		}
		defer e.end()
		if _, err := e.echo(); err != nil {
			return use{}, err
		}
	}
	time.Sleep(settle)
	return p.use()
}

// calls returns the median time of a call without sharing and with it. They take turns.
func (p place) calls() (own, shared time.Duration, err error) {
	defer p.end()
	var took [2][]time.Duration
	var taking [2]*engine
	for i := range taking {
		if taking[i], err = p.start(i == 1); err != nil {
			return 0, 0, err
		}
		defer taking[i].end()
	}
	for range rounds {
		for i, e := range taking {
			for range calls {
				one, err := e.echo()
				if err != nil {
					return 0, 0, err
				}
				took[i] = append(took[i], one)
			}
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	return took[0][len(took[0])/2], took[1][len(took[1])/2], nil
}
