package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// figure is the result of one measurement on one target.
type figure struct {
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Count  int     `json:"count"`
}

// bar is a limit for the engine's median. The zero value is no limit.
type bar struct {
	value    float64
	relative bool // to the floor's median
	least    bool // a minimum instead of a maximum
	tail     bool // for the 95th percentile instead of the median
}

func atMost(value float64) bar            { return bar{value: value} }
func atMostP95(value float64) bar         { return bar{value: value, tail: true} }
func timesFloor(value float64) bar        { return bar{value: value, relative: true} }
func atLeastTimesFloor(value float64) bar { return bar{value: value, relative: true, least: true} }

// String returns the bar for the table.
func (b bar) String() string {
	if b.value == 0 {
		return ""
	}
	sign := "≤"
	if b.least {
		sign = "≥"
	}
	if b.relative {
		return fmt.Sprintf("%s %.1f × floor", sign, b.value)
	}
	if b.tail {
		return fmt.Sprintf("p95 %s %.0f", sign, b.value)
	}
	return fmt.Sprintf("%s %.0f", sign, b.value)
}

// row is one line of the table. Floor, Direct and Peer are nil if there is nothing to compare with.
type row struct {
	What   string  `json:"what"`
	Unit   string  `json:"unit"`
	Engine *figure `json:"engine"`
	Floor  *figure `json:"floor,omitempty"`
	Direct *figure `json:"direct,omitempty"`
	Peer   *figure `json:"peer,omitempty"` // mcp-proxy; nil if it was not measured
	Ratio  float64 `json:"ratioToFloor,omitempty"`
	Bar    string  `json:"bar,omitempty"`
	Passed *bool   `json:"passed,omitempty"` // nil if there is no bar
	bar    bar
}

// report is the outcome of a run.
type report struct {
	Time    time.Time `json:"time"`
	Machine string    `json:"machine"`
	Go      string    `json:"go"`
	Rounds  int       `json:"rounds"`
	Rows    []row     `json:"rows"`
	Passed  bool      `json:"passed"` // every bar was kept
}

func newReport(rows []row, rounds int) *report {
	r := &report{Time: time.Now().UTC(), Machine: machine(), Go: runtime.Version(), Rounds: rounds, Rows: rows,
		Passed: true}
	for i := range rows {
		row := &rows[i]
		if row.Floor != nil && row.Floor.Median > 0 {
			row.Ratio = row.Engine.Median / row.Floor.Median
		}
		row.Bar = row.bar.String()
		if row.Bar == "" {
			continue
		}
		value := row.Engine.Median
		switch {
		case row.bar.relative:
			value = row.Ratio
		case row.bar.tail:
			value = row.Engine.P95
		}
		passed := value <= row.bar.value
		if row.bar.least {
			passed = value >= row.bar.value
		}
		row.Passed = &passed
		r.Passed = r.Passed && passed
	}
	return r
}

// print writes the table: medians, with the 95th percentile in brackets.
func (r *report) print(out io.Writer) error {
	fmt.Fprintf(out, "%s, %s, %d rounds; medians, 95th percentile in brackets\n\n", r.Machine, r.Go, r.Rounds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tunit\tengine\tfloor\tdirect\tmcp-proxy\tratio\tbar\t")
	for _, row := range r.Rows {
		ratio := ""
		if row.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f", row.Ratio)
		}
		verdict := ""
		if row.Passed != nil {
			verdict = "FAIL"
			if *row.Passed {
				verdict = "pass"
			}
		}
		fmt.Fprintln(w, strings.Join([]string{row.What, row.Unit, row.Engine.String(), row.Floor.String(),
			row.Direct.String(), row.Peer.String(), ratio, row.Bar, verdict}, "\t"))
	}
	return w.Flush()
}

// String returns the figure for the table; "" for none.
func (f *figure) String() string {
	switch {
	case f == nil:
		return ""
	case f.Count == 1:
		return short(f.Median)
	default:
		return fmt.Sprintf("%s (%s)", short(f.Median), short(f.P95))
	}
}

func short(value float64) string {
	if value >= 100 {
		return fmt.Sprintf("%.0f", value)
	}
	return fmt.Sprintf("%.1f", value)
}

// machine describes the machine, as far as the figures depend on it.
func machine() string {
	model := ""
	if raw, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(raw)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = ", " + strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s/%s, %d cores%s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), model)
}
