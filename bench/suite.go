package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
)

// How much is measured.
const (
	sessions    = 4 // how often everything is started again, since it is chance where the system puts a process
	inFlight    = 32
	echoCalls   = 20 // in one turn
	coldStarts  = 2  // in one turn
	memoryCalls = 10_000
)

// The bars, for a machine with two cores.
const (
	barStart      = 2.0   // times the floor
	barCrowded    = 30.0  // milliseconds
	barCall       = 1.6   // times the floor
	barThroughput = 0.5   // times the floor
	barMedium     = 3.0   // times the floor
	barFresh      = 20.0  // MiB
	barMemory     = 30.0  // MiB
	barReload     = 300.0 // milliseconds, of the 95th percentile
)

// What is measured of a proxy of others as well.
const (
	whatStart  = "cold start to the initialize answer"
	whatSmall  = "one small call, use_tool"
	whatFlood  = "throughput, 32 in flight, use_tool"
	whatMedium = "64 KiB result, use_tool"
	whatFresh  = "resident memory after initialize"
)

// suite runs all measurements. In each round every target has its turn, so that other load on the machine
// affects all of them.
type suite struct {
	targets *targets
	rounds  int
}

func (s *suite) run() ([]row, error) {
	var rows []row
	for _, part := range []struct {
		what    string
		measure func() ([]row, error)
	}{
		{"cold start", s.coldStart},
		{"calls", s.calls},
		{"memory", s.memory},
		{"changes of the configuration", s.reload},
		{"a real server", s.realServer},
	} {
		fmt.Fprintf(os.Stderr, "measuring %s …\n", part.what)
		more, err := part.measure()
		if err != nil {
			return nil, fmt.Errorf("measuring %s: %w", part.what, err)
		}
		rows = append(rows, more...)
	}
	fmt.Fprintln(os.Stderr, "measuring a proxy of others …")
	if err := s.peer(rows); err != nil {
		return nil, fmt.Errorf("measuring a proxy of others: %w", err)
	}
	return rows, nil
}

// coldStart measures from before the start of the process until the answer to initialize is read.
func (s *suite) coldStart() ([]row, error) {
	all := []*target{s.targets.direct, s.targets.floor, s.targets.proxy, s.targets.crowded}
	taken := make([]sample, len(all))
	for round := range s.rounds + 1 {
		for range coldStarts {
			for i, t := range all {
				took, err := t.coldStart()
				if err != nil {
					return nil, err
				}
				if round > 0 { // the first round only loads the files into memory
					taken[i].add(took)
				}
			}
		}
	}
	direct, floor := taken[0].milliseconds(), taken[1].milliseconds()
	return []row{
		{What: whatStart, Unit: "ms", Engine: taken[2].milliseconds(), Floor: floor,
			Direct: direct, bar: timesFloor(barStart)},
		{What: fmt.Sprintf("cold start, %d toolboxes × %d servers", crowdedToolboxes, crowdedServers), Unit: "ms",
			Engine: taken[3].milliseconds(), Floor: floor, Direct: direct, bar: atMost(barCrowded)},
	}, nil
}

func (t *target) coldStart() (time.Duration, error) {
	began := time.Now()
	c, err := start(t.command, t.env)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	err = c.call(initializeBody, 0)
	took := time.Since(began)
	c.close()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	return took, nil
}

// kind is one kind of call.
type kind struct {
	tool  string
	calls int  // in one turn, which is short, so that a disturbance affects all targets
	turns int  // in one round
	flood bool // many at the same time
	taken [4]sample
}

