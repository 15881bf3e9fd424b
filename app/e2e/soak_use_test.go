//go:build linux

package e2e

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// soakColumns are what is measured, and how much each may grow in half of a run. The first two are only shown.
var soakColumns = []series{
	{name: "minute"}, {name: "seconds"},
	// the Go runtime and the OpenGL software give memory back late
	{name: "window resident MiB", unit: 1 << 20, allowed: 12 << 20},
	{name: "window heap MiB", unit: 1 << 20, allowed: 1 << 20},
	{name: "window objects", unit: 1, allowed: 10_000},
	{name: "window goroutines", unit: 1, allowed: 4},
	{name: "window files", unit: 1, allowed: 3},
	{name: "window X resources", unit: 1, allowed: 3},
	{name: "engine resident MiB", unit: 1 << 20, allowed: 6 << 20},
	{name: "engine files", unit: 1, allowed: 3},
}

// sample measures what the programs use.
func (u *soak) sample() {
	u.t.Helper()
	before, _ := os.ReadFile(u.use)
	if err := u.app.cmd.Process.Signal(syscall.SIGUSR2); err != nil {
		u.t.Fatalf("minute %d: %v", u.minute, err)
	}
	var heap, objects, goroutines float64
	within(u.t, func() error {
		now, _ := os.ReadFile(u.use)
		lines := bytes.Split(bytes.TrimSpace(now), []byte("\n"))
		if len(now) == len(before) || !bytes.HasSuffix(now, []byte("\n")) {
			return errors.New("the program has not reported its memory")
		}
		_, err := fmt.Sscan(string(lines[len(lines)-1]), &heap, &objects, &goroutines)
		return err
	})
	pid, engine := u.app.cmd.Process.Pid, u.lasting.cmd.Process.Pid
	u.samples = append(u.samples, []float64{
		float64(u.minute), time.Since(u.app.begun).Seconds(), u.resident(pid), heap, objects, goroutines, u.files(pid),
		float64(u.screen.resources(pid)),
		u.resident(engine), u.files(engine),
	})
	u.keep()
}

// keep writes all samples to a file, if wanted. It is called after each sample, so that an interrupted run is kept,
// too.
func (u *soak) keep() {
	u.t.Helper()
	if *soakFolder == "" {
		return
	}
	var head []string
	for _, column := range soakColumns {
		head = append(head, strings.Replace(column.name, "MiB", "bytes", 1))
	}
	table := [][]string{head}
	for _, sample := range u.samples {
		var line []string
		for _, value := range sample {
			line = append(line, strconv.FormatFloat(value, 'f', -1, 64))
		}
		table = append(table, line)
	}
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(table); err != nil {
		u.t.Fatal(err)
	}
	u.write("soak.csv", text.Bytes())
}

// resident returns the resident memory of a process, in bytes.
func (u *soak) resident(pid int) float64 {
	u.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		u.t.Fatal(err)
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		u.t.Fatal(err)
	}
	return resident * float64(os.Getpagesize())
}

// files returns how many files a process has open.
func (u *soak) files(pid int) float64 {
	u.t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		u.t.Fatal(err)
	}
	return float64(len(open))
}

// last returns the newest sample in words.
func (u *soak) last() string {
	var words []string
	for i, value := range u.samples[len(u.samples)-1] {
		if column := soakColumns[i]; column.unit != 0 {
			words = append(words, fmt.Sprintf("%s %.4g", column.name, value/column.unit))
		}
	}
	return strings.Join(words, ", ")
}

// report logs what was measured, and fails the test for each series that has grown.
func (u *soak) report(long bool) {
	u.t.Helper()
	summary := fmt.Sprintf("%d minutes of use in %.0f s\n\n| | first | middle | last | growth in the second half "+
		"|\n|---|---:|---:|---:|---:|\n",
		u.minute, u.samples[len(u.samples)-1][1])
	for i, column := range soakColumns {
		for _, sample := range u.samples {
			column.values = append(column.values, sample[i])
		}
		if column.unit == 0 {
			continue
		}
		grown, agree := growth(column.values[len(column.values)/2:])
		n := len(column.values)
		summary += fmt.Sprintf("| %s | %.4g | %.4g | %.4g | %+.2g (%.0f %%) |\n", column.name, column.values[0]/column.unit,
			column.values[n/2]/column.unit,
			column.values[n-1]/column.unit, grown/column.unit, 100*agree)
		if err := column.steady(); err != nil && long {
			u.t.Error(err)
		}
	}
	summary += "\n| what is done | times | median ms | 95 % ms | most ms | nothing changed " +
		"|\n|---|---:|---:|---:|---:|---:|\n"
	for _, what := range sortedKeys(u.answers) {
		times := slices.Sorted(slices.Values(u.answers[what]))
		at := func(share float64) int64 {
			return times[min(len(times)-1, int(math.Round(share*float64(len(times)))))].Milliseconds()
		}
		summary += fmt.Sprintf("| %s | %d | %d | %d | %d | %d |\n", what, len(times)+u.silent[what], at(0.5), at(0.95),
			at(1), u.silent[what])
	}
	for what, times := range u.silent {
		if len(u.answers[what]) < times {
			u.t.Errorf("%s: the window did not change %d times, and changed %d times", what, times, len(u.answers[what]))
		}
	}
	u.t.Log("\n" + summary)
	if *soakFolder != "" {
		u.write("soak.md", []byte(summary))
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	var keys []K
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
