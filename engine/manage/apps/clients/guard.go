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

// GuardOptions are the options of a [Guard].
type GuardOptions struct {
	// Launch returns how clients start Workbench now. It is used for an entry whose program has moved.
	Launch func() (Launch, error)

	// Told is called for each event on the goroutine of [Guard.Run]; it may be nil.
	Told func(GuardEvent)

	Logger *slog.Logger // nil: nothing is logged
}

// GuardKind is the kind of an event of a [Guard].
type GuardKind string

// The kinds.
const (
	GuardChanged GuardKind = "changed" // the state of a client has changed
	// an entry is gone and the client is running; the entry is put back when the client has been quit
	GuardWaits  GuardKind = "waits"
	GuardMended GuardKind = "mended" // an entry was gone, was put back, and has stayed
	GuardAsks   GuardKind = "asks"   // an entry is gone, and a person must decide whether it belongs there
)

// GuardEvent is an event of a [Guard].
type GuardEvent struct {
	Kind   GuardKind
	Client Client
	Again  bool // it had been put back before
}

// Times of the guard.
const (
	guardQuiet = 300 * time.Millisecond // a file must be unchanged for this long before it is checked
	guardBusy  = 3 * time.Second        // after this long a file that keeps changing is checked anyway
	// an entry must be gone for this long: a program that writes a file removes it for a moment, and "disconnect" writes
	// the file before the ledger
	guardBelief  = time.Second
	guardQuit    = 2 * time.Second  // between two checks whether a client has been quit
	guardSettled = 3 * time.Second  // an entry must stay for this long to count as put back
	guardPoll    = 30 * time.Second // between two checks of files in folders that do not notify

	// guardPeace is the time after a repair from which another loss counts as the first one, if the client
	// has started Workbench since. Before that, somebody probably does not want the entry.
	guardPeace = 7 * 24 * time.Hour
)

// Guard watches the entries that we made. If a client drops its entry, the guard puts it back once. If the
// entry is lost again, somebody may not want it, and the guard asks a person. An entry whose program has moved is
// corrected. Only one process of a user may have a guard: the desktop app.
type Guard struct {
	registrar *Registrar
	options   GuardOptions
	log       *slog.Logger

	// Used only by the goroutine of Run.
	suspected map[string]time.Time // by file: since when its entry is gone
	waited    map[string]bool      // files whose client must be quit first
	states    map[string]string    // by file: the state that was last reported
	problem   string               // the error that was logged last
}

// NewGuard returns a guard for the entries that a registrar has written.
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

// Run watches until ctx ends, and returns the error of ctx.
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
		_, noticed := watch.Follow(g.files()...) // before the check, so that no change in between is missed
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

// files returns the files to watch: the ledger and the files that it names.
func (g *Guard) files() []string {
	files := []string{g.registrar.ledger.entries().path}
	records, _ := g.registrar.ledger.records() // look reports the error
	for _, record := range records {
		files = append(files, record.File)
	}
	return files
}

// look checks all files and acts. It returns after how long it must be called again even without a change; 0
// means never.
func (g *Guard) look() (again time.Duration) {
	records, err := g.registrar.ledger.records()
	if err != nil {
		g.complain(err)
		return guardPoll
	}
	kept, _, err := g.registrar.ledger.losses().load()
	if err != nil {
		// A damaged list of losses is started again. A list of another version must not be changed; without
		// it, earlier losses are unknown, so nothing is done.
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
		if loss != nil && !loss.Made.Equal(record.Time) { // somebody has connected the client since
			loss = nil
		}
		is := g.registrar.presence(c, record)
		key := record.Client + "\x00" + record.File
		switch is {
		case present:
			g.found(c, record, loss, soon)
			g.moved(c, record, soon)
		case unclear:
			delete(g.suspected, key)
		default:
			if loss == nil || !loss.Asks {
				loss = g.missing(c, record, loss, is, soon)
			}
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

// found handles an entry that is present.
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
		g.tell(GuardEvent{Kind: GuardMended, Client: c})
	}
}

// missing handles an entry that is gone. It returns the updated loss.
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
		return loss // the app was removed together with its file
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
			g.tell(GuardEvent{Kind: GuardWaits, Client: c})
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

// peaceful reports whether an earlier loss no longer counts: it is long ago, and the client has started
// Workbench since.
func (g *Guard) peaceful(loss Loss) bool {
	proofs, _ := g.registrar.Proofs() // without proofs an earlier loss counts
	return proofs[loss.Client].Time.After(loss.Mended) && g.registrar.now().Sub(loss.Mended) >= guardPeace
}

// ask records that a person must decide.
func (g *Guard) ask(c Client, record Record, again bool, why words.Text) *Loss {
	loss := Loss{Client: record.Client, File: record.File, Made: record.Time, Asks: true, Again: again, Why: why.String(),
		Reason: why}
	if g.keep(loss) {
		g.tell(GuardEvent{Kind: GuardAsks, Client: c, Again: again})
	}
	return &loss
}

// mend puts an entry back, in its file alone and as it was. The loss is recorded before the file is written,
// so that the entry is not put back twice whatever happens in between.
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
	if err := g.registrar.write(change); !errors.Is(err, errNotKept) { // if it was not kept, the next look notices
		return loss, err
	}
	return loss, nil
}

// forNow reports whether a refused change may succeed a little later.
func forNow(err error) bool {
	var running *RunningError
	return errors.As(err, &running) || errors.Is(err, atomicfile.ErrChanged)
}

// launch returns how the restored entry starts Workbench: as before, but with the engine if that is beside
// the program. If the program is gone, it is started as [GuardOptions] says.
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

// forget drops losses that are over: the entry is there again, has been made anew, or is not wanted any more.
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

// complain logs an error unless it was the last one logged.
func (g *Guard) complain(err error) {
	if err != nil && err.Error() != g.problem {
		g.problem = err.Error()
		g.log.Error("Entries in the files of AI apps are not watched over", "error", err)
	}
}