// calls measures single calls, many calls at once, and large results. The large ones come last, since the
// garbage that they leave must not affect the others.
func (s *suite) calls() ([]row, error) {
	all := []*target{s.targets.direct, s.targets.floor, s.targets.proxy, s.targets.dynamic}
	kinds := []*kind{
		{tool: "small", calls: 75, turns: 4},
		{tool: "small", calls: 1000, turns: 2, flood: true},
		{tool: "64k", calls: 10, turns: 4},
		{tool: "8m", calls: 1, turns: 1},
	}
	var now, peak int64
	known := false
	for range sessions {
		clients, err := connectAll(all)
		if err == nil {
			err = s.session(all, clients, kinds)
		}
		if err == nil {
			now, peak, known = memory(clients[2].cmd.Process.Pid)
		}
		closeAll(clients)
		if err != nil {
			return nil, err
		}
	}
	small, flood, medium, large := &kinds[0].taken, &kinds[1].taken, &kinds[2].taken, &kinds[3].taken
	rows := []row{
		{What: whatSmall, Unit: "µs", Engine: small[2].microseconds(), Floor: small[1].microseconds(),
			Direct: small[0].microseconds(), bar: timesFloor(barCall)},
		{What: "one small call, dynamic name", Unit: "µs", Engine: small[3].microseconds(), Floor: small[1].microseconds(),
			Direct: small[0].microseconds(), bar: timesFloor(barCall)},
		{What: whatFlood, Unit: "calls/s", Engine: flood[2].perSecond(),
			Floor: flood[1].perSecond(), Direct: flood[0].perSecond(), bar: atLeastTimesFloor(barThroughput)},
		{What: fmt.Sprintf("throughput, %d in flight, dynamic name", inFlight), Unit: "calls/s",
			Engine: flood[3].perSecond(), Floor: flood[1].perSecond(), Direct: flood[0].perSecond(),
			bar: atLeastTimesFloor(barThroughput)},
		{What: whatMedium, Unit: "µs", Engine: medium[2].microseconds(), Floor: medium[1].microseconds(),
			Direct: medium[0].microseconds(), bar: timesFloor(barMedium)},
		{What: "64 KiB result, dynamic name", Unit: "µs", Engine: medium[3].microseconds(), Floor: medium[1].microseconds(),
			Direct: medium[0].microseconds(), bar: timesFloor(barMedium)},
		{What: "8 MiB result, use_tool", Unit: "ms", Engine: large[2].milliseconds(), Floor: large[1].milliseconds(),
			Direct: large[0].milliseconds()},
		{What: "8 MiB result, dynamic name", Unit: "ms", Engine: large[3].milliseconds(), Floor: large[1].milliseconds(),
			Direct: large[0].milliseconds()},
	}
	if known {
		rows = append(rows,
			row{What: "resident memory after all of these, use_tool", Unit: "MiB", Engine: mebibytes(now)},
			row{What: "peak of the same", Unit: "MiB", Engine: mebibytes(peak)})
	}
	return rows, nil
}

// session lets every target take turns with every kind of call.
func (s *suite) session(all []*target, clients []*client, kinds []*kind) error {
	sizes := tools()
	for _, k := range kinds {
		turns := max(1, s.rounds/sessions) * k.turns
		for turn := range turns + 1 {
			for i := range all {
				n := (i + turn) % len(all) // so that the order of targets changes
				into := &k.taken[n]
				if turn == 0 {
					into = nil // to warm up
				}
				clients[n].guard.Reset(patience)
				if err := k.turn(clients[n], all[n].body(k.tool), sizes[k.tool]*9/10, into); err != nil {
					return fmt.Errorf("%s, tool %s: %w", all[n].name, k.tool, err)
				}
			}
		}
	}
	return nil
}

func (k *kind) turn(c *client, body string, size int, into *sample) error {
	if !k.flood {
		return repeat(c, body, size, k.calls, into)
	}
	began := time.Now()
	if err := c.flood(body, size, k.calls, inFlight); err != nil {
		return err
	}
	if into != nil {
		into.add(time.Since(began) / time.Duration(k.calls))
	}
	return nil
}

// memory measures a separate engine, which gets only small calls.
func (s *suite) memory() ([]row, error) {
	fresh, err := s.targets.proxy.freshMemory()
	if err != nil {
		return nil, err
	}
	all := []*target{s.targets.floor, s.targets.proxy, s.targets.dynamic}
	clients, err := connectAll(all)
	defer closeAll(clients)
	if err != nil {
		return nil, err
	}
	var now, peak [3]int64
	for i, t := range all {
		if err := clients[i].flood(t.body("small"), 0, memoryCalls, inFlight); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		var ok bool
		if now[i], peak[i], ok = memory(clients[i].cmd.Process.Pid); !ok {
			fmt.Fprintln(os.Stderr, "this system doesn't tell the memory of a process; left out")
			return nil, nil
		}
	}
	const calls = "after 10,000 calls"
	return []row{
		{What: whatFresh, Unit: "MiB", Engine: mebibytes(fresh), bar: atMost(barFresh)},
		{What: "resident memory " + calls + ", use_tool", Unit: "MiB", Engine: mebibytes(now[1]), Floor: mebibytes(now[0]),
			bar: atMost(barMemory)},
		{What: "peak of the same", Unit: "MiB", Engine: mebibytes(peak[1]), Floor: mebibytes(peak[0])},
		{What: "resident memory " + calls + ", dynamic name", Unit: "MiB", Engine: mebibytes(now[2]),
			Floor: mebibytes(now[0]), bar: atMost(barMemory)},
		{What: "peak of the same", Unit: "MiB", Engine: mebibytes(peak[2]), Floor: mebibytes(peak[0])},
	}, nil
}

