package main

import (
	"encoding/json"
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
		RunE: func(*cobra.Command, []string) error { return c.status(asJSON) },
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

func (c *shared) status(asJSON bool) error {
	location, document, err := c.load()
	if err != nil {
		return err
	}
	problems := document.CheckEnvironment(config.SystemLookup())
	toolboxes := make([]toolboxStatus, 0, len(document.Config.Toolboxes))
	for _, toolbox := range document.Config.Toolboxes {
		t := toolboxStatus{toolbox.Name, toolbox.Description, make([]serverStatus, 0, len(toolbox.Servers))}
		for _, server := range toolbox.Servers {
			t.Servers = append(t.Servers, statusOf(toolbox.Name, server, problems))
		}
		toolboxes = append(toolboxes, t)
	}
	if asJSON {
		out := json.NewEncoder(c.out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(struct {
			File      string          `json:"file"`
			Toolboxes []toolboxStatus `json:"toolboxes"`
		}{location.Path, toolboxes})
	}
	c.printStatus(location, toolboxes)
	return nil
}

func statusOf(toolbox string, server *config.Server, problems []config.Diagnostic) serverStatus {
	s := serverStatus{Name: server.Name, Runs: server.URL, State: "not started"}
	if server.URL == "" {
		s.Runs = strings.Join(append([]string{server.Command}, server.Args...), " ")
	}
	at := config.ServerPath(toolbox, server.Name)
	for _, problem := range problems {
		if problem.Path == at || strings.HasPrefix(problem.Path, at+".") {
			s.Problems = append(s.Problems, problem.Message)
		}
	}
	switch {
	case server.Disabled:
		s.State = "disabled"
	case len(s.Problems) > 0:
		s.State = "can't start"
	}
	return s
}

func (c *shared) printStatus(location config.Location, toolboxes []toolboxStatus) {
	fmt.Fprintf(c.out, "Configuration: %s\n", location.Path)
	if len(toolboxes) == 0 {
		if _, err := os.Stat(location.Path); err != nil {
			fmt.Fprintln(c.out, "There is no such file yet, so there are no toolboxes.")
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
