package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newRuntimes(c *shared) *cobra.Command {
	var asJSON bool
	cmd := command("runtimes", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return c.listRuntimes(cmd.Context(), asJSON)
	})
	get := command("runtimes get", exactly(1), func(cmd *cobra.Command, args []string) error {
		return c.getRuntime(cmd.Context(), args[0], asJSON)
	})
	remove := command("runtimes remove", exactly(1), func(cmd *cobra.Command, args []string) error {
		return c.removeRuntime(cmd.Context(), args[0], asJSON)
	})
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "help.runtimes.flag_json")
	cmd.AddCommand(get, remove)
	return cmd
}

// withRuntimes calls do with the user's runtimes.
func (c *shared) withRuntimes(ctx context.Context, do func(*runtimes.Runtimes) error) error {
	surroundings := environ.New(os.Environ())
	defer surroundings.Close()
	here := openRuntimes(ctx, surroundings)
	if here == nil {
		return c.fail(paths.Here(os.Getenv).NoHome())
	}
	if err := do(here); err != nil {
		return c.fail(err)
	}
	return nil
}

// openRuntimes returns the user's runtimes; nil if their folder is not known. Mirrors and proxies come from
// the user's own environment, which is determined when something is downloaded.
func openRuntimes(ctx context.Context, surroundings *environ.Environ) *runtimes.Runtimes {
	user := paths.Here(os.Getenv)
	folder, err := user.Runtimes()
	if err != nil {
		return nil
	}
	return runtimes.New(runtimes.Options{Folder: folder, Getenv: completeEnv(ctx, surroundings)})
}

// completeEnv returns a function like os.Getenv for the complete environment, for which the shell may be asked first.
func completeEnv(ctx context.Context, surroundings *environ.Environ) func(name string) string {
	lookup := surroundings.Lookup(ctx)
	return func(name string) string {
		value, _ := lookup(name)
		return value
	}
}

// engineEnv is completeEnv for an engine: the shell is asked only if an AI app has passed on nearly nothing.
func engineEnv(ctx context.Context, surroundings *environ.Environ) func(name string) string {
	return func(name string) string { return process.Getenv(surroundings.For(ctx, ""), name) }
}

// runtimeJSON is a runtime as JSON for programs.
type runtimeJSON struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Version   string `json:"version"`             // the available version
	Installed string `json:"installed,omitempty"` // the installed version
	Folder    string `json:"folder,omitempty"`    // of its commands
}

func (c *shared) listRuntimes(ctx context.Context, asJSON bool) error {
	return c.withRuntimes(ctx, func(here *runtimes.Runtimes) error {
		states := here.List()
		if asJSON {
			list := make([]runtimeJSON, len(states))
			for i, s := range states {
				list[i] = forProgram(s)
			}
			return c.encode(struct {
				Runtimes []runtimeJSON `json:"runtimes"`
			}{list})
		}
		for _, s := range states {
			switch {
			case s.Installed == "":
				c.print(words.New("command.runtime_none", "Name", s.Name, "ID", s.ID, "Version", s.Version, "MB",
					megabytes(s.Size)))
			case s.Outdated():
				c.print(words.New("command.runtime_outdated", "Name", s.Name, "ID", s.ID, "Installed", s.Installed, "Version",
					s.Version, "Folder", s.Folder))
			default:
				c.print(words.New("command.runtime_there", "Name", s.Name, "Version", s.Version, "Folder", s.Folder))
			}
		}
		if len(states) == 0 {
			c.print(words.New("command.runtimes_none_here"))
		}
		return nil
	})
}

func forProgram(s runtimes.State) runtimeJSON {
	return runtimeJSON{s.ID, s.Name, s.Version, s.Installed, s.Folder}
}

func (c *shared) getRuntime(ctx context.Context, id string, asJSON bool) error {
	return c.withRuntimes(ctx, func(here *runtimes.Runtimes) error {
		before, _ := here.Find(id)
		if err := here.Get(ctx, id, c.progressOf(before, asJSON)); err != nil {
			return err
		}
		return c.tellRuntime(here, id, asJSON, func(now runtimes.State) words.Text {
			return words.New("command.runtime_got", "Name", now.Name, "Version", now.Installed, "Folder", now.Folder)
		})
	})
}

func (c *shared) removeRuntime(ctx context.Context, id string, asJSON bool) error {
	return c.withRuntimes(ctx, func(here *runtimes.Runtimes) error {
		if err := here.Remove(ctx, id); err != nil {
			return err
		}
		return c.tellRuntime(here, id, asJSON, func(now runtimes.State) words.Text {
			return words.New("command.runtime_removed", "Name", now.Name)
		})
	})
}

func (c *shared) tellRuntime(here *runtimes.Runtimes, id string, asJSON bool,
	say func(runtimes.State) words.Text) error {
	now, _ := here.Find(id)
	if asJSON {
		return c.encode(forProgram(now))
	}
	c.print(say(now))
	return nil
}

// progressOf returns a function that prints each tenth of a download.
func (c *shared) progressOf(wanted runtimes.State, asJSON bool) func(runtimes.Progress) {
	if asJSON {
		return nil
	}
	tenth := int64(0)
	unpacking := false
	return func(p runtimes.Progress) {
		switch {
		case p.Step == runtimes.Downloading && p.All > 0 && p.Done*10/p.All > tenth:
			tenth = p.Done * 10 / p.All
			c.note(words.New("command.runtime_downloading", "Name", wanted.Name, "Done", megabytes(p.Done), "All",
				megabytes(p.All)))
		case p.Step == runtimes.Unpacking && !unpacking:
			unpacking = true
			c.note(words.New("command.runtime_unpacking", "Name", wanted.Name))
		}
	}
}

// megabytes returns a size for people.
func megabytes(bytes int64) string { return fmt.Sprint((bytes + 500_000) / 1_000_000) }
