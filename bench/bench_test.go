package main

import (
	"os"
	"strings"
	"testing"
)

// TestMain lets the test binary act as the server and the floor, as the program itself does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == roleServer || os.Args[1] == roleFloor) {
		if err := run(os.Args[1:]); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestWays checks that server, floor and client work together, with all sizes and with many calls at once.
func TestWays(t *testing.T) {
	all, err := newTargets(t.TempDir(), t.TempDir(), "unused")
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []*target{all.direct, all.floor} {
		t.Run(way.name, func(t *testing.T) {
			c, err := way.connect()
			if err != nil {
				t.Fatal(err)
			}
			defer c.close()
			for tool, size := range tools() {
				if err := c.call(way.body(tool), size*9/10); err != nil {
					t.Errorf("%s: %v", tool, err)
				}
			}
			if err := c.flood(way.body("small"), 0, 500, inFlight); err != nil {
				t.Error(err)
			}
			if err := c.call(way.body("small"), 1<<20); err == nil {
				t.Error("an answer that is too small is accepted")
			}
			if err := c.call(way.body("none"), 0); err == nil || !strings.Contains(err.Error(), "method not found") {
				t.Errorf("an error is not reported: %v", err)
			}
		})
	}
}

// TestBars checks which results pass.
func TestBars(t *testing.T) {
	ten := &figure{Median: 10, P95: 12, Count: 100}
	for _, tt := range []struct {
		name   string
		engine float64
		bar    bar
		want   bool
	}{
		{"at most", 30, atMost(30), true},
		{"more", 30.1, atMost(30), false},
		{"times the floor", 16, timesFloor(1.6), true},
		{"more than that", 16.1, timesFloor(1.6), false},
		{"slow at times", 10, atMostP95(11), false},
		{"never slow", 10, atMostP95(12), true},
		{"at least", 5, atLeastTimesFloor(0.5), true},
		{"less", 4.9, atLeastTimesFloor(0.5), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReport([]row{{What: "x", Engine: &figure{Median: tt.engine, P95: 12, Count: 100}, Floor: ten, bar: tt.bar},
				{What: "no bar", Engine: ten}}, 1)
			if r.Passed != tt.want || *r.Rows[0].Passed != tt.want || r.Rows[1].Passed != nil {
				t.Errorf("passed is %v, want %v", r.Passed, tt.want)
			}
		})
	}
}

func TestIDOf(t *testing.T) {
	for line, want := range map[string]int{
		`{"jsonrpc":"2.0","id":17,"result":{}}`:               17,
		`{"result":{},"jsonrpc":"2.0","id":3}`:                3,
		`{"jsonrpc":"2.0","method":"notifications/progress"}`: -1,
		`{"jsonrpc":"2.0","id":"17","result":{}}`:             -1,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`: -1,
	} {
		id, ok := idOf([]byte(line))
		if !ok {
			id = -1
		}
		if id != want {
			t.Errorf("%s: id %d, want %d", line, id, want)
		}
	}
}
