package engines

import (
	"strings"
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

func TestKeptLinesComeOnce(t *testing.T) {
	at := func(hour int, text string) status.LogLine {
		return status.LogLine{Time: time.Date(2026, 1, 2, hour, 0, 0, 5, time.Local), Source: "stderr", Text: text}
	}
	live := []status.LogLine{at(10, "live"), at(12, "newest")}
	kept := []status.LogLine{at(-20, "yesterday"), at(9, "before"), at(10, "live"), at(11, "of another engine")}
	lines := WithDays(withKept(live, kept), time.Date(2026, 1, 2, 13, 0, 0, 0, time.Local))
	var got []string
	for _, line := range lines {
		got = append(got, line.Words().String())
	}
	want := "Lines of 2026-01-01|yesterday|Lines of 2026-01-02|before|live|of another engine|newest"
	if strings.Join(got, "|") != want {
		t.Errorf("the lines are %q, want %q", strings.Join(got, "|"), want)
	}
	if lines := WithDays(live, live[0].Time); len(lines) != 2 {
		t.Errorf("the lines name today: %v", lines)
	}
}
