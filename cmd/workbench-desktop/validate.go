package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// validation are the flags of validate.
type validation struct {
	*shared
	asJSON, fix, dryRun bool
}

func newValidate(c *shared) *cobra.Command {
	v := &validation{shared: c}
	cmd := command("validate", between(0, 1), func(cmd *cobra.Command, args []string) error {
		flag := c.config
		if len(args) == 1 {
			flag = args[0]
		}
		if v.dryRun && !v.fix {
			return words.NewError("command.dry_run_needs_fix")
		}
		// Nothing has to be ended in order, and a large file takes its time.
		defer background.AfterEnd(cmd.Context(), func() { os.Exit(exitFailed) })()
		return v.run(cmd.Context(), flag, len(args) == 1)
	})
	cmd.Flags().BoolVar(&v.asJSON, "json", false, "help.validate.flag_json")
	cmd.Flags().BoolVar(&v.fix, "fix", false, "help.validate.flag_fix")
	cmd.Flags().BoolVar(&v.dryRun, "dry-run", false, "help.validate.flag_dry-run")
	return cmd
}

// report is the output of validate --json.
type report struct {
	File     string              `json:"file"`
	Missing  bool                `json:"missing,omitempty"` // the default file does not exist, which means no toolboxes
	Valid    bool                `json:"valid"`
	Problems []config.Diagnostic `json:"problems"` // not nil, so that JSON has a list
	Fixed    []config.Diagnostic `json:"fixed,omitempty"`
}

// failed reports why a file cannot be checked, in the requested form.
func (v *validation) failed(location config.Location, err error) error {
	if v.asJSON {
		return v.failAsJSON(location, err)
	}
	return v.fail(err)
}

// failAsJSON reports a file that cannot be read or saved, as JSON for programs.
func (s streams) failAsJSON(location config.Location, err error) error {
	problem := config.Diagnostic{Code: config.UnusableFile, Severity: config.SeverityError, Message: words.Of(err)}
	if err := s.encode(report{File: location.Path, Problems: []config.Diagnostic{problem}}); err != nil {
		return err
	}
	return exitStatus(exitFailed)
}

// run checks the file named by the flag or the argument.
func (v *validation) run(ctx context.Context, flag string, given bool) error {
	location, err := config.Locate(flag, os.Getenv)
	if err != nil {
		return v.failed(location, err)
	}
	if given {
		location.Source = "" // no flag named it, and the person who has just typed the name need not be told
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
	problems := append([]config.Diagnostic{}, document.Diagnostics...)
	problems = append(problems, missingHere(ctx, document)...)
	config.SortDiagnostics(problems)
	switch {
	case v.asJSON:
		found := report{File: location.Path, Missing: document.Source == nil, Valid: document.Valid(), Problems: problems,
			Fixed: fixed}
		if err := v.encode(found); err != nil {
			return err
		}
	case document.Source == nil:
		v.print(words.New("command.no_toolboxes_yet", "Why", noFile(location.Path)))
	default:
		name := location.Path
		if v.dryRun && len(fixed) > 0 {
			name = v.asItWouldBe()
			v.print(words.New("command.what_would_be_left"))
		}
		counted := 0
		for _, problem := range problems {
			v.problem(v.out, problem, name)
			if problem.Severity != config.SeverityInfo {
				counted++
			}
		}
		v.summary(location, document, counted, v.dryRun && len(fixed) > 0)
		v.tellFixes(document)
	}
	if !document.Valid() {
		return exitStatus(exitFailed)
	}
	return nil
}

// correct applies the fixes and prints the difference. It returns the resulting document.
func (v *validation) correct(ctx context.Context,
	location config.Location) (*config.Document, []config.Diagnostic, error) {
	s, err := v.openStore(location, v.dryRun)
	if err != nil {
		return nil, nil, err
	}
	before := s.Current()
	fixed := config.FixAll(location.Path, before.Source)
	fixed = v.correctHere(ctx, location.Path, fixed)
	if len(fixed.Applied) == 0 {
		if before.Source != nil {
			v.note(words.New("command.nothing_to_fix", "Path", location.Path))
		}
		v.tellStopped(fixed)
		return before, nil, nil
	}
	after := fixed.Document
	done := words.New("command.fixed", "Count", len(fixed.Applied), "Path", location.Path)
	if v.dryRun {
		done = words.New("command.fixes_not_saved", "Count", len(fixed.Applied), "Path", location.Path)
	} else {
		change, err := s.EditSaying(ctx, before, words.New("command.label_fixed", "Count", len(fixed.Applied)),
			store.Text{From: before.Source, To: fixed.Source, Read: fixed.Document})
		if err != nil {
			return nil, nil, err
		}
		after = change.After
		v.complainOf(change)
	}
	if !v.asJSON {
		fmt.Fprint(v.out, unified.Diff("before", "after", string(s.HideSecrets(before.Source)),
			string(s.HideSecrets(fixed.Source))))
	}
	v.note(done)
	v.tellStopped(fixed)
	return after, fixed.Applied, nil
}

// correctHere adds the fixes of what this computer tells, such as a command that begins with a program that is here.
func (v *validation) correctHere(ctx context.Context, name string, fixed config.Fixed) config.Fixed {
	if fixed.Stopped {
		return fixed // there is more to correct in the text itself, and the person is told to go on
	}
	found := slices.DeleteFunc(missingHere(ctx, fixed.Document), func(d config.Diagnostic) bool {
		return d.Fix == nil || d.Fix.Alone
	})
	source := config.FixHere(fixed.Document, found)
	if len(found) == 0 || bytes.Equal(source, fixed.Source) {
		return fixed
	}
	more := config.FixAll(name, source)
	more.Applied = slices.Concat(fixed.Applied, found, more.Applied)
	more.Stopped = more.Stopped || fixed.Stopped
	return more
}

// tellStopped prints that there may be more to fix.
func (v *validation) tellStopped(fixed config.Fixed) {
	if fixed.Stopped {
		v.note(words.New("command.not_all_fixed"))
	}
}

// tellFixes prints that there are fixes.
func (v *validation) tellFixes(document *config.Document) {
	fixable := 0
	for _, problem := range document.Diagnostics {
		if problem.Fix != nil {
			fixable++
		}
	}
	if fixable > 0 && !v.fix {
		v.print(words.New("command.fixable", "Count", fixable))
	}
}

func (v *validation) summary(location config.Location, document *config.Document, problems int, wouldBe bool) {
	errors := len(document.Errors())
	switch {
	case problems == 0 && wouldBe:
		v.print(words.New("command.nothing_left"))
	case problems == 0:
		all := 0
		for _, toolbox := range document.Config.Toolboxes {
			all += len(toolbox.Servers)
		}
		v.print(words.New("command.file_is_fine", "Path", location.Path, "Servers", servers(all),
			"Toolboxes", toolboxes(len(document.Config.Toolboxes))))
	default:
		v.print(words.New("command.errors_and_warnings", "Errors", words.New("command.errors", "Count", errors),
			"Warnings", words.New("command.warnings", "Count", problems-errors)))
	}
}
