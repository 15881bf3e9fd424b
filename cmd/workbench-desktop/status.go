package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func newStatus(c *shared) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show the configured toolboxes and servers",
		Long: `Shows the toolboxes of the configuration with their servers, how each is started, and what would
keep it from starting. Nothing is started; "tools" does that.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return c.status(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the status as JSON")
	return cmd
}

type toolboxStatus struct {
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Servers     []serverStatus `json:"servers"`
}

type serverStatus struct {
	Name     string   `json:"name"`
	Runs     string   `json:"runs"` // the command line or the address, not expanded: no secrets
	State    string   `json:"state"`
	Problems []string `json:"problems,omitempty"`
}

func (c *shared) status(ctx context.Context, asJSON bool) error {
	location, document, err := c.loadFor(asJSON)
	if err != nil {
		return err
	}
	stopping := missingHere(ctx, document)
	toolboxes := make([]toolboxStatus, 0, len(document.Config.Toolboxes))
	for _, toolbox := range document.Config.Toolboxes {
		t := toolboxStatus{toolbox.Name, toolbox.Description, make([]serverStatus, 0, len(toolbox.Servers))}
		for _, server := range toolbox.Servers {
			t.Servers = append(t.Servers, statusOf(toolbox.Name, server, document.Diagnostics, stopping))
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

// statusOf takes what is wrong in the file and what keeps a server from starting on this computer.
func statusOf(toolbox string, server *config.Server, written, stopping []config.Diagnostic) serverStatus {
	s := serverStatus{Name: server.Name, Runs: server.URL, State: "not started"}
	if server.URL == "" {
		s.Runs = strings.Join(append([]string{server.Command}, server.Args...), " ")
	}
	at := config.ServerPath(toolbox, server.Name)
	collect := func(problems []config.Diagnostic) (stops bool) {
		for _, problem := range problems {
			if rest, ok := strings.CutPrefix(problem.Path, at); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
				s.Problems = append(s.Problems, problem.Message)
				// A command that is a whole command line can be written, but hardly be started.
				stops = stops || rest == ".command"
			}
		}
		return stops
	}
	commandLine := collect(written)
	before := len(s.Problems)
	collect(stopping)
	switch {
	case server.Disabled:
		s.State = "disabled"
	case commandLine, len(s.Problems) > before:
		s.State = "can't start"
	}
	return s
}

// loadFor is load for a command that prints JSON, which programs want of an invalid file as well.
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
	fmt.Fprintf(c.out, "Configuration: %s\n", location.Path)
	if len(toolboxes) == 0 {
		if _, err := os.Stat(location.Path); err != nil {
			fmt.Fprintln(c.out, "There is no such file yet, so there are no toolboxes. Make it with: workbench-desktop config add-toolbox NAME")
			return
		}
		fmt.Fprintln(c.out, "No toolboxes are configured.")
	}
	for _, toolbox := range toolboxes {
		fmt.Fprintf(c.out, "\n%s (%s)\n", toolbox.Name, count(len(toolbox.Servers), "server"))
		if toolbox.Description != "" {
			fmt.Fprintf(c.out, "  %s\n", toolbox.Description)
		}
		for _, server := range toolbox.Servers {
			fmt.Fprintf(c.out, "  %-16s %-12s %s\n", server.Name, server.State, server.Runs)
			for _, problem := range server.Problems {
				fmt.Fprintf(c.out, "  %-16s %-12s %s\n", "", "", "! "+problem)
			}
		}
	}
}
