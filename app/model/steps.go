package model

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
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

// Steps is the progress of the first steps: what the user has chosen, what was found, and the state of running work.
// Choices that outlive the first steps are in Preferences.
type Steps struct {
	Step    Step
	Page    int // changes with each new page; the screen then scrolls to the top
	Bring   Bringing
	Example Example
	Connect Connecting
	Keep    bool   // the apps keep their own entries of servers that were imported from them
	Copied  string // the text that was last put on the clipboard
}

// NewSteps returns the first steps at the given step, with nothing chosen.
func NewSteps(at Step) *Steps {
	return &Steps{Step: at, Bring: Bringing{Left: map[string]bool{}, Leave: map[string]bool{}, Keychain: true},
		Connect: NewConnecting()}
}

// BringStage is the progress of importing servers.
type BringStage int

// The stages of importing servers.
const (
	BringApps    BringStage = iota // the user chooses the apps to read
	BringReading                   // the apps' files are being read
	BringServers                   // the user chooses the servers to import
	BringWriting                   // the servers are being added
	BringDone
)

// Bringing is the state of importing the servers of AI apps.
type Bringing struct {
	Stage      BringStage
	Left       map[string]bool // the apps that the user does not want to read, by ID
	Plan       imports.Plan    // what was read from the files of the apps
	Leave      map[string]bool // the servers that the user does not want to import, by origin
	Commands   bool            // the commands are shown that start the servers
	Keychain   bool            // secrets are stored in the keychain
	NoKeychain bool            // this computer has no keychain that works
	Problem    string
	Brought    imports.Plan // what was imported
	Trials                  // the trials of the imported servers
}

// Chosen returns the plan without the servers that the user has left out.
func (b *Bringing) Chosen() imports.Plan { return b.Plan.Without(b.Leave) }

// Came returns the part of the apps' servers that is in the toolboxes now.
func (b *Bringing) Came() imports.Plan {
	if b.Stage == BringDone {
		return b.Outcome(b.Brought)
	}
	plan := b.Plan
	plan.Servers = nil // they were read, but not added
	return plan
}

// Twice returns the names of the servers that are in a toolbox and that an app also has itself, without imported
// servers that need values first or have turned out not to start: the app keeps those.
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
		server := &came.Servers[i]
		if trial := b.of(server.As); len(server.ToFill) == 0 &&
			(trial == nil || !trial.Ended || trial.Works() || trial.Disabled) {
			add(server.Origin)
			add(server.Same...)
		}
	}
	for i := range came.Skipped {
		if skipped := &came.Skipped[i]; skipped.Double() {
			add(skipped.Origin)
		}
	}
	return names
}

// Example is a working toolbox for people who have no servers to bring in.
type Example struct {
	Writing bool
	Problem string
	Trials  // the trials of the servers of the example; Toolbox is empty before the toolbox is created
}

// Begun reports whether the user has chosen the example.
func (e *Example) Begun() bool { return e.Writing || e.Toolbox != "" }

// Trials are the servers of one toolbox that are being tried.
type Trials struct {
	Toolbox string
	List    []*Trial
	// the trials that have failed at least once, in the order of their first failure, so that a repeated trial keeps its
	// place
	Failed []*Trial
}

// Trial is the trial of one server.
type Trial struct {
	Tried
	ToFill  []string // the names of values that the user must fill in first
	Now     status.Server
	Begun   bool
	Ended   bool
	Stopped bool          // ended by the user
	Tools   []status.Tool // what a server that works can do; nil until that is known
}

// Tried is a server to try.
type Tried struct {
	Name, Command string // the command is empty for an address
	Mark          string // the ID of the catalogue whose mark it has; may be empty
	Disabled      bool   // the server is not tried, because it is switched off or incomplete
	Keyed         bool   // the server gets a secret, which a trial does not check; see [review.Keyed]
}

// ToTry returns the description of a server for its trial.
func ToTry(server *config.Server) Tried {
	return Tried{Name: server.Name, Command: server.Command, Mark: catalogue.Known(server), Disabled: server.Disabled,
		Keyed: review.Keyed(server)}
}

// TrialsOfAll returns the trials of servers in a toolbox.
func TrialsOfAll(toolbox string, servers []Tried) *Trials {
	t := &Trials{Toolbox: toolbox}
	for _, server := range servers {
		t.List = append(t.List, &Trial{Tried: server, Begun: server.Disabled, Ended: server.Disabled})
	}
	return t
}

// TrialsOf returns the trials of imported servers.
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

// Outcome returns the plan of these trials with what came out: a server that was to be tried has failed, unless it
// works.
func (t *Trials) Outcome(brought imports.Plan) imports.Plan {
	keys := map[string]bool{}
	for i := range brought.Servers {
		trial := t.of(brought.Servers[i].As)
		keys[brought.Servers[i].Key()] = trial != nil && !trial.Disabled && !trial.Works()
	}
	return brought.Failed(keys)
}

// of returns the trial of a server, or nil.
func (t *Trials) of(server string) *Trial {
	if i := slices.IndexFunc(t.List, func(trial *Trial) bool { return trial.Name == server }); i >= 0 {
		return t.List[i]
	}
	return nil
}

// Has reports whether a server is one of those that are tried.
func (t *Trials) Has(at Choice) bool { return t.Toolbox == at.Toolbox && t.of(at.Server) != nil }

// Failed reports whether the trial has ended and the server does not work.
func (t *Trial) Failed() bool { return t.Ended && !t.Works() && !t.Stopped && !t.Disabled }

// Works reports whether the server was tried and works.
func (t *Trial) Works() bool { return t.Ended && t.Now.State == status.Connected }

// Note records a trial that has failed. It does nothing for other trials.
func (t *Trials) Note(trial *Trial) {
	if trial.Ended && !trial.Works() && !slices.Contains(t.Failed, trial) {
		t.Failed = append(t.Failed, trial)
	}
}

// Misses reports whether the server was tried and lacks the program with an ID.
func (t *Trial) Misses(id string) bool {
	return t.Ended && !t.Disabled && t.Now.Problem != nil && t.Now.Problem.Kind == status.KindProgram &&
		config.ProductOf(t.Command).ID == id
}

// Count returns the number of servers that work, and the number of trials that have ended.
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

// Trying reports whether some trials have not ended yet.
func (t *Trials) Trying() bool {
	return slices.ContainsFunc(t.List, func(trial *Trial) bool { return !trial.Ended && !trial.Disabled })
}

// Next returns the trials to begin now. most is how many servers may be tried at the same time.
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
