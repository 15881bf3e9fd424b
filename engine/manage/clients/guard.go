package clients

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// GuardOptions say how a [Guard] works.
type GuardOptions struct {
	// Launch is how we are started now, for an entry whose program is not where it was.
	Launch func() (Launch, error)

	// Told is called with what there is to say, on the goroutine of [Guard.Run]; may be nil.
	Told func(GuardEvent)

	Logger *slog.Logger // nil: nothing is logged
}

// GuardKind is what an event of a [Guard] is about.
type GuardKind string

// The kinds.
const (
	GuardChanged GuardKind = "changed" // the state of a client; no more is to be said
	GuardWaits   GuardKind = "waits"   // an entry is gone, and the client runs: it is put back when that has been quit
	GuardMended  GuardKind = "mended"  // an entry was gone, was put back, and has stayed
	GuardAsks    GuardKind = "asks"    // an entry is gone, and a person has to say whether it belongs there
)

// GuardEvent is something that a [Guard] has to say.
type GuardEvent struct {
	Kind   GuardKind
	Client Client
	File   string
	Again  bool // it had been put back before
}

// The pace of the guard.
const (
	guardQuiet   = 300 * time.Millisecond // that nothing must happen to a file before it is looked at
	guardBusy    = 3 * time.Second        // after which a file that never rests is looked at all the same
	guardBelief  = time.Second            // that an entry must be gone: programs that write take it away for a moment, and "disconnect" writes first
	guardQuit    = 2 * time.Second        // between two looks whether a client has been quit
	guardSettled = 3 * time.Second        // that an entry must stay before it counts as put back
	guardPoll    = 30 * time.Second       // between two looks at files whose folders give no notice

	// guardPeace is how long after it was put back an entry may vanish once more without that being a fight, if the client
	// has started us meanwhile.
	guardPeace = 7 * 24 * time.Hour
)

// Guard watches over the entries that we made. One that its client drops is put back, once: what vanishes again somebody doesn't
// want, and then a person is asked. Only one process of a user may have a guard: the desktop app.
type Guard struct {
	registrar *Registrar
	options   GuardOptions
	log       *slog.Logger

	// These belong to the goroutine of Run.
	suspected map[string]time.Time // since when the entry of a file is gone
	waited    map[string]bool      // files whose client is waited for
	states    map[string]string    // of the files, as they were told last
	problem   string               // that was logged last
}

// NewGuard makes the guard of what a registrar has written.
func NewGuard(r *Registrar, options GuardOptions) *Guard {
	g := &Guard{
		registrar: r, options: options, log: options.Logger,
		suspected: map[string]time.Time{}, waited: map[string]bool{},
	}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	return g
}

// Run watches until the context ends, and returns its error.
func (g *Guard) Run(ctx context.Context) error {
	watch := filewatch.New(filewatch.Options{Above: true})
	defer watch.Close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	pace := filewatch.Pace{Quiet: guardQuiet, Most: guardBusy}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-watch.Touched:
			timer.Reset(pace.Wait(time.Now()))
			continue
		case <-timer.C:
		}
		pace.Rest()
		_, noticed := watch.Follow(g.files()...) // first, so that nothing happens unseen between the two
		again := g.look()
		if !noticed && (again == 0 || again > guardPoll) {
			again = guardPoll
		}
		timer.Stop()
		if again > 0 {
			timer.Reset(again)
		}
	}
}

// files are those that matter: the ledger, and what it speaks of.
func (g *Guard) files() []string {
	files := []string{g.registrar.ledger.entries().path}
	records, _ := g.registrar.ledger.records() // look says what is wrong with it
	for _, record := range records {
		files = append(files, record.File)
	}
	return files
}

