package clients

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Registrar puts us into the files of clients and takes us out again.
type Registrar struct {
	system System
	ledger ledger
	now    func() time.Time
}

// New returns one that keeps its backups and its ledger in a folder of the user's, which it makes when it needs it.
func New(system System, folder string) *Registrar {
	return &Registrar{system: system, ledger: ledger{folder}, now: time.Now}
}

// Folder is where backups and ledger are.
func (r *Registrar) Folder() string { return r.ledger.folder }

// State is how a client stands to us, as far as files tell. Whether it really starts us, its [Proof] tells.
type State string

// The states.
const (
	NotConnected State = "not connected" // by us, or with the command of the client; nothing is known of what people have written there by hand
	Connected    State = "connected"
	Outdated     State = "outdated" // the entry is there, but starts another program or with another configuration, or is where an earlier version put it
	Lost         State = "lost"     // we had put an entry there, and it is gone
	Broken       State = "broken"   // we had put an entry there, and the file cannot be read any more
)

// Status is a client with its state.
type Status struct {
	Found
	State   State
	Records []Record     // of its entries; those that people have made with a command have no time
	Policy  []words.Text // see [System.Policy]

	// StartsWindow is set when a connected client starts the program with the window although the engine is beside it, as entries of earlier
	// versions do. Connecting again moves it to the engine.
	StartsWindow bool

	// Proof is when it started us last; nil when it has not been seen to, or when that cannot be read, see [Registrar.Proofs].
	Proof *Proof

	// Seen is when it was here last, whoever has set it up; zero when that is not known.
	Seen time.Time

	// Loss is what is known of an entry that has vanished; nil when none has, or when somebody has connected anew since.
	Loss *Loss
}

// Status tells about all clients, in the order of the table. It reads those files alone that we have written before, and those of clients
// that people connect with a command. launch is how we should be started.
func (r *Registrar) Status(launch Launch) ([]Status, error) {
	records, err := r.ledger.records()
	if err != nil {
		return nil, err
	}
	// Files can be put right without these.
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
				state = NotConnected // the app is gone, and its file with it
			}
			if worse(state, status.State) {
				status.State = state
			}
		}
		if found.Client.ByHand != "" {
			status.Records, _ = r.byHand(found.Client) // nothing is known of a file that cannot be read
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

// state is how a client stands to us by one of its files. startsWindow is as in [Status].
func (r *Registrar) state(c Client, record Record, launch Launch) (state State, startsWindow bool) {
	source, err := readFile(record.File)
	if err != nil {
		return Broken, false
	}
	if source == nil {
		return Lost, false
	}
	form, former := c.form(record.File)
	d, err := form.read(source)
	if err != nil {
		return Broken, false
	}
	name, ours := d.choose(record) // people may have given it another name
	value := d.entries()[name]
	switch {
	case !ours:
		return Lost, false
	case former:
		return Outdated, false
	case form.is(value, launch):
		return Connected, false
	case form.is(value, launch.withWindow()):
		return Connected, true
	}
	return Outdated, false
}

// ours reports whether an entry is one of ours: it starts us, or what the ledger says.
func (c Client) ours(value any, record Record) bool {
	command, args, ok := c.command(value)
	return ok && (IsOurs(command, args) || command == record.Program && slices.Equal(args, record.Args))
}

// RunningError is the reason when a client runs that would undo the change.
type RunningError struct{ Client Client }

// Error returns the English sentence.
func (e *RunningError) Error() string { return e.Text().String() }

// Text says what to do.
func (e *RunningError) Text() words.Text { return e.Client.Say("clients.running") }

// CheckRunning returns a [RunningError] when a client runs whose file must not be written meanwhile.
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

// waitPause is how often is looked whether a client has ended.
const waitPause = 500 * time.Millisecond

// WaitUntilQuit returns when a client does not run any more.
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
