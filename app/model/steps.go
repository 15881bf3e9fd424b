package model

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/review"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Step is one of the three first steps.
type Step int

// The steps, in their order.
const (
	StepBring Step = iota
	StepConnect
	StepDone
)

// Steps is the progress of the first steps: what the person has chosen, what was found, and the state of work under way. Choices that
// outlive the first steps are in Preferences.
type Steps struct {
	Step    Step
	Page    int // counts the pages: a new one is shown from its beginning
	Bring   Bringing
	Example Example
	Connect Connecting
	Keep    bool   // the apps keep their own entries of servers that came from them
	Copied  string // the text that was put on the clipboard last
}

// NewSteps returns the first steps at one of them, with nothing chosen.
func NewSteps(at Step) *Steps {
	return &Steps{Step: at, Bring: Bringing{Left: map[string]bool{}, Leave: map[string]bool{}, Keychain: true}, Connect: NewConnecting()}
}

// BringStage is how far bringing servers in is.
type BringStage int

// The stages of bringing servers in.
const (
	BringApps    BringStage = iota // which apps are to be looked into
	BringReading                   // that happens
	BringServers                   // which servers are to come
	BringWriting                   // that happens
	BringDone
)

// Bringing is how bringing in the servers of AI apps goes.
type Bringing struct {
	Stage      BringStage
	Left       map[string]bool // apps that are not to be looked into, by ID
	Plan       imports.Plan    // what the others have
	Leave      map[string]bool // servers that are not to come, by where they are from
	Keychain   bool            // secrets go there
	NoKeychain bool            // this computer has no keychain that answers
	Problem    string
	Brought    imports.Plan // what came
	Trials                  // of the servers that were brought in
}

// Chosen returns the plan without the servers that the person has left out.
func (b *Bringing) Chosen() imports.Plan { return b.Plan.Without(b.Leave) }

// Came returns the part of the apps' servers that is in the toolboxes now.
func (b *Bringing) Came() imports.Plan {
	if b.Stage == BringDone {
		return b.Brought
	}
	plan := b.Plan
	plan.Servers = nil // they were only looked at
	return plan
}

// Twice returns the names of the servers that were brought in and that an app still has itself, without those that need to be filled
// in here first.
func (b *Bringing) Twice(client string) []string {
	var names []string
	add := func(origins ...imports.Origin) {
		for _, o := range origins {
			if o.Client == client && o.Name != "" && !slices.Contains(names, o.Name) {
				names = append(names, o.Name)
			}
		}
	}
	came := b.Came()
	for i := range came.Servers {
		if server := &came.Servers[i]; len(server.ToFill) == 0 {
			add(server.Origin)
			add(server.Same...)
		}
	}
	for _, skipped := range came.Skipped {
		if skipped.Here {
			add(skipped.Origin)
		}
	}
	return names
}

// Example is a working toolbox for people who have no servers to bring in.
type Example struct {
	Known bool                     // Has is filled in
	Has   map[catalogue.Needs]bool // what is installed on this computer

	Writing bool
	Problem string
	Trials  // of the servers of its toolbox, which has no name before it is made
}

// Begun reports whether it was chosen.
func (e *Example) Begun() bool { return e.Writing || e.Toolbox != "" }

// Trials are the servers of one toolbox while they are tried.
type Trials struct {
	Toolbox string
	List    []*Trial
	Failed  []*Trial // those that have failed at least once, in that order, so that a repeated trial keeps its place
}

// Trial is how it goes with one server.
type Trial struct {
	Tried
	Runs   string   // the command or the address; "" when it may hold secrets
	ToFill []string // names of values that it needs first
	Now    status.Server
	Begun  bool
	Ended  bool
}

// Tried is a server to try.
type Tried struct {
	Name, Command string // the command is empty for an address
	Disabled      bool   // it is not tried, since it is switched off or not complete
	Keyed         bool   // it is given a key, which it uses only when it is asked for something
}

// ToTry returns what trying a server needs to know of it.
func ToTry(server *config.Server) Tried {
	return Tried{Name: server.Name, Command: server.Command, Disabled: server.Disabled, Keyed: review.Keyed(server)}
}

// TrialsOf returns the trials of servers that were brought in.
func TrialsOf(brought imports.Plan) Trials {
	t := Trials{Toolbox: brought.Toolbox}
	for i := range brought.Servers {
		found := &brought.Servers[i]
		tried := ToTry(&found.Entry)
		tried.Name, tried.Disabled = found.As, tried.Disabled || len(found.ToFill) > 0
		t.List = append(t.List, &Trial{Tried: tried, ToFill: found.ToFill, Begun: tried.Disabled, Ended: tried.Disabled})
		t.Note(t.List[i])
	}
	return t
}

// Works reports whether the server was tried and works.
func (t *Trial) Works() bool { return t.Ended && t.Now.State == status.Connected }

// Note takes up how a trial ended.
func (t *Trials) Note(trial *Trial) {
	if trial.Ended && !trial.Works() && !slices.Contains(t.Failed, trial) {
		t.Failed = append(t.Failed, trial)
	}
}

// Misses reports whether the server was tried and misses a program.
func (t *Trial) Misses(id string) bool {
	return t.Ended && !t.Disabled && t.Now.Problem != nil && t.Now.Problem.Kind == status.KindProgram && string(catalogue.NeedsOf(t.Command)) == id
}

// Count returns how many of the servers work, and how many have been tried to the end.
func (t *Trials) Count() (works, ended int) {
	for _, trial := range t.List {
		if trial.Ended {
			ended++
		}
		if trial.Works() {
			works++
		}
	}
	return works, ended
}

// Next returns the servers to try now, so that at most this many are tried at the same time.
func (t *Trials) Next(most int) []*Trial {
	var next []*Trial
	for _, trial := range t.List {
		if trial.Begun && !trial.Ended {
			most--
		}
	}
	for _, trial := range t.List {
		if !trial.Begun && len(next) < most {
			next = append(next, trial)
		}
	}
	return next
}
