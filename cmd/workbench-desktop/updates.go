package main

import (
	"context"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/updates"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newUpdates(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("updates", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return c.askForUpdates(cmd.Context(), asJSON)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.updates.flag_json")
	for name, on := range map[string]bool{"updates on": true, "updates off": false} {
		cmd.AddCommand(command(name, exactly(0), func(*cobra.Command, []string) error {
			program := openUpdates(nil)
			if err := program.Allow(on); err != nil {
				return c.fail(err)
			}
			c.print(dailyText(on))
			return nil
		}))
	}
	return cmd
}

// openUpdates returns what asks for newer versions of this program through base, which may be nil. By itself it sends
// nothing.
func openUpdates(base http.RoundTripper) *updates.Updates {
	file, _ := paths.Here(os.Getenv).Updates() // without a home, nothing is kept
	return updates.New(updates.Options{Address: os.Getenv(updates.Variable), Current: version, File: file, Base: base})
}

// wayToUpdate returns how this program is updated.
func wayToUpdate() updates.Way {
	program, err := os.Executable()
	if err != nil {
		return updates.Way{}
	}
	return updates.Find(program, os.DirFS("/"))
}

// dailyText returns the sentence that says whether the program asks for newer versions once a day.
func dailyText(on bool) words.Text {
	if on {
		return words.New("command.updates_on")
	}
	return words.New("command.updates_off")
}

// askForUpdates asks for the newest version, and prints it and how to get it.
func (c *shared) askForUpdates(ctx context.Context, asJSON bool) error {
	program, way := openUpdates(nil), wayToUpdate()
	newest, newer, err := program.Ask(ctx)
	if err != nil {
		return c.fail(err)
	}
	if asJSON {
		return c.encode(struct {
			Version string `json:"version"`
			Newest  string `json:"newest"`
			Newer   bool   `json:"newer"`
			Page    string `json:"page"`
			Command string `json:"command,omitempty"`
			Daily   bool   `json:"daily"`
		}{version, newest.Version, newer, newest.Page, way.Command, program.Allowed()})
	}
	switch {
	case newer:
		c.print(words.New("command.updates_newer", "Newest", newest.Version, "Version", version))
		c.print(way.Text(newest))
	case newest.Version == "":
		c.print(words.New("command.updates_unreleased", "Version", version))
	default:
		c.print(words.New("command.updates_none", "Newest", newest.Version, "Version", version))
	}
	c.note(dailyText(program.Allowed()))
	return nil
}
