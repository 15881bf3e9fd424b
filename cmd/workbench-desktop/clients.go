package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// registration is what the commands about AI apps share.
type registration struct {
	*shared
	asJSON            bool // clients
	yes, dryRun, wait bool // connect, disconnect
	all               bool // disconnect

	// For tests, as --link of "stdio": what runs on the machine may not take part.
	processes, program string
}

// testFlags adds the flags that only tests use.
func (r *registration) testFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.processes, "processes", "", "take the lines of this `file` for what runs, for tests")
	cmd.Flags().StringVar(&r.program, "program", "", "enter the program at this `path`, for tests")
	for _, name := range []string{"processes", "program"} {
		_ = cmd.Flags().MarkHidden(name) // fails for a flag that is not there
	}
}

func newClients(c *shared) *cobra.Command {
	r := &registration{shared: c}
	cmd := &cobra.Command{
		Use:   "clients",
		Short: "List the AI apps, which are found, and which are connected",
		Long: `Lists the AI apps that Workbench knows, whether each is found on this computer, and whether it is connected.
Apps are found by the names of files and folders; only files that "connect" has written are read, and that of an app which is connected with
a command.

"connected" is an app that has started Workbench by its entry. The desktop app notes that, as long as it runs; until then an app is
"set up".`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return r.list() },
	}
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print the list as JSON")
	r.testFlags(cmd)
	return cmd
}

// open returns the registrar of this user, and how clients start us.
func (r *registration) open() (*clients.Registrar, clients.System, clients.Launch, error) {
	fail := func(err error) (*clients.Registrar, clients.System, clients.Launch, error) {
		return nil, clients.System{}, clients.Launch{}, r.failf("%v", err)
	}
	system, err := clients.ThisSystem(os.Getenv)
	if err != nil {
		return fail(err)
	}
	if r.processes != "" {
		system.Processes = func() ([]clients.Process, error) { return listed(r.processes) }
	}
	folder, err := paths.Here(os.Getenv).Clients()
	if err != nil {
		return fail(err)
	}
	location, err := config.Locate(r.config, os.Getenv)
	if err != nil {
		return fail(err)
	}
	program := r.program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return fail(fmt.Errorf("finding the path of this program: %w", err))
		}
	}
	launch, err := system.Launch(program, location.Path)
	if err != nil {
		return fail(err)
	}
	return clients.New(system, folder), system, launch, nil
}

// listed reads made-up processes.
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

// clientJSON is a client in the list for programs.
type clientJSON struct {
	ID           string         `json:"id"`
	Name         string         `json:"name"`
	Found        bool           `json:"found"`
	State        clients.State  `json:"state"` // "set up" is what is not proven to be connected
	Proof        *clients.Proof `json:"proof,omitempty"`
	LastSeen     time.Time      `json:"lastSeen,omitzero"`
	Asks         bool           `json:"asks,omitempty"` // our entry has vanished, and somebody has to say whether it belongs there
	Files        []fileJSON     `json:"files"`
	Format       client.Format  `json:"format"`
	TakesUp      client.Uptake  `json:"takesUp"`
	ListChanged  client.Answer  `json:"listChanged"`
	Instructions client.Answer  `json:"instructions"`
	Notes        []string       `json:"notes"`
	ByHand       string         `json:"byHand,omitempty"`
	Policy       []string       `json:"policy,omitempty"`       // rules of an organisation that may be in the way
	StartsWindow bool           `json:"startsWindow,omitempty"` // by an entry of an earlier version, which "connect" moves to the engine
}

type fileJSON struct {
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
}

