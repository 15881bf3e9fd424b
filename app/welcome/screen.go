package welcome

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Actions are what the steps need of the program. They are called on the goroutine of the window and must not block; a done
// function is to be called there too. What was changed is followed by new Facts.
type Actions struct {
	// Help goes to where a server can be mended: its sign-in, a field of its setup or its log.
	Help func(toolbox, server string)

	// Repair says what corrects the file where a server cannot be started as it is written there, and does it; "" where nothing does.
	// It may be nil.
	Repair func(toolbox, server string) (title string, do func(done func(error)))

	// Look looks for apps anew, by names of files alone.
	Look func()

	// Read looks which servers some apps have: only now their files are opened.
	Read func(apps []string, done func(clients.Offer, error))

	// Installed finds out what is on this computer of what servers need.
	Installed func(done func(map[catalogue.Needs]bool))

	// Example makes a toolbox with these servers, as one step to undo, and tells the name that it got.
	Example func(servers []ExampleServer, done func(toolbox string, err error))

	// Try starts a server and reports how that goes, until it calls done once.
	Try func(ctx context.Context, toolbox, server string, report, done func(status.Server))

	// Plan and Carry are those of [clients.Actions].
	Plan  func(id string, connect bool, done func(clients.Proposal, error))
	Carry func(ctx context.Context, plan engine.Plan, wait bool, done func(error))

	// TakeOver carries a plan out for an app whose servers were brought in, and takes those out of its file.
	TakeOver func(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool, done func(clients.Moved, error))

	// Preview finds out what TakeOver would do.
	Preview func(plan engine.Plan, brought imports.Plan, done func(setup.Preview))

	Copy    func(text string)
	OpenURL func(address string)

	// Program says what the button says that gets a program, by its id in engine/manage/runtimes, and how far that is; both are empty where
	// it cannot be got. GetProgram gets it, or cancels that, and calls there when it is there; it is false where it cannot be got. Both may be nil.
	Program    func(id string) (label, doing string)
	GetProgram func(id string, there func()) bool

	Reached func(Step) // where a later start goes on
	Finish  func()     // the user has finished the steps, or skipped them
}

// Screen draws the steps. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	window  fyne.Window
	model   *model
	view    View
	drawn   string // the rows and texts that are drawn
	footed  string // the buttons at the bottom that are
	reading int    // counts the looks into apps, so that what was given up is not heard
	asked   bool   // what is installed was asked for
	waits   bool   // the main button gets the keyboard as soon as it can be pressed

	root    fyne.CanvasObject
	marks   *progress
	page    *kit.Page
	body    *fyne.Container
	foot    fyne.CanvasObject
	buttons map[string]*kit.Button
	boxes   map[string]*kit.Check
}

// New makes the steps in a window, at one of them. They show nothing until Apply.
func New(window fyne.Window, at Step, actions Actions) *Screen {
	s := &Screen{actions: actions, window: window, model: newModel()}
	s.model.step = at
	s.build()
	return s
}

// build makes what is shown.
func (s *Screen) build() {
	s.buttons, s.boxes, s.drawn, s.footed = map[string]*kit.Button{}, map[string]*kit.Check{}, "", ""
	s.marks = newProgress()
	s.body = kit.Column(kit.GapBlock)
	s.foot = s.newFoot()
	s.page = kit.NewPage(kit.NewCentred(columnWidth, kit.GapEdge, s.body))
	bottom := kit.NewBox(kit.BoxStyle{Fill: theme.ColorPanel}, kit.Column(0, kit.NewLine(), kit.NewCentred(columnWidth, kit.GapWide, s.foot)))
	s.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorBackground},
		kit.Column(0, kit.NewCentred(columnWidth, kit.GapBlock, s.marks), kit.NewLine(), kit.Rest(s.page), bottom))
}

