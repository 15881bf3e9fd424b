package main

import (
	"fmt"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// shared are the flags that every command has.
type shared struct {
	streams
	config   string
	logLevel string
}

func newRoot(s streams) *cobra.Command {
	c := &shared{streams: s}
	var hidden bool
	var meet string
	without, open := "Without a command it opens the desktop app.", "  workbench-desktop                          open the window\n"
	if !hasWindow {
		without, open = "This build has no window.", ""
	}
	root := &cobra.Command{
		Use:   "workbench-desktop",
		Short: "Group MCP servers into toolboxes and give them to AI apps",
		Long: `Workbench Desktop groups MCP servers into toolboxes and gives them to AI apps such as
Claude Desktop, Cursor or VS Code.

` + without + ` AI apps start it as "workbench-desktop stdio".`,
		Example: open + `  workbench-desktop status                   what is configured
  workbench-desktop validate                 check workbench-config.json
  workbench-desktop tools dev                open toolbox "dev" and list its tools
  workbench-desktop call dev memory read_graph`,
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			_, err := c.logger(slog.LevelInfo)
			return err
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			options := desktopOptions{ConfigFlag: c.config, Hidden: hidden, Link: meet, Level: new(slog.LevelVar), LevelGiven: c.logLevel != ""}
			options.Level.Set(slog.LevelWarn)
			if options.LevelGiven {
				_ = options.Level.UnmarshalText([]byte(c.logLevel)) // it was checked before
			}
			options.Log = slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: options.Level}))
			return exitStatusOf(runDesktop(cmd.Context(), options, s.out, s.err))
		},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	if hasWindow {
		root.Flags().BoolVar(&hidden, "hidden", false, "start in the tray, without the window")
		// As that of "stdio": a test has an app and engines of its own beside those of the user.
		root.Flags().StringVar(&meet, "link", "", "listen for engines at this `address` instead of the usual one, for tests")
		_ = root.Flags().MarkHidden("link") // fails for a flag that is not there
	}
	root.PersistentFlags().StringVar(&c.config, "config", "", "the configuration `file` (default: $WORKBENCH_CONFIG, else the one that the desktop app edits)")
	root.PersistentFlags().StringVar(&c.logLevel, "log-level", "", "what to say on standard error: debug, info, warn or error")
	root.AddCommand(newStdio(c), newStatus(c), newValidate(c), newTools(c), newCall(c), newConfig(c), newClients(c), newConnect(c), newDisconnect(c), newBundle(c), newImport(c), newDoctor(c), newSchema(c), newVersion(c))
	return root
}

func exitStatusOf(status int) error {
	if status == exitOK {
		return nil
	}
	return exitStatus(status)
}

// logger writes to standard error what is at least as grave as --log-level, or as usual if that is
// not given.
func (c *shared) logger(usual slog.Level) (*slog.Logger, error) {
	level := usual
	if c.logLevel != "" {
		if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
			return nil, fmt.Errorf("--log-level is %q; it must be debug, info, warn or error", c.logLevel)
		}
	}
	return slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: level})), nil
}

// load reads the configuration in force and says everything that is wrong with it. An invalid one
// is an error.
func (c *shared) load() (config.Location, *config.Document, error) {
	location, err := config.Locate(c.config, os.Getenv)
	if err != nil {
		return location, nil, c.failf("%v", err)
	}
	document, err := config.Read(location)
	if err != nil {
		return location, nil, c.failf("%v", err)
	}
	for _, problem := range document.Diagnostics {
		if problem.Severity == config.SeverityError {
			fmt.Fprintln(c.err, problem.Format(location.Path))
		}
	}
	if !document.Valid() {
		return location, document, c.failf("the configuration has %s; nothing was started", count(len(document.Errors()), "error"))
	}
	return location, document, nil
}

// noFile is what to say about a default file that is missing, which is no error.
func noFile(path string) string {
	return fmt.Sprintf("there is no file %s yet. Make it with: workbench-desktop config add-toolbox NAME", path)
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
