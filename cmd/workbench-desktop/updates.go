package main

import (
	"context"
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
			here := openUpdates()
			if err := here.Allow(on); err != nil {
				return c.fail(err)
			}
			c.print(dailyText(on))
			return nil
		}))
	}
	return cmd
}

// openUpdates returns the updates of this program. It sends nothing.
func openUpdates() *updates.Updates {
	file, _ := paths.Here(os.Getenv).Updates() // without a home, nothing is kept
	return updates.New(updates.Options{Address: os.Getenv(updates.Variable), Current: version, File: file})
}

// wayToUpdate returns how this program is updated.
func wayToUpdate() updates.Way {
	program, err := os.Executable()
	if err != nil {
		return updates.Way{}
	}
	return updates.Find(program, os.DirFS("/"))
}

// dailyText says whether there is one request a day.
func dailyText(on bool) words.Text {
	if on {
		return words.New("command.updates_on")
	}
	return words.New("command.updates_off")
}

func (c *shared) askForUpdates(ctx context.Context, asJSON bool) error {
	here, way := openUpdates(), wayToUpdate()
	newest, newer, err := here.Ask(ctx)
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
		}{version, newest.Version, newer, newest.Page, way.Command, here.Allowed()})
	}
	if newer {
		c.print(words.New("command.updates_newer", "Newest", newest.Version, "Version", version))
		c.print(way.Text(newest))
	} else {
		c.print(words.New("command.updates_none", "Newest", newest.Version, "Version", version))
	}
	c.note(dailyText(here.Allowed()))
	return nil
}