// Rebuild makes all that is shown anew, in another language: its texts were made with it. How far the user is and what is under way stay.
func (s *Screen) Rebuild() {
	s.build()
	s.draw()
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Step is the step that is shown.
func (s *Screen) Step() Step { return s.model.step }

// Apply shows other Facts.
func (s *Screen) Apply(facts Facts) {
	s.model.facts = facts
	s.draw()
}

// Focus gives the keyboard to the main button as soon as that can be pressed; the Enter key then presses it. No other button gets the
// keyboard by itself: pressing Enter too early must not skip a step.
func (s *Screen) Focus() {
	button := s.buttons["main"]
	if s.waits = button.Disabled() || !button.Visible(); s.waits {
		s.window.Canvas().Unfocus()
		return
	}
	s.window.Canvas().Focus(button)
}

// Enter does what the Enter key does where no button has the keyboard.
func (s *Screen) Enter() {
	if !s.view.Main.Off {
		s.do(s.view.Main)
	}
}

// Escape gives up what is under way, else goes back.
func (s *Screen) Escape() {
	switch {
	case s.view.Skip.Action == ActionStop:
		s.do(s.view.Skip)
	default:
		s.do(s.view.Back)
	}
}

// Close ends what is under way.
func (s *Screen) Close() {
	s.reading++
	s.model.connect.giveUp()
	s.model.example.giveUp()
	s.model.bring.giveUp()
}

// do does what a button says.
func (s *Screen) do(button Button) {
	m := s.model
	switch button.Action {
	case ActionLook:
		m.facts.Known = false
		s.draw()
		s.actions.Look()
	case ActionRead:
		s.read()
	case ActionChoose:
		m.bring.stage, m.bring.problem = bringApps, ""
		m.example.trials, m.example.problem = trials{}, ""
		s.showPage()
		s.actions.Look()
	case ActionBring:
		s.bring()
	case ActionPassOn:
		m.bring.offer.Plan = m.bring.offer.Plan.PassOn(button.With)
		s.draw()
	case ActionExample:
		s.addExample()
	case ActionTry:
		s.tryAgain(button.With)
	case ActionStop:
		s.stop()
	case ActionNext:
		s.goTo(m.step + 1)
	case ActionBack:
		s.goTo(m.step - 1)
	case ActionConnect:
		s.connect(m.connect.chosen(m))
	case ActionShow:
		s.show(button.With)
	case ActionCopy:
		s.actions.Copy(button.With)
		m.copied = button.With
		s.draw()
	case ActionGet:
		s.get(button.With)
	case ActionFinish:
		s.Close()
		s.actions.Finish()
	case ActionRepair:
		if title, do := s.actions.Repair(m.bring.toolbox, button.With); title != "" {
			do(func(err error) {
				if err == nil {
					s.tryAgain(button.With)
				}
			})
		}
	case ActionHelp:
		s.Close()
		s.actions.Finish()
		s.actions.Help(m.bring.toolbox, button.With)
	}
}

// goTo shows another step.
func (s *Screen) goTo(step Step) {
	if step < StepBring || step > StepDone {
		return
	}
	s.stop()
	s.model.step, s.model.copied = step, ""
	s.showPage()
	s.actions.Reached(step)
}

// showPage shows another page: from its beginning, with the keyboard on its main button.
func (s *Screen) showPage() {
	s.draw()
	s.page.ScrollToTop()
	s.Focus()
}

// stop gives up what is under way.
func (s *Screen) stop() {
	s.reading++
	if s.model.bring.stage == bringReading {
		s.model.bring.stage = bringApps
	}
	s.model.connect.giveUp()
	s.showPage()
}

// read looks into the apps that are ticked.
func (s *Screen) read() {
	b := &s.model.bring
	var ids []string
	for _, source := range s.model.facts.Sources {
		if !b.left[source.ID] {
			ids = append(ids, source.ID)
		}
	}
	b.stage, b.problem = bringReading, ""
	s.reading++
	attempt := s.reading
	s.showPage()
	s.actions.Read(ids, func(offer clients.Offer, err error) {
		if attempt != s.reading {
			return
		}
		b.stage, b.offer, b.leave = bringServers, offer, map[string]bool{}
		if err != nil {
			b.stage, b.problem = bringApps, kit.ErrorSentence(err)
		}
		s.showPage()
	})
}

// bring brings the servers that are ticked in, and goes on.
func (s *Screen) bring() {
	b := &s.model.bring
	plan := b.chosen()
	b.stage, b.problem = bringWriting, ""
	s.draw()
	b.offer.Bring(plan, b.keychain, func(err error) {
		if err != nil {
			b.stage, b.problem = bringServers, kit.ErrorSentence(err)
			if keychain := (*clients.KeychainError)(nil); errors.As(err, &keychain) { // there is a way on without it
				b.keychain = false
				b.problem += " " + lang.L("Without it, passwords and keys stay in a file, as they do in your apps now. The box below is no longer ticked, so that you can continue this way.")
			}
			s.showPage()
			return
		}
		b.stage, b.brought = bringDone, plan
		b.giveUp()
		b.trials = trialsOf(plan)
		s.tryNext(&b.trials)
		if s.model.step == StepBring {
			s.goTo(StepConnect)
		}
	})
}

// addExample makes the example toolbox and tries its servers.
func (s *Screen) addExample() {
	e := &s.model.example
	servers := exampleServers(e.has)
	e.writing, e.problem = true, ""
	s.showPage()
	s.actions.Example(servers, func(toolbox string, err error) {
		e.writing = false
		if err != nil {
			e.problem = kit.ErrorSentence(err)
			s.showPage()
			return
		}
		e.trials = trials{toolbox: toolbox}
		for _, server := range servers {
			e.list = append(e.list, &trial{Tried: add.Tried{Name: server.Name, Command: server.Command}, runs: server.Runs})
		}
		s.tryNext(&e.trials)
		s.actions.Reached(StepConnect)
		s.showPage()
	})
}

// draw shows what the model says, as far as that has changed. The keyboard stays on the control where it was.
func (s *Screen) draw() {
	s.view = s.model.view()
	s.offerPrograms(&s.view)
	s.offerRepairs(s.view.Failed)
	s.ask()
	drawn, footed := signature(s.view), fmt.Sprintf("%#v", []Button{s.view.Quit, s.view.Back, s.view.Skip, s.view.Main})
	if drawn == s.drawn && footed == s.footed {
		return
	}
	focused := s.focused()
	s.marks.Set(s.view.Step)
	if drawn != s.drawn {
		s.drawn = drawn
		s.fill()
	}
	if footed != s.footed {
		s.footed = footed
		s.fillFoot()
	}
	s.page.Arrange()
	s.refocus(focused)
	if s.waits && s.window.Canvas().Focused() == nil {
		s.Focus()
	}
}

// signature tells pages apart that look different. Ticks are left out: their boxes show them already.
func signature(view View) string {
	view.Quit, view.Back, view.Skip, view.Main, view.Switch.On = Button{}, Button{}, Button{}, Button{}, false
	view.Rows = slices.Clone(view.Rows)
	for i := range view.Rows {
		view.Rows[i].On = false
	}
	return fmt.Sprintf("%#v", view)
}

// ask finds out what is installed, once that is to be said.
func (s *Screen) ask() {
	m := s.model
	nothing := m.bring.stage == bringServers && len(m.bring.offer.Plan.Servers) == 0 || m.bring.stage == bringApps && m.facts.Known && len(m.facts.Sources) == 0
	if m.step != StepBring || !nothing || m.facts.Servers > 0 || s.asked {
		return
	}
	s.asked = true
	s.actions.Installed(func(has map[catalogue.Needs]bool) {
		m.example.known, m.example.has = true, has
		s.draw()
	})
}

// focused is the key of the control that has the keyboard.
func (s *Screen) focused() string {
	now := s.window.Canvas().Focused()
	if now == nil {
		return ""
	}
	for key, button := range s.buttons {
		if now == fyne.Focusable(button) {
			return key
		}
	}
	for key, box := range s.boxes {
		if now == fyne.Focusable(box) {
			return key
		}
	}
	return ""
}

func (s *Screen) refocus(key string) {
	if button := s.buttons[key]; key == "" || s.focused() == key && (button == nil || !button.Disabled() && button.Visible()) {
		return
	}
	canvas := s.window.Canvas()
	if box := s.boxes[key]; box != nil && !box.Disabled() {
		canvas.Focus(box)
		return
	}
	if button := s.buttons[key]; button != nil && !button.Disabled() && button.Visible() {
		canvas.Focus(button)
		return
	}
	s.Focus()
}
