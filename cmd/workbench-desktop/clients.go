package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// registration has what the commands about AI apps share.
type registration struct {
	*shared
	asJSON            bool // clients
	yes, dryRun, wait bool // connect, disconnect
	all, back         bool // disconnect

	// For tests, like --link of "stdio": processes on the machine must not affect them.
	processes, program string
}

// testFlags adds the flags that only tests use.
func (r *registration) testFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.processes, "processes", "", "take the lines of this `file` for what runs, for tests")
	cmd.Flags().StringVar(&r.program, "program", "", "enter the program at this `path`, for tests")
	hide(cmd.Flags(), "processes", "program")
}

func newClients(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := command("clients", exactly(0), func(cmd *cobra.Command, _ []string) error { return r.list(cmd.Context()) })
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "help.clients.flag_json")
	r.testFlags(cmd)
	return cmd
}

// open returns the Setup of this user.
func (r *registration) open(ctx context.Context) (*setup.Setup, error) {
	return r.setup(ctx, r.processes, r.program)
}

// setup returns the Setup of this user. processes and program are for tests.
func (c *shared) setup(ctx context.Context, processes, program string) (*setup.Setup, error) {
	location, err := c.locate()
	if err != nil {
		return nil, err
	}
	options := setup.Options{Getenv: os.Getenv, Location: location, Program: program,
		Environ: func(name string) []string { return environmentFor(ctx, name) }}
	if processes != "" {
		options.Processes = func() ([]clients.Process, error) { return listed(processes) }
	}
	s, err := setup.Open(options)
	if err != nil {
		return nil, c.fail(err)
	}
	return s, nil
}

// listed reads the processes for a test from a file.
func listed(name string) ([]clients.Process, error) {
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found []clients.Process
	for lines := bufio.NewScanner(file); lines.Scan(); {
		found = append(found, clients.Process{Pid: 1, Path: lines.Text()})
	}
	return found, nil
}

// clientJSON is a client as JSON for programs.
type clientJSON struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Found    bool           `json:"found"`
	State    clients.State  `json:"state"` // "set up" means connected but not proven
	Proof    *clients.Proof `json:"proof,omitempty"`
	LastSeen time.Time      `json:"lastSeen,omitzero"`
	// our entry has disappeared, and a person must decide whether it belongs there
	Asks         bool          `json:"asks,omitempty"`
	Files        []fileJSON    `json:"files"`
	Format       client.Format `json:"format"`
	TakesUp      client.Uptake `json:"takesUp"`
	ListChanged  client.Answer `json:"listChanged"`
	Instructions client.Answer `json:"instructions"`
	Notes        []string      `json:"notes"`
	ByHand       string        `json:"byHand,omitempty"`
	Policy       []string      `json:"policy,omitempty"` // rules of an organisation that may prevent it
	// the entry of an earlier version starts the window's program; "connect" changes it to the engine
	StartsWindow bool `json:"startsWindow,omitempty"`
}

type fileJSON struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

func (r *registration) list(ctx context.Context) error {
	opened, err := r.open(ctx)
	if err != nil {
		return err
	}
	launch, err := opened.Launch()
	if err != nil {
		return r.fail(err)
	}
	registrar := opened.Registrar
	all, err := registrar.Status(launch)
	if err != nil {
		return r.fail(err)
	}
	if _, err := registrar.Proofs(); err != nil {
		r.note(words.Of(err))
	}
	if r.asJSON {
		list := []clientJSON{}
		for _, status := range all {
			c := status.Client
			entry := clientJSON{
				ID: c.ID, Name: c.Name, Found: status.Installed, State: stateOf(status), Format: c.Format, TakesUp: c.Uptake,
				ListChanged: c.ListChanged(), Instructions: c.Instructions, Notes: []string{}, ByHand: c.Say(c.ByHand).String(),
				Files: []fileJSON{}, Policy: words.English().Texts(status.Policy),
			}
			for _, limit := range c.Limits {
				entry.Notes = append(entry.Notes, c.Say(limit).String())
			}
			entry.StartsWindow = status.StartsWindow
			entry.Proof, entry.LastSeen, entry.Asks = status.Proof, status.Seen, status.Loss != nil && status.Loss.Asks
			for _, file := range status.Files {
				entry.Files = append(entry.Files, fileJSON{file.Path, file.Exists})
			}
			list = append(list, entry)
		}
		return r.encode(list)
	}
	missing := []string{}
	for _, status := range all {
		if !status.Installed && status.State == clients.NotConnected {
			missing = append(missing, status.Client.ID)
			continue
		}
		r.describe(status)
	}
	if len(missing) > 0 {
		r.print(words.New("command.clients_not_found", "Clients", missing))
	}
	return nil
}

