package app

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// manyServers is a configuration of a thousand servers in fifty toolboxes.
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

// A moment of a thousand servers is made and shown often, so both must be cheap.
func TestAThousandServers(t *testing.T) {
	b := newBench(t, manyServers(), nil)
	b.until(func() string {
		if len(b.now.view.Toolboxes) != 50 {
			return "the servers are not shown"
		}
		return ""
	})
	best := func(f func()) time.Duration {
		fastest := time.Hour
		for range 10 {
			begun := time.Now()
			f()
			fastest = min(fastest, time.Since(begun))
		}
		return fastest
	}
	var now *moment
	made := best(func() { now = b.collector.look() })
	shown := best(func() {
		b.now = now
		b.draw()
	})
	menu := best(func() { trayState(now, loginState{}) })
	t.Logf("made in %v, shown in %v, put into the tray in %v", made, shown, menu)
	if made > 100*time.Millisecond || shown > 100*time.Millisecond {
		t.Errorf("made in %v, shown in %v", made, shown)
	}
}
