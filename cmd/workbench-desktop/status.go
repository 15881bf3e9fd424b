package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/pool"
	"github.com/workbench-mcp/workbench-desktop/engine/toolbox"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

func newStatus(c *shared) *cobra.Command {
	var asJSON bool
	var host string
	cmd := command("status", exactly(0), func(cmd *cobra.Command, _ []string) error {
		return c.status(cmd.Context(), asJSON, host)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "help.status.flag_json")
	cmd.Flags().StringVar(&host, "host", "", "where the host of shared servers listens") // for tests
	hide(cmd.Flags(), "host")
	return cmd
}

type toolboxStatus struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Servers     []serverStatus `json:"servers"`
}

// state is the state of a server, for programs.
type state string

const (
	notStarted state = "not started"
	inUse      state = "running"
	disabled   state = "disabled"
	cantStart  state = "can't start"
	needsOK    state = "needs approval"
)

// text returns the state for people.
func (s state) text() words.Text {
	return map[state]words.Code{
		notStarted: "command.state_not_started", inUse: "command.state_running", disabled: "command.state_disabled", cantStart: "command.state_cannot_start",
		needsOK: "command.state_needs_approval",
	}[s].Text()
}

type serverStatus struct {
	Name     string   `json:"name"`
	Runs     string   `json:"runs"` // the command line or the address, not expanded, with secrets masked
	State    state    `json:"state"`
	Share    bool     `json:"share,omitempty"`    // one process for all apps
	UsedBy   []string `json:"usedBy,omitempty"`   // the names of the apps that use that process now
	Problems []string `json:"problems,omitempty"` // in English

	said []words.Text // the same, for people
}

func (c *shared) status(ctx context.Context, asJSON bool, host string) error {
	location, document, err := c.loadFor(asJSON)
	if err != nil {
		return err
	}
	used, err := pool.NewClient(pool.ClientOptions{Build: buildID(), Endpoint: host}).Used(ctx)
	if err != nil {
		c.note(words.New("command.status_not_known", "Why", err))
	}
	stopping := slices.DeleteFunc(missingHere(ctx, document), config.Diagnostic.IsNote)
	waits := c.waits(location.Path, document)
	pins := c.openPins(slog.New(slog.DiscardHandler))
	toolboxes := make([]toolboxStatus, 0, len(document.Config.Toolboxes))
	for _, box := range document.Config.Toolboxes {
		t := toolboxStatus{box.Name, box.Description, make([]serverStatus, 0, len(box.Servers))}
		for _, server := range box.Servers {
			one := statusOf(box.Name, server, document.Diagnostics, stopping)
			one.Share = toolbox.Shares(server, pins)
			one.use(used, location.Path, box.Name)
			if waits[server] && one.State == notStarted {
				one.State = needsOK
			}
			t.Servers = append(t.Servers, one)
		}
		toolboxes = append(toolboxes, t)
	}
	if asJSON {
		return c.encode(struct {
			File      string          `json:"file"`
			Toolboxes []toolboxStatus `json:"toolboxes"`
		}{location.Path, toolboxes})
	}
	c.printStatus(location, toolboxes)
	return nil
}

// use adds who uses the server, if apps share it.
func (s *serverStatus) use(used []pool.Use, file, toolbox string) {
	for _, u := range used {
		if u.Config != file || u.Toolbox != toolbox || u.Server != s.Name {
			continue
		}
		if s.Share = true; u.Pid != 0 && s.State == notStarted {
			s.State = inUse
		}
		if u.App != "" && !slices.Contains(s.UsedBy, u.App) {
			s.UsedBy = append(s.UsedBy, u.App)
		}
	}
}

// waits returns the servers that another program has added or changed and that nobody has approved.
func (c *shared) waits(file string, document *config.Document) map[*config.Server]bool {
	found := map[*config.Server]bool{}
	if approvals := c.openApprovals(); approvals != nil {
		if lost := approvals.State().Lost; lost != nil {
			c.note(words.New("command.approvals_lost", "Why", lost))
		}
		for _, w := range approvals.Waiting(file, document.Config) {
			found[w.Server] = true
		}
	}
	return found
}

// statusOf combines the problems in the file with those that keep a server from starting on this computer.
func statusOf(toolbox string, server *config.Server, written, stopping []config.Diagnostic) serverStatus {
	s := serverStatus{Name: server.Name, Runs: secret.Address(server.URL), State: notStarted}
	if server.URL == "" {
		s.Runs = secret.Command(server.Command, server.Args)
	}
	at := config.ServerPath(toolbox, server.Name)
	collect := func(problems []config.Diagnostic, stop func(place, code string) bool) (stops bool) {
		for _, problem := range problems {
			if rest, ok := strings.CutPrefix(problem.Path, at); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				s.Problems, s.said = append(s.Problems, problem.Message.String()), append(s.said, problem.Message)
				stops = stops || stop(rest, problem.Code)
			}
		}
		return stops
	}
	// A command that is a whole command line is valid in the file, but can hardly be started.
	stops := collect(written, func(place, _ string) bool { return place == ".command" })
	stops = collect(stopping, func(_, code string) bool { return code != config.VariableNotInherited }) || stops
	switch {
	case server.Disabled:
		s.State = disabled
	case stops:
		s.State = cantStart
	}
	return s
}

// loadFor is load for a command that prints JSON, which programs need for an invalid file too.
func (c *shared) loadFor(asJSON bool) (config.Location, *config.Document, error) {
	if !asJSON {
		return c.load()
	}
	location, err := config.Locate(c.config, os.Getenv)
	if err != nil {
		return location, nil, c.failAsJSON(location, err)
	}
	document, err := config.Read(location)
	switch {
	case err != nil:
		return location, nil, c.failAsJSON(location, err)
	case !document.Valid():
		if err := c.encode(report{File: location.Path, Problems: document.Diagnostics}); err != nil {
			return location, nil, err
		}
		return location, nil, exitStatus(exitFailed)
	}
	return location, document, nil
}

func (c *shared) printStatus(location config.Location, toolboxes []toolboxStatus) {
	c.print(words.New("command.configuration", "Path", location.Path))
	if len(toolboxes) == 0 {
		if _, err := os.Stat(location.Path); err != nil {
			c.print(words.New("command.status_no_file"))
			return
		}
		c.print(words.New("command.no_toolboxes"))
	}
	width := 12
	for _, state := range []state{notStarted, inUse, disabled, cantStart, needsOK} {
		width = max(width, utf8.RuneCountInString(c.words.Text(state.text())))
	}
	for _, toolbox := range toolboxes {
		fmt.Fprintf(c.out, "\n%s (%s)\n", visible.Line(toolbox.Name), c.words.Text(servers(len(toolbox.Servers))))
		if toolbox.Description != "" {
			fmt.Fprintf(c.out, "  %s\n", visible.Line(toolbox.Description))
		}
		for _, server := range toolbox.Servers {
			fmt.Fprintf(c.out, "  %-16s %-*s %s\n", visible.Line(server.Name), width, c.words.Text(server.State.text()),
				visible.Line(server.Runs))
			if server.Share {
				shared := words.New("command.status_shared")
				if len(server.UsedBy) > 0 {
					shared = words.New("command.status_shared_by", "Apps", words.And(server.UsedBy...))
				}
				fmt.Fprintf(c.out, "  %-16s %-*s %s\n", "", width, "", visible.Line(c.words.Text(shared)))
			}
			for _, problem := range server.said {
				fmt.Fprintf(c.out, "  %-16s %-*s %s\n", "", width, "", "! "+c.words.Text(problem))
			}
		}
	}
}
