package welcome

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Program is what the steps need of the app. Its methods are called on the goroutine of the window and must not block.
// They must call done on that goroutine, too.
type Program interface {
	Facts() Facts // returns what is known now
	Changed()     // called after a change of the steps

	// Look looks for apps again, by the names of files only. If again is set, the earlier results are forgotten first.
	Look(again bool)

	// Read reads the files of apps and returns the servers in them. Bring adds the servers of a plan, which is a part of
	// the offer's, to the configuration.
	Read(apps []string, done func(clients.Offer, error))
	Bring(offer clients.Offer, plan imports.Plan, keychain bool, done func(error))

	// Example makes a toolbox with these servers, as a single edit. done gets the name of the toolbox.
	Example(servers []ExampleServer, done func(toolbox string, err error))

	// Try starts a server and calls report while it starts, and done at the end.
	Try(ctx context.Context, toolbox, server string, report, done func(status.Server))

	// RepairTitle returns the title of a change of the file that fixes a server that cannot start, or "" if no such
	// change is known. Repair makes it.
	RepairTitle(toolbox, server string) string
	Repair(toolbox, server string, done func(error))

	// Help shows the place where the user can fix a server: its sign-in, a field of its setup or its log.
	Help(toolbox, server string)

	// TryTool shows the page that tries a tool of a server that runs or can probably be started.
	TryTool()

	// Later calls f on the goroutine of the window after a time.
	Later(wait time.Duration, f func())

	// Plan and Carry are those of [clients.Actions].
	Plan(id string, connect bool, done func(clients.Proposal, error))
	Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error))

	// TakeOver carries out a plan for an app whose servers were brought in, and removes those servers from the app's
	// file. Preview finds out what it would do.
	TakeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool, done func(setup.Moved, error))
	Preview(plan engine.Plan, brought imports.Plan, done func(setup.Preview))

	// Getting returns the label of the button that installs a product, by its ID in engine/manage/computer/runtimes, and
	// the progress of the installation. Get installs it and calls there once it is installed, or cancels the
	// installation. If Workbench cannot install it, Getting returns two empty texts and Get returns false.
	Getting(id string) (label, doing string)
	Get(id string, there func()) bool

	Copy(text string)
	OpenURL(address string)
	// AllowUpdates changes whether newer versions are looked for. The facts say afterwards whether they are. CanUpdate
	// reports whether that is possible here.
	CanUpdate() bool
	AllowUpdates(on bool)

	Reached(step model.Step) // stores the step with which the next start begins
	Finish()                 // the user has finished or skipped the steps
}

// Service carries out what the user chooses in the first steps, and keeps the state of the steps in the model. Call
// its methods only on the goroutine of the window.
type Service struct {
	steps      *model.Steps
	program    Program
	connecting clients.Runner

	offer clients.Offer // the servers that were read
	// the number of the last read; results of earlier reads are ignored
	reading int
	trying  context.Context    // ends with the steps
	end     context.CancelFunc // cancels trying
	untried []func()           // what waits for the end of all trials
	runners [2]*trying.Runner  // of the servers that were brought in, and of the example; nil before
}

// NewService returns a Service for the steps in the model.
func NewService(steps *model.Steps, program Program) *Service {
	s := &Service{steps: steps, program: program}
	s.trying, s.end = context.WithCancel(context.Background())
	s.connecting = clients.Runner{State: &steps.Connect, Job: job{s}}
	s.keepLooking()
	return s
}

// lookPause is the time between two looks for apps.
const lookPause = 5 * time.Second

// keepLooking looks for apps now and then while the last page is shown, or that there is none: the user may install
// one meanwhile.
func (s *Service) keepLooking() {
	s.program.Later(lookPause, func() {
		if s.trying.Err() != nil {
			return
		}
		if s.steps.Step == model.StepDone || s.steps.Step == model.StepConnect && len(s.program.Facts().Apps) == 0 {
			s.program.Look(false)
		}
		s.keepLooking()
	})
}

func (s *Service) page() *page { return &page{s.steps, s.program.Facts(), s.program} }

// View returns what the screen shows.
func (s *Service) View() View { return s.page().view() }

// Close cancels what is in progress.
func (s *Service) Close() {
	s.reading++
	s.connecting.GiveUp()
	s.end()
}

// do carries out the action of a button.
func (s *Service) do(button Button) {
	m := s.steps
	switch button.Action {
	case ActionLook:
		s.program.Look(true)
	case ActionRead:
		s.read()
	case ActionChoose:
		m.Bring.Stage, m.Bring.Problem = model.BringApps, ""
		m.Example.Trials, m.Example.Problem = model.Trials{}, ""
		s.showPage()
		s.program.Look(false)
	case ActionBring:
		s.bringIn()
	case ActionCommands:
		m.Bring.Commands = true
	case ActionPassOn:
		m.Bring.Plan = m.Bring.Plan.PassOn(button.With)
	case ActionExample:
		s.addExample()
	case ActionTry:
		s.tryAgain(func(t *model.Trial) bool { return t.Name == button.With }) // on the same page, so that nothing moves
	case ActionStop:
		s.stop()
	case ActionNext:
		s.goTo(m.Step + 1)
	case ActionBack:
		s.goTo(m.Step - 1)
	case ActionConnect:
		var ids []string
		for _, app := range s.page().chosen() {
			ids = append(ids, app.ID)
		}
		s.connecting.Start(s.trying, ids)
	case ActionShow:
		s.connecting.Show(button.With)
	case ActionCopy:
		s.program.Copy(button.With)
		m.Copied = button.With
	case ActionGet:
		s.get(button.With)
	case ActionFinish:
		s.Close()
		s.program.Finish()
		return
	case ActionRepair:
		s.program.Repair(m.Bring.Toolbox, button.With, func(err error) {
			if err == nil {
				s.tryAgain(func(t *model.Trial) bool { return t.Name == button.With })
				s.program.Changed()
			}
		})
	case ActionTryTool:
		s.Close()
		s.program.Finish()
		s.program.TryTool()
		return
	case ActionHelp:
		s.Close()
		s.program.Finish()
		s.program.Help(m.Bring.Toolbox, button.With)
		return
	}
	s.program.Changed()
}

