package clients

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Registrar adds our entry to the files of clients and removes it.
type Registrar struct {
	system System
	ledger ledger
	now    func() time.Time
}

// New returns a registrar that keeps its backups and its ledger in a folder, which it makes when needed.
func New(system System, folder string) *Registrar {
	return &Registrar{system: system, ledger: ledger{folder}, now: time.Now}
}

// Folder returns the folder of the backups and the ledger.
func (r *Registrar) Folder() string { return r.ledger.folder }

// State is the state of a client according to the files. Only a [Proof] shows whether the client really
// starts Workbench.
type State string

// The states.
const (
	// not by us and not by the client's command; entries that people wrote by hand are not known
	NotConnected State = "not connected"
	Connected    State = "connected"
	// the entry starts another program, has another configuration, or is where an earlier version put it
	Outdated State = "outdated"
	Lost     State = "lost"   // we had added an entry, and it is gone
	Broken   State = "broken" // we had added an entry, and the file cannot be read any more
)

// Status is a client with its state.
type Status struct {
	Found
	State   State
	Records []Record     // of its entries; those that people have made with a command have no time
	Policy  []words.Text // see [System.Policy]

	// StartsWindow is set if a connected client starts the program with the window although the engine is
	// beside it, as entries of earlier versions do. Connecting again changes the entry to the engine.
	StartsWindow bool

	// Proof shows when the client last started Workbench; nil if it has not been observed or cannot be read,
	// see [Registrar.Proofs].
	Proof *Proof

	// Seen is when the client was last connected to an engine, whoever has set it up; zero if not known.
	Seen time.Time

	// Loss describes an entry that has disappeared; nil if none has, or if somebody has connected the client
	// since.
	Loss *Loss
}

// Status returns the status of all clients in the order of the table. It reads only the files that we have
// written before, and those of clients that people connect with a command. launch says how Workbench should
// be started.
func (r *Registrar) Status(launch Launch) ([]Status, error) {
	records, err := r.ledger.records()
	if err != nil {
		return nil, err
	}
	// These are not needed to repair files, so their errors are ignored.
	known, _, _ := r.ledger.proofs().load()
	losses, _, _ := r.ledger.losses().load()
	var all []Status
	for _, found := range r.system.Detect() {
		status := Status{Found: found, State: NotConnected, Policy: r.system.Policy(found.Client)}
		status.Seen = known.Seen[found.Client.ID]
		if proof, there := known.Proofs[found.Client.ID]; there {
			status.Proof = &proof
		}
		for _, record := range records {
			if record.Client != found.Client.ID {
				continue
			}
			status.Records = append(status.Records, record)
			if loss := losses.find(record); loss != nil && loss.Made.Equal(record.Time) && (status.Loss == nil || loss.Asks) {
				status.Loss = loss
			}
			state, startsWindow := r.state(found.Client, record, launch)
			status.StartsWindow = status.StartsWindow || startsWindow
			if state == Lost && !found.reads(record.File) {
				state = NotConnected // the app was removed together with its file
			}
			if worse(state, status.State) {
				status.State = state
			}
		}
		if found.Client.ByHand != "" {
			status.Records, _ = r.byHand(found.Client) // a file that cannot be read has no records
			status.State, status.StartsWindow = stateByHand(status.Records, launch)
		}
		status.StartsWindow = status.StartsWindow && status.State == Connected
		all = append(all, status)
	}
	return all, nil
}

func worse(a, b State) bool {
	order := []State{NotConnected, Connected, Outdated, Lost, Broken}
	return slices.Index(order, a) > slices.Index(order, b)
}

// state returns the state of one file of a client. startsWindow is as in [Status].
func (r *Registrar) state(c Client, record Record, launch Launch) (state State, startsWindow bool) {
	form, former := c.form(record.File)
	source, err := form.Content(record.File)
	if err != nil {
		return Broken, false
	}
	if source == nil {
		return Lost, false
	}
	d, err := form.read(source.Text)
	if err != nil {
		return Broken, false
	}
	name, ours := d.choose(record) // people may have renamed it
	value := d.entries()[name]
	switch {
	case !ours:
		return Lost, false
	case former:
		return Outdated, false
	case form.is(value, launch.in(c, record.File)):
		return Connected, false
	case form.is(value, launch.withWindow().in(c, record.File)):
		return Connected, true
	}
	return Outdated, false
}

// ours reports whether an entry is ours: it starts Workbench, or what the ledger says.
func (c Client) ours(value any, record Record) bool {
	command, args, ok := c.command(value)
	return ok && (IsOurs(command, args) || command == record.Program && slices.Equal(args, record.Args))
}

// RunningError means that a client must be quit first, since it would undo the change.
type RunningError struct{ Client Client }

// Error returns the sentence in English.
func (e *RunningError) Error() string { return e.Text().String() }

// Text returns what to do.
func (e *RunningError) Text() words.Text { return e.Client.Say("clients.running") }

// CheckRunning returns a [RunningError] if a client is running whose file must not be written meanwhile.
func (r *Registrar) CheckRunning(c Client) error {
	running, err := r.system.Running(c)
	if err != nil {
		return words.NewError("clients.running_unknown", "Client", c.Name, "Why", err)
	}
	if len(running) > 0 {
		return &RunningError{c}
	}
	return nil
}

// waitPause is the time between two checks whether a client has ended.
const waitPause = 500 * time.Millisecond

// WaitUntilQuit returns when a client is no longer running.
func (r *Registrar) WaitUntilQuit(ctx context.Context, c Client) error {
	tick := time.NewTicker(waitPause)
	defer tick.Stop()
	for {
		running, err := r.system.Running(c)
		if err != nil {
			return words.NewError("clients.running_unknown", "Client", c.Name, "Why", err)
		}
		if len(running) == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
