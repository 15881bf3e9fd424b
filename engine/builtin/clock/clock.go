// Package clock is the built-in server "time": what time it is somewhere, and what that is somewhere else.
package clock

import (
	"context"
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // Windows, and some containers, have no time zones of their own

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

type clock struct{ now func() time.Time }

type where struct {
	Timezone string `json:"timezone,omitempty" jsonschema:"IANA time zone, such as Europe/Berlin; by default that of this computer"`
}

type conversion struct {
	From string `json:"source_timezone,omitempty" jsonschema:"IANA time zone of the time; by default that of this computer"`
	Time string `json:"time" jsonschema:"the time as HH:MM, or with its date as YYYY-MM-DD HH:MM"`
	To   string `json:"target_timezone" jsonschema:"IANA time zone to convert to, such as Asia/Tokyo"`
}

// New returns the server. now is the clock, such as [time.Now].
func New(version string, now func() time.Time) *server.MCPServer {
	s := tool.New("time", "Time", version, "")
	c := clock{now}
	tool.Add(s, tool.Definition{
		Name: "get_current_time", Title: "Current time", Effect: tool.Reads,
		Description: "Returns the current date and time in a time zone.",
	}, c.current)
	tool.Add(s, tool.Definition{
		Name: "convert_time", Title: "Convert a time", Effect: tool.Reads,
		Description: "Converts a time from one time zone to another. Without a date, it is the time of today.",
	}, c.convert)
	return s
}

func (c clock) current(_ context.Context, in where) (*mcp.CallToolResult, error) {
	zone, err := load(in.Timezone)
	if err != nil {
		return nil, err
	}
	return tool.Text(say(c.now().In(zone))), nil
}

func (c clock) convert(_ context.Context, in conversion) (*mcp.CallToolResult, error) {
	from, err := load(in.From)
	if err != nil {
		return nil, err
	}
	to, err := load(in.To)
	if err != nil {
		return nil, err
	}
	at, remark, err := c.parse(in.Time, from)
	if err != nil {
		return nil, err
	}
	there := at.In(to)
	_, before := at.Zone()
	_, after := there.Zone()
	return tool.Text(fmt.Sprintf("%s\nis %s\nDifference: %+.4g h%s", say(at), say(there), float64(after-before)/3600,
		remark)), nil
}

// parse returns the time that a text means in a zone, and what is remarkable about it. Where clocks are put back, a
// time comes twice, and the first is meant. Where they are put forward, a time is left out, and it means what clocks
// would show had they not been put forward yet.
func (c clock) parse(text string, zone *time.Location) (at time.Time, remark string, err error) {
	shown, err := time.Parse("2006-01-02 15:4", strings.Replace(text, "T", " ", 1))
	if err != nil {
		if shown, err = time.Parse("15:4", text); err != nil {
			return at, "", fmt.Errorf("%q is no time; write it as HH:MM or YYYY-MM-DD HH:MM, in 24 hours", text)
		}
		year, month, day := c.now().In(zone).Date()
		shown = time.Date(year, month, day, shown.Hour(), shown.Minute(), 0, 0, time.UTC)
	}
	as := func(offset int) (time.Time, bool) {
		at := shown.Add(-time.Duration(offset) * time.Second).In(zone)
		_, is := at.Zone()
		return at, is == offset
	}
	_, before := shown.AddDate(0, 0, -1).In(zone).Zone()
	_, after := shown.AddDate(0, 0, 1).In(zone).Zone()
	first, found := as(before)
	second, foundAgain := as(after)
	switch {
	case found && foundAgain && before != after:
		return first, shown.Format("\n15:04") +
			" comes twice on this day; this is the first, before clocks are put back.", nil
	case !found && !foundAgain:
		return first, shown.Format("\n15:04") + " does not exist on this day, since clocks are put forward.", nil
	case found:
		return first, "", nil
	}
	return second, "", nil
}

// load returns a time zone by its IANA name. "" is that of this computer.
func load(name string) (*time.Location, error) {
	if name == "" {
		return time.Local, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%q is no IANA time zone, such as Europe/Berlin or America/New_York", name)
	}
	return zone, nil
}

func say(at time.Time) string {
	zone := at.Location().String()
	if zone == "Local" {
		zone, _ = at.Zone()
	}
	if isSaving(at) {
		zone += ", daylight saving time"
	}
	return fmt.Sprintf("%s, %s (%s)", at.Format("Monday"), at.Format(time.RFC3339), zone)
}

// isSaving reports whether clocks have been put forward. Where law says that they are put back in winter, as in
// Ireland, tables of time zones call that daylight saving time, and nobody else does.
func isSaving(at time.Time) bool {
	_, offset := at.Zone()
	_, end := at.ZoneBounds()
	_, next := end.Zone()
	return at.IsDST() && next < offset
}