// stateText returns the state of a client for people.
func stateText(status clients.Status) words.Text {
	return map[clients.State]words.Code{
		setUp: "command.client_set_up", clients.Connected: "command.client_connected",
		clients.Outdated: "command.client_outdated",
		clients.Lost:     "command.client_lost_entry", clients.Broken: "command.client_broken",
		clients.NotConnected: "command.client_not_connected",
	}[stateOf(status)].Text()
}

// setUp is the state of a client that has our entry and has not been seen to start Workbench with it.
const setUp clients.State = "set up"

func stateOf(status clients.Status) clients.State {
	if status.State == clients.Connected && !status.Proven() {
		return setUp
	}
	return status.State
}

// detail prints a sentence about a client below its line.
func (r *registration) detail(text words.Text) { fmt.Fprintf(r.out, "    %s\n", r.words.Text(text)) }

// describe prints a client that is installed.
func (r *registration) describe(status clients.Status) {
	c := status.Client
	fmt.Fprintf(r.out, "%-16s %-14s %s\n", c.ID, r.words.Text(stateText(status)), c.Name)
	for _, file := range status.Files {
		path := words.Foreign(file.Path)
		if !file.Exists {
			path = words.New("command.client_file_missing", "Path", file.Path)
		}
		r.detail(path)
	}
	for _, sentence := range status.Policy {
		r.detail(sentence)
	}
	for _, record := range status.Records {
		if record.Project != "" {
			r.detail(words.New("command.entry_of_folder", "Name", record.Name, "Folder", record.Project))
		}
	}
	r.describeUse(status)
	switch {
	case c.ByHand != "" && status.State == clients.NotConnected:
		r.detail(words.New("command.client_by_hand", "How", c.Say(c.ByHand), "Client", c.ID))
	case status.StartsWindow:
		r.detail(words.New("command.starts_window", "Client", c.ID))
	case status.State == clients.Outdated:
		r.detail(words.New("command.entry_outdated", "Client", c.ID))
	case status.State == clients.Lost && status.Loss != nil && status.Loss.Asks:
		r.detail(words.New("command.entry_gone_asks", "Client", c.ID))
	case status.State == clients.Lost:
		r.detail(words.New("command.entry_gone", "Client", c.ID))
	case status.State == clients.Broken:
		r.detail(words.New("command.client_file_broken", "Client", c.ID))
	}
}

// describeUse prints when a client last started Workbench, and what is left to do if it has not.
func (r *registration) describeUse(status clients.Status) {
	const clock = "2006-01-02 15:04"
	switch state := stateOf(status); {
	case state == clients.Connected:
		r.detail(words.New("command.client_started", "Time", status.Proof.Time.Local().Format(clock),
			"As", strings.TrimSpace(status.Proof.Name+" "+status.Proof.Version)))
	case state == setUp && status.Seen.IsZero():
		r.detail(words.New("command.client_not_seen"))
	}
	if !status.Seen.IsZero() {
		r.detail(words.New("command.client_last_seen", "Time", status.Seen.Local().Format(clock)))
	}
	if stateOf(status) == setUp {
		for _, sentence := range status.Client.Next() {
			r.detail(sentence)
		}
	}
}
