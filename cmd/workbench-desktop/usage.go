package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/usage"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// usagePlaces returns where usage is stored, and the file of the preferences that say whether it is.
func usagePlaces() (folder usage.Folder, preferences string, err error) {
	here := paths.Here(os.Getenv)
	path, err := here.Usage()
	if err == nil {
		preferences, err = here.Preferences()
	}
	return usage.Folder(path), preferences, err
}

// countUsage returns the Writer that counts an engine's calls; nil if it is not known where usage is stored.
func countUsage(config, app string, log *slog.Logger) *usage.Writer {
	folder, preferences, err := usagePlaces()
	if err != nil {
		return nil
	}
	return usage.NewWriter(usage.Options{Folder: folder, Preferences: preferences, Config: config, App: app, Logger: log})
}

func newUsage(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("usage", exactly(0), func(*cobra.Command, []string) error { return c.usage(asJSON) })
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.usage.flag_json")
	return cmd
}

func (c *shared) usage(asJSON bool) error {
	location, err := c.locate()
	if err != nil {
		return err
	}
	folder, preferences, err := usagePlaces()
	if err != nil {
		return c.fail(err)
	}
	report, err := usage.Read(folder, preferences, location.Path, time.Now())
	if err != nil {
		return c.fail(err)
	}
	switch {
	case asJSON:
		return c.encode(struct {
			File string `json:"file"`
			*usage.Report
		}{location.Path, report})
	case !report.Wanted:
		c.note(words.New("command.usage_off"))
	case report.Count == 0:
		c.note(words.New("command.usage_none"))
	default:
		err = c.printUsage(report)
	}
	if report.Damaged {
		c.note(usage.ErrDamaged.Text().AsSentence())
	}
	if report.Wanted {
		c.note(words.New("command.of_configuration", "Path", location.Path))
	}
	return err
}

// appName returns the name of an app for people.
func appName(app string) words.Text {
	for _, known := range []*client.Client{client.Find(app, ""), client.Find("", app)} {
		if known.Name != "" {
			return words.Foreign(known.Name)
		}
	}
	if app == "" {
		return words.New("command.usage_unknown_app")
	}
	return words.Foreign(app)
}

// printUsage prints a report for people.
func (c *shared) printUsage(r *usage.Report) error {
	say := c.words.Text
	counts := func(calls usage.Calls) string {
		text := say(usage.CallCount(calls.Count))
		if calls.Failed > 0 {
			text += ", " + say(usage.FailedCount(calls.Failed))
		}
		return text
	}
	if len(r.Days) == usage.Days {
		c.print(words.New("command.usage_month", "Calls", counts(r.Calls)))
	} else {
		c.print(words.New("command.usage_since", "Day", words.DayAndYear(r.Since.Local()), "Calls", counts(r.Calls)))
	}
	if r.Saved > 0 {
		c.print(words.New("command.usage_saved", "Tokens", usage.TokenCount(r.Saved)))
	}
	table := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', 0)
	title := func(code words.Code) { fmt.Fprintf(table, "\n%s\n", say(code.Text())) }
	row := func(cells ...string) { fmt.Fprintf(table, "  %s\n", strings.Join(cells, "\t")) }
	title("command.usage_apps")
	for _, app := range r.Apps {
		row(say(appName(app.App)), counts(app.Calls))
	}
	title("command.usage_days")
	most := 0
	for _, day := range r.Days {
		most = max(most, day.Calls)
	}
	for _, day := range r.Days {
		if at, err := time.Parse(time.DateOnly, day.Day); err == nil && day.Calls > 0 {
			row(say(words.Date(at)), counts(usage.Calls{Count: day.Calls, Failed: day.Failed}),
				strings.Repeat("#", max(1, 30*day.Calls/most)))
		}
	}
	title("command.usage_servers")
	for _, s := range r.Servers {
		row(serverName(s.Toolbox, s.Server), counts(s.Calls),
			say(words.New("command.usage_took", "Typical", usage.Took(ms(s.TypicalMs)), "Longest", usage.Took(ms(s.Longest)))),
			say(r.LastUse(s.Toolbox, s.Server).Say(time.Now())))
	}
	title("command.usage_toolboxes")
	for _, t := range r.Toolboxes {
		saved := ""
		if t.Saved > 0 {
			saved = say(words.New("command.usage_saved", "Tokens", usage.TokenCount(t.Saved)))
		}
		row(t.Toolbox, say(words.New("command.usage_sessions", "Count", t.Opened, "Used", words.Number(t.Used), "Sessions",
			words.Number(t.Sessions))), saved)
	}
	return table.Flush()
}

// serverName returns the name of a server in a toolbox. Servers that are not counted individually have no
// name.
func serverName(toolbox, server string) string {
	if toolbox == "" {
		return "…"
	}
	return toolbox + " › " + cmp.Or(server, "…")
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