// look looks at all files and does what is to be done. It returns when it wants to be called again although nothing happens; 0 for never.
func (g *Guard) look() (again time.Duration) {
	records, err := g.registrar.ledger.records()
	if err != nil {
		g.complain(err)
		return guardPoll
	}
	kept, _, err := g.registrar.ledger.losses().load()
	if err != nil {
		// A damaged list is begun anew. That of another version may not be touched, and without it nobody knows what has happened before.
		if err := g.registrar.ledger.losses().change(func(*lossFile) bool { return true }); err != nil {
			g.complain(err)
			return guardPoll
		}
	}
	soon := func(wait time.Duration) {
		if wait = max(wait, 10*time.Millisecond); again == 0 || wait < again {
			again = wait
		}
	}
	states := map[string]string{}
	for _, record := range records {
		c, known := ByID(record.Client)
		if !known {
			continue
		}
		loss := kept.find(record)
		if loss != nil && !loss.Made.Equal(record.Time) { // somebody has connected it since
			loss = nil
		}
		is := g.registrar.presence(c, record)
		key := record.Client + "\x00" + record.File
		switch is {
		case present:
			g.found(c, record, loss, soon)
		case unclear:
			delete(g.suspected, key)
		default:
			if loss == nil || !loss.Asks {
				loss = g.missing(c, record, loss, is, soon)
			}
		}
		if is == present {
			delete(g.suspected, key)
			delete(g.waited, key)
		}
		states[key] = fmt.Sprint(is, loss != nil && loss.Asks, record.Time)
	}
	maps.DeleteFunc(g.suspected, func(key string, _ time.Time) bool { return states[key] == "" })
	g.forget(kept, records)
	if g.states != nil && !maps.Equal(g.states, states) {
		g.tell(GuardEvent{Kind: GuardChanged})
	}
	g.states = states
	return again
}

// found deals with an entry that is there.
func (g *Guard) found(c Client, record Record, loss *Loss, soon func(time.Duration)) {
	if loss == nil || loss.Mended.IsZero() || loss.Told {
		return
	}
	if left := guardSettled - g.registrar.now().Sub(loss.Mended); left > 0 {
		soon(left)
		return
	}
	loss.Told = true
	if g.keep(*loss) {
		g.tell(GuardEvent{Kind: GuardMended, Client: c, File: record.File})
	}
}

// missing deals with an entry that is gone. It returns the loss as it is then.
func (g *Guard) missing(c Client, record Record, loss *Loss, is presence, soon func(time.Duration)) *Loss {
	now, key := g.registrar.now(), record.Client+"\x00"+record.File
	since, suspected := g.suspected[key]
	if !suspected {
		g.suspected[key], since = now, now
	}
	if left := guardBelief - now.Sub(since); left > 0 {
		soon(left)
		return loss
	}
	if !g.registrar.system.Locate(c).reads(record.File) {
		return loss // the client is gone, and its file with it
	}
	before := loss != nil && !loss.Mended.IsZero()
	if is == replaced || !c.mends() || before && !g.peaceful(*loss) {
		return g.ask(c, record, before, words.Text{})
	}
	switch running, err := g.registrar.system.Running(c); {
	case err != nil:
		g.complain(words.NewError("clients.running_unknown", "Client", c.Name, "Why", err))
		soon(guardPoll)
		return loss
	case len(running) > 0:
		if soon(guardQuit); !g.waited[key] {
			g.waited[key] = true
			g.tell(GuardEvent{Kind: GuardWaits, Client: c, File: record.File})
		}
		return loss
	}
	delete(g.suspected, key)
	mended, err := g.mend(c, record)
	if err != nil {
		g.log.Warn("An entry could not be put back", "client", c.ID, "error", err)
		if forNow(err) {
			soon(guardBelief)
			return loss
		}
		return g.ask(c, record, before, (&RefusedError{record.File, err}).Text())
	}
	soon(guardSettled)
	return &mended
}

