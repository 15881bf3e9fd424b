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
	at, err := time.ParseInLocation("2006-01-02 15:04", strings.Replace(in.Time, "T", " ", 1), from)
	if err != nil {
		hour, err := time.Parse("15:04", in.Time)
		if err != nil {
			return nil, fmt.Errorf("%q is no time; write it as HH:MM or YYYY-MM-DD HH:MM, in 24 hours", in.Time)
		}
		year, month, day := c.now().In(from).Date()
		at = time.Date(year, month, day, hour.Hour(), hour.Minute(), 0, 0, from)
	}
	there := at.In(to)
	_, before := at.Zone()
	_, after := there.Zone()
	return tool.Text(fmt.Sprintf("%s\nis %s\nDifference: %+.4g h", say(at), say(there), float64(after-before)/3600)), nil
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
	return fmt.Sprintf("%s, %s (%s)", at.Format("Monday"), at.Format(time.RFC3339), zone)
}