// flip is called when the box that is about none of the rows changes.
func (s *Service) flip(on bool) {
	switch s.steps.Step {
	case model.StepConnect:
		s.steps.Keep = !on
	case model.StepDone:
		s.program.AllowUpdates(on)
	default:
		s.steps.Bring.Keychain = on
	}
	s.program.Changed()
}

// tick is called when the box of a row changes.
func (s *Service) tick(key string, on bool) {
	m, app := s.steps, strings.TrimPrefix(key, appKey(""))
	switch {
	case m.Step == model.StepConnect:
		m.Connect.Ticked[app] = on
	case m.Bring.Stage == model.BringApps:
		m.Bring.Left[app] = !on
	default:
		m.Bring.Leave[key] = !on
	}
	s.program.Changed()
}

// goTo shows a step.
func (s *Service) goTo(step model.Step) {
	if step < model.StepBring || step > model.StepDone {
		return
	}
	s.stop()
	s.steps.Step, s.steps.Copied = step, ""
	s.showPage()
	s.program.Reached(step)
}

// showPage shows the page from its top.
func (s *Service) showPage() {
	s.steps.Page++
	s.program.Changed()
}

// stop cancels what is in progress.
func (s *Service) stop() {
	s.reading++
	if s.steps.Bring.Stage == model.BringReading {
		s.steps.Bring.Stage = model.BringApps
	}
	s.connecting.GiveUp()
	s.showPage()
}

// read reads the servers of the ticked apps.
func (s *Service) read() {
	b := &s.steps.Bring
	ids := slices.DeleteFunc(slices.Clone(s.program.Facts().Sources), func(id string) bool { return b.Left[id] })
	b.Stage, b.Problem = model.BringReading, ""
	s.reading++
	attempt := s.reading
	s.showPage()
	s.program.Read(ids, func(offer clients.Offer, err error) {
		if attempt != s.reading {
			return
		}
		b.Stage, b.Plan, b.Leave, s.offer = model.BringServers, offer.Plan, map[string]bool{}, offer
		b.NoKeychain, b.Keychain = offer.NoKeychain, !offer.NoKeychain
		if err != nil {
			b.Stage, b.Problem = model.BringApps, kit.ErrorSentence(err)
		}
		s.showPage()
	})
}

// bringIn brings in the ticked servers and goes on to the next step.
func (s *Service) bringIn() {
	b := &s.steps.Bring
	plan := b.Chosen()
	b.Stage, b.Problem = model.BringWriting, ""
	s.program.Changed()
	s.program.Bring(s.offer, plan, b.Keychain, func(err error) {
		if err != nil {
			b.Stage, b.Problem = model.BringServers, kit.ErrorSentence(err)
			if words.Is(err, "imports.not_kept") { // without the keychain, it can succeed
				b.Keychain = false
				b.Problem = kit.Together(b.Problem, clients.NoKeychain())
			}
			s.showPage()
			return
		}
		b.Stage, b.Brought = model.BringDone, plan
		b.Trials = model.TrialsOf(plan)
		s.runners[0] = s.try(&b.Trials)
		if s.steps.Step == model.StepBring {
			s.goTo(model.StepConnect)
		}
	})
}

// addExample makes the example toolbox and tries its servers.
func (s *Service) addExample() {
	e := &s.steps.Example
	servers := exampleServers()
	e.Writing, e.Problem = true, ""
	s.showPage()
	s.program.Example(servers, func(toolbox string, err error) {
		e.Writing = false
		if err != nil {
			e.Problem = kit.ErrorSentence(err)
			s.showPage()
			return
		}
		e.Trials = model.Trials{Toolbox: toolbox}
		for _, server := range servers {
			e.List = append(e.List, &model.Trial{Tried: model.Tried{Name: server.Name, Mark: server.Name, Command: server.Command}})
		}
		s.runners[1] = s.try(&e.Trials)
		s.program.Reached(model.StepConnect)
		s.showPage()
	})
}

// whenTried calls do when all servers that were brought in have been tried.
func (s *Service) whenTried(do func()) {
	if s.steps.Bring.Trying() {
		s.untried = append(s.untried, do)
		return
	}
	do()
}

// try begins to try servers.
func (s *Service) try(trials *model.Trials) *trying.Runner {
	runner := trying.NewRunner(s.trying, trials, ofTrials{s.program, s})
	runner.Next()
	return runner
}

// ofTrials shows how the trials go.
type ofTrials struct {
	Program
	service *Service
}

// Changed shows it, and does what waited for the end of all trials.
func (t ofTrials) Changed(*model.Trial) {
	s := t.service
	if !s.steps.Bring.Trying() {
		waiting := s.untried
		s.untried = nil
		for _, do := range waiting {
			do()
		}
	}
	s.program.Changed()
}

// tryAgain repeats the ended trials for which which returns true.
func (s *Service) tryAgain(which func(*model.Trial) bool) {
	for i, t := range []*model.Trials{&s.steps.Bring.Trials, &s.steps.Example.Trials} {
		for _, trial := range t.List {
			if which(trial) {
				s.runners[i].Again(trial)
			}
		}
	}
}
