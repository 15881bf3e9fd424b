package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// manyServers returns a configuration with a thousand servers in fifty toolboxes.
func manyServers() string {
	var boxes []string
	for i := range 50 {
		var servers []string
		for j := range 20 {
			servers = append(servers, fmt.Sprintf(`"server-%d": {"command": "sh", "args": ["-c", "true"]}`, j))
		}
		boxes = append(boxes, fmt.Sprintf(`"box-%d": {"mcpServers": {%s}}`, i, strings.Join(servers, ", ")))
	}
	return `{"toolboxes": {` + strings.Join(boxes, ", ") + `}}`
}

// A snapshot of a thousand servers must be cheap to make and to show, because both happen often. The test counts
// allocations, because their number does not depend on how busy the machine is. BenchmarkWindow measures the time.
func TestAThousandServers(t *testing.T) {
	b := newBench(t, manyServers(), nil)
	b.until(func() string {
		if len(b.now.view.Toolboxes) != 50 {
			return "the servers are not shown"
		}
		return ""
	})
	var now *shown
	made := testing.AllocsPerRun(5, func() { now = b.viewsOf(b.aggregator.Collect()) })
	shown := testing.AllocsPerRun(5, func() {
		b.take(now)
		b.draw()
	})
	t.Logf("making a snapshot takes %.0f allocations, showing it %.0f", made, shown)
	const most = 20_000
	if made > most || shown > most {
		t.Errorf("making a snapshot takes %.0f allocations, showing it %.0f, want at most %d each", made, shown, most)
	}
}

// BenchmarkWindow measures the work on the goroutine of the window with a thousand servers. TestProbe in app/e2e
// measures a real window.
func BenchmarkWindow(b *testing.B) {
	bench := newBench(b, manyServers(), nil)
	bench.until(func() string {
		if len(bench.now.view.Toolboxes) != 50 {
			return "the servers are not shown"
		}
		return ""
	})
	measure := func(name string, f func(i int)) {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				f(i)
				i++
			}
			b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/op")
		})
	}
	at := func(i int) model.Choice {
		return model.Choice{Toolbox: "box-7", Server: fmt.Sprintf("server-%d", i%20)}
	}
	bench.showServer(model.Choice{Toolbox: "box-7"})
	snapshots := [2]*shown{bench.viewsOf(bench.aggregator.Collect()), bench.viewsOf(bench.aggregator.Collect())}
	draw := func(i int) {
		bench.take(snapshots[i%2])
		bench.draw()
	}
	measure("nothing has changed", draw)
	measure("a toolbox is selected", func(i int) {
		bench.toolboxes.Select(model.Choice{Toolbox: fmt.Sprintf("box-%d", i%50)})
	})
	measure("settings are opened", func(i int) { bench.showServer(at(i)) })
	measure("settings, nothing has changed", draw)
	measure("tabs are switched", func(int) { bench.detail.Editor.StepTab(1) })
	measure("screens are switched", func(i int) {
		bench.places.Choose([]frame.Place{placeToolboxes, placeClients, placeActivity, placeSettings}[i%4])
	})
}
