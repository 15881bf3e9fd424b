package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// examination carries out the command doctor with its flags.
type examination struct {
	*shared
	asJSON, forOthers bool
}

func newDoctor(c *shared) *cobra.Command {
	e := &examination{shared: c}
	cmd := command("doctor", exactly(0), func(cmd *cobra.Command, _ []string) error { return e.run(cmd.Context()) })
	cmd.Flags().BoolVar(&e.asJSON, "json", false, "help.doctor.flag_json")
	cmd.Flags().BoolVar(&e.forOthers, "report", false, "help.doctor.flag_report")
	oneOf(cmd, "json", "report")
	return cmd
}

func (e *examination) run(ctx context.Context) error {
	location, err := e.locate()
	if err != nil {
		return err
	}
	options := doctor.Options{Location: location}
	// Without a home folder these are unknown, which other checks report.
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
			Worst  doctor.State `json:"worst"`
			Checks []checkJSON  `json:"checks"`
		}{doctor.Worst(checks), forPrograms(checks)})
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

// checkJSON is a check as JSON for programs: its sentences as codes with arguments, and as English text.
type checkJSON struct {
	ID     string       `json:"id"`
	Group  doctor.Group `json:"group"`
	Title  string       `json:"title"`
	State  doctor.State `json:"state"`
	Detail string       `json:"detail,omitempty"`
	Advice string       `json:"advice,omitempty"`
	Says   []words.Text `json:"says,omitempty"` // detail and advice
	Fix    *fixJSON     `json:"fix,omitempty"`
}

type fixJSON struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
	Get   string `json:"runtime,omitempty"` // the argument of "runtimes get"
}

func forPrograms(checks []doctor.Check) []checkJSON {
	list := make([]checkJSON, len(checks))
	for i, c := range checks {
		list[i] = checkJSON{ID: c.ID, Group: c.Group, Title: c.Title.String(), State: c.State,
			Detail: c.Describe(words.English()), Advice: c.Advice.String(), Says: c.Detail}
		if !c.Advice.IsZero() {
			list[i].Says = append(list[i].Says, c.Advice)
		}
		if c.Fix != nil {
			list[i].Fix = &fixJSON{c.Fix.ID, c.Fix.Title.String(), c.Fix.URL, c.Fix.Runtime}
		}
	}
	return list
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
				e.print(doctor.Heading(group))
			}
			e.show(check)
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
	fmt.Fprintln(e.out)
	switch {
	case wrong > 0:
		e.print(words.New("command.doctor_problems", "Problems", words.New("command.problems", "Count", wrong), "Notes",
			words.New("command.notes", "Count", notices)))
	case notices > 0:
		e.print(words.New("command.doctor_notes", "Count", notices))
	default:
		e.print(words.New("command.doctor_ok"))
	}
	return checks
}

func (e *examination) show(check doctor.Check) {
	fmt.Fprintf(e.out, "  %-7s %s\n", e.words.Text(doctor.Word(check.State)), e.words.Text(check.Title))
	lines := []string{check.Describe(e.words), e.words.Text(check.Advice)}
	switch {
	case check.Fix != nil && check.Fix.Runtime != "" && len(runtimes.New(runtimes.Options{}).List()) > 0:
		lines = append(lines, e.words.Text(check.Fix.Title)+": workbench-desktop runtimes get "+check.Fix.Runtime)
	case check.Fix != nil && check.Fix.URL != "":
		lines = append(lines, e.words.Text(check.Fix.Title)+": "+check.Fix.URL)
	}
	for _, line := range lines {
		if line != "" {
			fmt.Fprintf(e.out, "          %s\n", strings.ReplaceAll(line, "\n", " "))
		}
	}
}