// freshMemory returns the resident memory, in bytes, of an engine that has answered initialize and was not
// used; 0 if the system does not tell.
func (t *target) freshMemory() (int64, error) {
	c, err := start(t.command, t.env)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	defer c.close()
	err = c.call(initializeBody, 0)
	if err == nil {
		err = c.notify(initialized)
	}
	for range 10 { // meanwhile it finishes the work that follows the answer
		if err == nil {
			err = c.call(`,"method":"ping"}`, 0)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", t.name, err)
	}
	now, _, _ := memory(c.cmd.Process.Pid)
	return now, nil
}

// realServer measures server-everything from npm, if it is installed.
func (s *suite) realServer() ([]row, error) {
	if s.targets.realDirect == nil {
		fmt.Fprintln(os.Stderr, "server-everything is not installed (e2e/npm/install); left out")
		return nil, nil
	}
	all := []*target{s.targets.realDirect, s.targets.realFloor, s.targets.realProxy}
	clients, err := connectAll(all)
	defer closeAll(clients)
	if err != nil {
		return nil, err
	}
	taken := make([]sample, len(all))
	for round := range s.rounds + 1 {
		for i, t := range all {
			clients[i].guard.Reset(patience)
			into := &taken[i]
			if round == 0 {
				into = nil // to warm up
			}
			if err := repeat(clients[i], t.echo, 0, echoCalls, into); err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
		}
	}
	return []row{{What: "echo of server-everything, use_tool", Unit: "µs",
		Engine: taken[2].microseconds(), Floor: taken[1].microseconds(), Direct: taken[0].microseconds()}}, nil
}

// repeat makes calls one after the other. They are recorded unless into is nil.
func repeat(c *client, body string, size, calls int, into *sample) error {
	for range calls {
		began := time.Now()
		if err := c.call(body, size); err != nil {
			return err
		}
		if into != nil {
			into.add(time.Since(began))
		}
	}
	return nil
}

func connectAll(all []*target) ([]*client, error) {
	var clients []*client
	for _, t := range all {
		c, err := t.connect()
		if err != nil {
			return clients, err
		}
		clients = append(clients, c)
	}
	return clients, nil
}

func closeAll(clients []*client) {
	for _, c := range clients {
		c.close()
	}
}

// sample has the durations of one kind of call on one target.
type sample struct{ durations []time.Duration }

func (s *sample) add(d time.Duration) { s.durations = append(s.durations, d) }

func (s *sample) milliseconds() *figure { return s.figure(time.Millisecond) }
func (s *sample) microseconds() *figure { return s.figure(time.Microsecond) }

func (s *sample) figure(unit time.Duration) *figure {
	ordered := slices.Sorted(slices.Values(s.durations))
	at := func(percent int) float64 {
		return float64(ordered[(len(ordered)-1)*percent/100]) / float64(unit)
	}
	return &figure{Median: at(50), P95: at(95), Count: len(ordered)}
}

// perSecond converts durations per call to rates. Its 95th percentile is the rate that 95 percent of the
// rounds reached.
func (s *sample) perSecond() *figure {
	f := s.figure(time.Second)
	return &figure{Median: 1 / f.Median, P95: 1 / f.P95, Count: f.Count}
}

func mebibytes(n int64) *figure {
	value := float64(n) / (1 << 20)
	return &figure{Median: value, P95: value, Count: 1}
}

// statusKiB returns a member of /proc/PID/status; 0 if it is missing.
func statusKiB(status []byte, name string) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+name))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
