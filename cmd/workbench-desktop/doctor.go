package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// examination is what the command line of doctor says.
type examination struct {
	*shared
	asJSON, forOthers bool
}

func newDoctor(c *shared) *cobra.Command {
	e := &examination{shared: c}
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check whether this computer has what servers need",
		Long: `Looks for the programs that servers are started with (Node.js, uv, Docker, Python, Git), as AI apps and as a
terminal find them, at our files and who can read them, and at the keychain and the disk. Nothing is changed.

The exit status is 1 if something is wrong; things to know about alone leave it at 0.`,
		Example: `  workbench-desktop doctor
  workbench-desktop doctor --report          a text for others, without names and secrets`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&e.asJSON, "json", false, "print the result as JSON")
	cmd.Flags().BoolVar(&e.forOthers, "report", false, "print a text for others, without your name in paths")
	cmd.MarkFlagsMutuallyExclusive("json", "report")
	return cmd
}

func (e *examination) run(ctx context.Context) error {
	location, err := config.Locate(e.config, os.Getenv)
	if err != nil {
		return e.failf("%v", err)
	}
	options := doctor.Options{Location: location}
	// Without a home folder there are none of these, which the other checks tell of.
	options.History, _ = paths.Here(os.Getenv).History()
	options.Endpoint, _ = ipc.DefaultEndpoint()
	if system, err := clients.ThisSystem(os.Getenv); err == nil {
		options.Policies = system.Policies
	}
	d := doctor.New(options)
	defer d.Close()

	var checks []doctor.Check
	switch {
	case e.asJSON:
		checks = d.Run(ctx, nil)
		err = e.encode(struct {
			Worst  doctor.State   `json:"worst"`
			Checks []doctor.Check `json:"checks"`
		}{doctor.Worst(checks), checks})
	case e.forOthers:
		checks = d.Run(ctx, nil)
		_, err = fmt.Fprint(e.out, d.Report([]string{"Workbench Desktop " + version}, checks))
	default:
		checks = e.tell(ctx, d)
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil || doctor.Worst(checks) == doctor.Wrong {
		return exitStatus(exitFailed)
	}
	return nil
}

// tell prints the checks in their order, each as soon as it and those before it are done.
func (e *examination) tell(ctx context.Context, d *doctor.Doctor) []doctor.Check {
	order := d.Checks()
	done := map[string]doctor.Check{}
	next, group := 0, doctor.Group("")
	checks := d.Run(ctx, func(check doctor.Check) {
		done[check.ID] = check
		for ; next < len(order); next++ {
			check, ok := done[order[next].ID]
			if !ok {
				return
			}
			if check.Group != group {
				if group != "" {
					fmt.Fprintln(e.out)
				}
				group = check.Group
				fmt.Fprintln(e.out, doctor.Heading(group))
			}
			e.print(check)
		}
	})
	wrong, notices := 0, 0
	for _, check := range checks {
		switch check.State {
		case doctor.Wrong:
			wrong++
		case doctor.Notice:
			notices++
		}
	}
	switch {
	case wrong > 0:
		fmt.Fprintf(e.out, "\n%s, %s to know about.\n", problems(wrong), things(notices))
	case notices > 0:
		fmt.Fprintf(e.out, "\nNo problems, %s to know about.\n", things(notices))
	default:
		fmt.Fprintln(e.out, "\nNo problems.")
	}
	return checks
}

func problems(n int) string { return count(n, "problem") }

func things(n int) string { return count(n, "thing") }

func (e *examination) print(check doctor.Check) {
	fmt.Fprintf(e.out, "  %-7s %s\n", doctor.Word(check.State), check.Title)
	lines := []string{check.Detail, check.Advice}
	if check.Fix != nil && check.Fix.URL != "" {
		lines = append(lines, check.Fix.Title+": "+check.Fix.URL)
	}
	for _, line := range lines {
		if line != "" {
			fmt.Fprintf(e.out, "          %s\n", strings.ReplaceAll(line, "\n", " "))
		}
	}
}
