package main

import (
	"encoding/json"
	"fmt"

	"os"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func newValidate(c *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate [file]",
		Short: "Check workbench-config.json and say what is wrong with it",
		Long: `Checks the configuration and prints every problem with its place and what to do about it. Nothing
is started or changed. The exit status is 1 if there is an error; warnings alone leave it at 0.`,
		Example: `  workbench-desktop validate
  workbench-desktop validate --json ./workbench-config.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			flag := c.config
			if len(args) == 1 {
				flag = args[0]
			}
			return c.validate(flag, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return cmd
}

// report is what validate --json prints.
type report struct {
	File     string              `json:"file"`
	Valid    bool                `json:"valid"`
	Problems []config.Diagnostic `json:"problems"`
}

func (c *shared) validate(flag string, asJSON bool) error {
	location, err := config.Locate(flag, os.Getenv)
	if err != nil {
		return c.failf("%v", err)
	}
	document, err := config.Read(location)
	if err != nil {
		return c.failf("%v", err)
	}
	problems := append(document.Diagnostics, document.CheckEnvironment(config.SystemLookup())...)
	config.SortDiagnostics(problems)
	if asJSON {
		if problems == nil {
			problems = []config.Diagnostic{}
		}
		out := json.NewEncoder(c.out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		if err := out.Encode(report{location.Path, document.Valid(), problems}); err != nil {
			return c.failf("writing the result: %v", err)
		}
	} else {
		for _, problem := range problems {
			fmt.Fprintln(c.out, problem.Format(location.Path))
		}
		c.summary(location, document, len(problems))
	}
	if !document.Valid() {
		return exitStatus(exitFailed)
	}
	return nil
}

func (c *shared) summary(location config.Location, document *config.Document, problems int) {
	errors := len(document.Errors())
	switch {
	case problems == 0:
		servers := 0
		for _, toolbox := range document.Config.Toolboxes {
			servers += len(toolbox.Servers)
		}
		fmt.Fprintf(c.out, "%s is fine: %s in %s.\n", location.Path, count(servers, "server"),
			plural(len(document.Config.Toolboxes), "toolbox", "toolboxes"))
	default:
		fmt.Fprintf(c.out, "%s, %s.\n", count(errors, "error"), count(problems-errors, "warning"))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
