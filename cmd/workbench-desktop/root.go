package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// shared has the flags of every command.
type shared struct {
	streams
	config   string
	logLevel string
}

func newRoot(s streams) *cobra.Command {
	c := &shared{streams: s}
	var hidden bool
	var meet string
	root := &cobra.Command{
		Use:           words.Program(),
		Short:         "help.root.short",
		Long:          "help.root.long",
		Example:       "help.root.example",
		Args:          opensFile,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Name() == cobra.ShellCompRequestCmd { // it prints the descriptions of commands
				s.translate(cmd.Root())
			}
			_, err := c.logger(slog.LevelInfo)
			return err
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			options := desktopOptions{ConfigFlag: c.config, Hidden: hidden, Open: toOpen(args), Link: meet,
				Level: new(slog.LevelVar), LevelGiven: c.logLevel != ""}
			options.Level.Set(slog.LevelWarn)
			if options.LevelGiven {
				_ = options.Level.UnmarshalText([]byte(c.logLevel)) // it was checked before
			}
			options.Log = slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: options.Level}))
			logPanics(options.Log)
			return exitStatusOf(runDesktop(cmd.Context(), options, s))
		},
	}
	s.speak(root)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	if hasWindow {
		root.Flags().BoolVar(&hidden, "hidden", false, "help.root.flag_hidden")
		// Like that of "stdio": a test has its own app and engines beside those of the user.
		root.Flags().StringVar(&meet, "link", "", "listen for engines at this `address` instead of the usual one, for tests")
		hide(root.Flags(), "link")
	}
	root.PersistentFlags().StringVar(&c.config, "config", "", "help.root.flag_config")
	root.PersistentFlags().StringVar(&c.logLevel, "log-level", "", "help.root.flag_log-level")
	group(root, "help.group_set_up", newClients(c), newConnect(c), newDisconnect(c), newBundle(c), newImport(c),
		newRuntimes(c), newUninstall(c))
	group(root, "help.group_configure", newCatalogue(c), newConfig(c), newSecret(c), newApprove(c))
	group(root, "help.group_look", newStatus(c), newTools(c), newCall(c), newUsage(c), newLogs(c))
	group(root, "help.group_repair", newValidate(c), newDoctor(c))
	group(root, "help.group_programs", newStdio(c), newServe(c), newServer(c), newSchema(c), newUpdates(c),
		newVersion(c))
	root.SetHelpCommandGroupID("help.group_programs")
	return root
}

func exitStatusOf(status int) error {
	if status == exitOK {
		return nil
	}
	return exitStatus(status)
}

// logger returns a logger that writes to standard error, from the level --log-level on, or usual if that is
// not given.
func (c *shared) logger(usual slog.Level) (*slog.Logger, error) {
	level := usual
	if c.logLevel != "" {
		if err := level.UnmarshalText([]byte(c.logLevel)); err != nil {
			return nil, words.NewError("command.log_level", "Level", c.logLevel)
		}
	}
	return slog.New(slog.NewTextHandler(c.err, &slog.HandlerOptions{Level: level})), nil
}

// logPanics makes panics in the background go to a log; see [background]. What libraries write with the package log
// still goes to standard error.
func logPanics(to *slog.Logger) {
	slog.SetDefault(to)
	log.SetOutput(os.Stderr)
	log.SetFlags(log.LstdFlags)
}

// locate returns the location of the current configuration.
func (c *shared) locate() (config.Location, error) {
	location, err := config.Locate(c.config, os.Getenv)
	if err != nil {
		return location, c.fail(err)
	}
	return location, nil
}

// load reads the current configuration and prints all its problems. An invalid one is an error.
func (c *shared) load() (config.Location, *config.Document, error) {
	location, err := c.locate()
	if err != nil {
		return location, nil, err
	}
	document, err := config.Read(location)
	if err != nil {
		return location, nil, c.fail(err)
	}
	for _, problem := range document.Diagnostics {
		if problem.Severity == config.SeverityError {
			c.problem(c.err, problem, location.Path)
		}
	}
	if !document.Valid() {
		return location, document, c.fail(words.NewError("command.invalid_nothing_started", "Count", len(document.Errors())))
	}
	return location, document, nil
}

// problem prints a diagnostic of a file.
func (s streams) problem(to io.Writer, found config.Diagnostic, file string) {
	fmt.Fprintln(to, found.FormatIn(s.words, file))
}

// noFile returns the sentence for a missing default file, which is no error.
func noFile(path string) words.Text { return words.New("command.no_file", "Path", path) }

// servers returns a number of servers as part of a sentence.
func servers(n int) words.Text { return words.New("command.servers", "Count", n) }

// toolboxes returns a number of toolboxes as part of a sentence.
func toolboxes(n int) words.Text { return words.New("command.toolboxes", "Count", n) }
