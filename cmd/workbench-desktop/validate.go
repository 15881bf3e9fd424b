package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// validation is what the command line of validate says.
type validation struct {
	*shared
	asJSON, fix, dryRun bool
}

func newValidate(c *shared) *cobra.Command {
	v := &validation{shared: c}
	cmd := &cobra.Command{
		Use:   "validate [file]",
		Short: "Check workbench-config.json and say what is wrong with it",
		Long: `Checks the configuration and prints every problem with its place and what to do about it. Nothing
is started or changed. The exit status is 1 if there is an error; warnings alone leave it at 0.

--fix corrects what is clear: commas, quotes, backslashes, misspelt keys, what was pasted from another
client's file and more. It prints the difference, with secrets masked, and then what is left to do, also with --dry-run.
Comments stay; the version from before is in the history (see "workbench-desktop config history").`,
		Example: `  workbench-desktop validate
  workbench-desktop validate --json ./workbench-config.json
  workbench-desktop validate --fix --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			flag := c.config
			if len(args) == 1 {
				flag = args[0]
			}
			if v.dryRun && !v.fix {
				return fmt.Errorf("--dry-run is for --fix; without it nothing is changed anyway")
			}
			return v.run(cmd.Context(), flag, len(args) == 1)
		},
	}
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&v.fix, "fix", false, "correct what is clear, and print the difference")
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "with --fix: print the difference and change nothing")
	return cmd
}

// report is what validate --json prints.
type report struct {
	File     string              `json:"file"`
	Missing  bool                `json:"missing,omitempty"` // there is no such file yet, which means no toolboxes
	Valid    bool                `json:"valid"`
	Problems []config.Diagnostic `json:"problems"`
	Fixed    []config.Diagnostic `json:"fixed,omitempty"`
}

// failed says why there is nothing to report on, in the way that was asked for.
func (v *validation) failed(location config.Location, err error) error {
	if v.asJSON {
		return v.failAsJSON(location, err)
	}
	return v.failf("%v", err)
}

// failAsJSON reports a file that cannot be read or saved to programs.
func (s streams) failAsJSON(location config.Location, err error) error {
	problem := config.Diagnostic{Severity: config.SeverityError, Message: err.Error()}
	if err := s.encode(report{File: location.Path, Problems: []config.Diagnostic{problem}}); err != nil {
		return err
	}
	return exitStatus(exitFailed)
}

// encode prints JSON for programs that people can read too.
func (s streams) encode(value any) error {
	if r, ok := value.(report); ok && r.Problems == nil {
		r.Problems = []config.Diagnostic{} // a list in any case
		value = r
	}
	out := json.NewEncoder(s.out)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(value); err != nil {
		return s.failf("writing the result: %v", err)
	}
	return nil
}

// run checks the file that flag names, or that was given as it is.
func (v *validation) run(ctx context.Context, flag string, given bool) error {
	location, err := config.Locate(flag, os.Getenv)
	if err != nil {
		return v.failed(location, err)
	}
	if given {
		location.Source = "" // not by --config, and who has just typed the name needs not be told
	}
	var document *config.Document
	var fixed []config.Diagnostic
	if v.fix {
		document, fixed, err = v.correct(ctx, location)
	} else {
		document, err = config.Read(location)
	}
	if err != nil {
		return v.failed(location, err)
	}
	problems := append(document.Diagnostics, missingHere(ctx, document)...)
	config.SortDiagnostics(problems)
	switch {
	case v.asJSON:
		found := report{File: location.Path, Missing: document.Source == nil, Valid: document.Valid(), Problems: problems, Fixed: fixed}
		if err := v.encode(found); err != nil {
			return err
		}
	case document.Source == nil:
		fmt.Fprintf(v.out, "No toolboxes: %s\n", noFile(location.Path))
	default:
		name := location.Path
		if v.dryRun && len(fixed) > 0 {
			name = asItWouldBe
			fmt.Fprintln(v.out, "What would be left:")
		}
		for _, problem := range problems {
			fmt.Fprintln(v.out, problem.Format(name))
		}
		v.summary(location, document, len(problems), name == asItWouldBe)
		v.tellFixes(document)
	}
	if !document.Valid() {
		return exitStatus(exitFailed)
	}
	return nil
}

// correct fixes what can be fixed and prints the difference. It returns the document as it is then.
func (v *validation) correct(ctx context.Context, location config.Location) (*config.Document, []config.Diagnostic, error) {
	history, err := paths.Here(os.Getenv).History()
	if err != nil {
		fmt.Fprintf(v.err, "workbench-desktop: no history is kept: %v\n", err)
	}
	s, err := store.Open(store.Options{Location: location, HistoryDir: history, Plan: v.dryRun})
	if err != nil {
		return nil, nil, err
	}
	before := s.Current()
	fixed := config.FixAll(location.Path, before.Source)
	if len(fixed.Applied) == 0 {
		if before.Source != nil {
			fmt.Fprintf(v.err, "Nothing to fix in %s.\n", location.Path)
		}
		return before, nil, nil
	}
	after := config.Parse(location.Path, fixed.Source)
	number := plural(len(fixed.Applied), "problem", "problems")
	done := fmt.Sprintf("Fixed %s in %s.", number, location.Path)
	if v.dryRun {
		done = fmt.Sprintf("Not saved (--dry-run): fixes of %s in %s.", number, location.Path)
	} else {
		change, err := s.EditFrom(ctx, before, "fixed "+number, store.Text{From: before.Source, To: fixed.Source})
		if err != nil {
			return nil, nil, err
		}
		after = change.After
		if change.Unrecorded != nil {
			fmt.Fprintf(v.err, "workbench-desktop: %v\n", change.Unrecorded)
		}
	}
	if !v.asJSON {
		fmt.Fprint(v.out, udiff.Unified("before", "after", string(s.HideSecrets(before.Source)), string(s.HideSecrets(fixed.Source))))
	}
	fmt.Fprintln(v.err, done)
	return after, fixed.Applied, nil
}

// tellFixes says that there are fixes.
func (v *validation) tellFixes(document *config.Document) {
	fixable := 0
	for _, problem := range document.Diagnostics {
		if problem.Fix != nil {
			fixable++
		}
	}
	if fixable > 0 && !v.fix {
		fmt.Fprintf(v.out, "%s can be fixed: workbench-desktop validate --fix\n", plural(fixable, "problem", "problems"))
	}
}

func (v *validation) summary(location config.Location, document *config.Document, problems int, wouldBe bool) {
	errors := len(document.Errors())
	switch {
	case problems == 0 && wouldBe:
		fmt.Fprintln(v.out, "Nothing.")
	case problems == 0:
		servers := 0
		for _, toolbox := range document.Config.Toolboxes {
			servers += len(toolbox.Servers)
		}
		fmt.Fprintf(v.out, "%s is fine: %s in %s.\n", location.Path, count(servers, "server"),
			plural(len(document.Config.Toolboxes), "toolbox", "toolboxes"))
	default:
		fmt.Fprintf(v.out, "%s, %s.\n", count(errors, "error"), count(problems-errors, "warning"))
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