func (r *registration) list() error {
	registrar, _, launch, err := r.open()
	if err != nil {
		return err
	}
	all, err := registrar.Status(launch)
	if err != nil {
		return r.failf("%v", err)
	}
	if _, err := registrar.Proofs(); err != nil {
		fmt.Fprintln(r.err, err)
	}
	if r.asJSON {
		list := []clientJSON{}
		for _, status := range all {
			c := status.Client
			entry := clientJSON{
				ID: c.ID, Name: c.Name, Found: status.Installed, State: stateOf(status), Format: c.Format, TakesUp: c.Uptake,
				ListChanged: c.ListChanged(), Instructions: c.Instructions, Notes: append([]string{}, c.Limits...), ByHand: c.ByHand, Files: []fileJSON{}, Policy: status.Policy,
			}
			entry.StartsWindow = status.StartsWindow
			entry.Proof, entry.LastSeen, entry.Asks = status.Proof, status.Seen, status.Loss != nil && status.Loss.Asks
			for _, file := range status.Files {
				entry.Files = append(entry.Files, fileJSON{file.Path, file.Exists})
			}
			list = append(list, entry)
		}
		out := json.NewEncoder(r.out)
		out.SetEscapeHTML(false)
		out.SetIndent("", "  ")
		return out.Encode(list)
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
		fmt.Fprintf(r.out, "Not found here: %s\n", strings.Join(missing, ", "))
	}
	return nil
}

// setUp is the state of a client that has our entry and has not been seen to start us by it.
const setUp clients.State = "set up"

func stateOf(status clients.Status) clients.State {
	if status.State == clients.Connected && !status.Proven() {
		return setUp
	}
	return status.State
}

// describe prints a client that is here.
func (r *registration) describe(status clients.Status) {
	c := status.Client
	fmt.Fprintf(r.out, "%-16s %-14s %s\n", c.ID, stateOf(status), c.Name)
	for _, file := range status.Files {
		note := ""
		if !file.Exists {
			note = " (not there yet)"
		}
		fmt.Fprintf(r.out, "    %s%s\n", file.Path, note)
	}
	for _, sentence := range status.Policy {
		fmt.Fprintf(r.out, "    %s\n", sentence)
	}
	for _, record := range status.Records {
		if record.Project != "" {
			fmt.Fprintf(r.out, "    Its entry %q is for the folder %s.\n", record.Name, record.Project)
		}
	}
	r.describeUse(status)
	switch {
	case c.ByHand != "" && status.State == clients.NotConnected:
		fmt.Fprintf(r.out, "    %s See: workbench-desktop connect %s\n", c.ByHand, c.ID)
	case status.StartsWindow:
		fmt.Fprintf(r.out, "    It starts the program with the window, which takes more memory. To have it start the engine alone: workbench-desktop connect %s\n", c.ID)
	case status.State == clients.Outdated:
		fmt.Fprintf(r.out, "    Its entry starts another program or configuration, or stands where an earlier version put it. To correct it: workbench-desktop connect %s\n", c.ID)
	case status.State == clients.Lost && status.Loss != nil && status.Loss.Asks:
		fmt.Fprintf(r.out, "    Our entry is gone from its file, and is not put back without asking. To put it back: workbench-desktop connect %[1]s; to leave it out: workbench-desktop disconnect %[1]s\n", c.ID)
	case status.State == clients.Lost:
		fmt.Fprintf(r.out, "    Our entry is gone from its file. To put it back: workbench-desktop connect %s\n", c.ID)
	case status.State == clients.Broken:
		fmt.Fprintf(r.out, "    Its file cannot be read any more. To see why: workbench-desktop connect %s\n", c.ID)
	}
}

// describeUse prints when a client started us, and what is left to do until it does.
func (r *registration) describeUse(status clients.Status) {
	const clock = "2006-01-02 15:04"
	switch state := stateOf(status); {
	case state == clients.Connected:
		words := strings.TrimSpace(status.Proof.Name + " " + status.Proof.Version)
		if words != "" {
			words = fmt.Sprintf(", as %q", words)
		}
		fmt.Fprintf(r.out, "    Started Workbench: %s%s\n", status.Proof.Time.Local().Format(clock), words)
	case state == setUp && status.Seen.IsZero():
		fmt.Fprintln(r.out, "    Not seen yet. The desktop app notes when it starts Workbench.")
	}
	if !status.Seen.IsZero() {
		fmt.Fprintf(r.out, "    Last seen: %s\n", status.Seen.Local().Format(clock))
	}
	if stateOf(status) == setUp {
		for _, sentence := range status.Client.Next() {
			fmt.Fprintf(r.out, "    %s\n", sentence)
		}
	}
}
