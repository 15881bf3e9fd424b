package clock_test

import (
	"testing"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/clock"
	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool/tooltest"
)

func TestTime(t *testing.T) {
	now := time.Date(2026, 7, 1, 12, 30, 0, 0, time.UTC)
	c := tooltest.New(t, clock.New("0", func() time.Time { return now }))
	type arguments = tooltest.Arguments
	c.Says("get_current_time", arguments{"timezone": "Europe/Berlin"},
		"Wednesday, 2026-07-01T14:30:00+02:00 (Europe/Berlin, daylight saving time)")
	c.Says("get_current_time", nil, "2026-07-01")
	c.Refuses("get_current_time", arguments{"timezone": "Mars"}, "no IANA time zone")
	c.Says("convert_time", arguments{"source_timezone": "Europe/Berlin", "time": "09:00",
		"target_timezone": "Asia/Kolkata"},
		"2026-07-01T12:30:00+05:30 (Asia/Kolkata)\nDifference: +3.5 h")
	c.Says("convert_time", arguments{"source_timezone": "Europe/Berlin", "time": "2026-01-15 23:00",
		"target_timezone": "Asia/Tokyo"},
		"Friday, 2026-01-16T07:00:00+09:00")
	c.Says("convert_time", arguments{"source_timezone": "Europe/Berlin", "time": "2026-03-29 02:30",
		"target_timezone": "UTC"},
		"03:30:00+02:00 (Europe/Berlin, daylight saving time)\nis Sunday, 2026-03-29T01:30:00Z (UTC)\nDifference: -2 h\n"+
			"02:30 does not exist on this day")
	c.Says("convert_time", arguments{"source_timezone": "Europe/Berlin", "time": "2026-10-25T02:30",
		"target_timezone": "UTC"},
		"T00:30:00Z (UTC)\nDifference: -2 h\n02:30 comes twice on this day")
	c.Refuses("convert_time", arguments{"time": "9 am", "target_timezone": "UTC"}, "in 24 hours")
}