// peaceful reports whether a loss before is long enough ago, and the client has started us since: then the next one is another matter.
func (g *Guard) peaceful(loss Loss) bool {
	proofs, _ := g.registrar.Proofs() // without them there is no peace
	return proofs[loss.Client].Time.After(loss.Mended) && g.registrar.now().Sub(loss.Mended) >= guardPeace
}

// ask leaves it to a person.
func (g *Guard) ask(c Client, record Record, again bool, why words.Text) *Loss {
	loss := Loss{Client: record.Client, File: record.File, Made: record.Time, Asks: true, Again: again, Why: why.String(), Reason: why}
	if g.keep(loss) {
		g.tell(GuardEvent{Kind: GuardAsks, Client: c, File: record.File, Again: again})
	}
	return &loss
}

// mend puts an entry back: that one alone, in that file alone, as it was. What is counted is counted before it is written: whatever happens
// in between, it is not done twice.
func (g *Guard) mend(c Client, record Record) (Loss, error) {
	launch, err := g.launch(c, record)
	if err != nil {
		return Loss{}, err
	}
	change, _, err := g.registrar.connectFile(c, launch, record, true)
	if err != nil {
		return Loss{}, err
	}
	loss := Loss{Client: record.Client, File: record.File, Made: change.record.Time, Mended: g.registrar.now().UTC()}
	if err := g.registrar.keepLoss(loss); err != nil {
		return Loss{}, err
	}
	if err := g.registrar.CheckRunning(c); err != nil {
		return Loss{}, err
	}
	g.log.Info("Putting back an entry that has vanished", "client", c.ID, "file", record.File)
	if err := g.registrar.write(change); !errors.Is(err, errNotKept) { // what came of it, the next look tells
		return loss, err
	}
	return loss, nil
}

// forNow reports whether what was refused may go well in a moment.
func forNow(err error) bool {
	var running *RunningError
	return errors.As(err, &running) || errors.Is(err, atomicfile.ErrChanged)
}

// launch is how the entry of a record starts us: as before, but by the engine when that is beside the program, unless the program is not
// there any more.
func (g *Guard) launch(c Client, record Record) (Launch, error) {
	l := Launch{Program: record.Program, Config: record.config()}
	if before := len(record.Args) - len(l.Args(c.ID)); before >= 0 {
		l.Before = slices.Clone(record.Args[:before])
	}
	if slices.Equal(l.Args(c.ID), record.Args) && g.registrar.system.exists(l) == nil {
		return g.registrar.system.preferEngine(l), nil
	}
	now, err := g.options.Launch()
	if err == nil && l.Config != "" {
		now.Config = l.Config
	}
	if err == nil {
		err = g.registrar.system.exists(now)
	}
	return now, err
}

// forget drops the losses of entries that are there again, that somebody has made anew, or that nobody wants any more.
func (g *Guard) forget(kept lossFile, records []Record) {
	over := func(loss Loss) bool {
		i := slices.IndexFunc(records, loss.of)
		if i < 0 || !loss.Made.Equal(records[i].Time) {
			return true
		}
		c, known := ByID(loss.Client)
		return known && loss.Asks && g.registrar.presence(c, records[i]) == present // people have put it back themselves
	}
	if !slices.ContainsFunc(kept.Losses, over) {
		return
	}
	g.complain(g.registrar.ledger.losses().change(func(file *lossFile) bool {
		return file.drop(func(loss Loss) bool { return slices.ContainsFunc(kept.Losses, loss.equal) && over(loss) })
	}))
}

func (g *Guard) keep(loss Loss) bool {
	err := g.registrar.keepLoss(loss)
	g.complain(err)
	return err == nil
}

func (g *Guard) tell(event GuardEvent) {
	if g.options.Told != nil {
		g.options.Told(event)
	}
}

// complain logs an error, once.
func (g *Guard) complain(err error) {
	if err != nil && err.Error() != g.problem {
		g.problem = err.Error()
		g.log.Error("Entries in the files of AI apps are not watched over", "error", err)
	}
}
