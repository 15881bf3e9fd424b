package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// Actions are what the controls of the screen do. They are called on the goroutine of the window and must not block; a done
// function is to be called there too, with what went wrong or nil. Every change is followed by a new View.
type Actions struct {
	SetStartAtLogin func(on bool, done func(error))
	SetFree         func(free bool, done func(error))   // whether the user edits the configuration with other programs
	SetLinks        func(on bool, done func(error))     // whether this program opens workbench: links
	SetLanguage     func(code string, done func(error)) // empty: as the system

	// Prefer changes the preferences, and does what follows from that.
	Prefer func(change func(*Preferences), done func(error))

	// Edit changes the configuration.
	Edit func(ops []edit.Op, done func(error))

	// SetSecret keeps a value in the keychain, DeleteSecret takes it out.
	SetSecret    func(name, value string, done func(error))
	DeleteSecret func(name string, done func(error))

	// Check looks at the computer; what it finds comes in Views. StopCheck ends that early.
	Check     func()
	StopCheck func()

	// Fix carries out a fix that has no address.
	Fix func(fix doctor.Fix, done func(error))

	// Get gives what gets a program that servers need, and shows how far that is. It gives nil where it cannot be got. RemoveRuntime takes one away.
	Get           func(id string, importance widget.Importance, changed func(there bool)) fyne.CanvasObject
	RemoveRuntime func(id string)

	// CopyReport puts a report for others on the clipboard.
	CopyReport func(done func(error))

	OpenFolder func(path string) // shows a file or folder in the system's file manager
	OpenURL    func(address string)

	// ShowKeys tells what can be done with the keyboard.
	ShowKeys func()

	// FirstSteps shows the steps of the first start once more; nil where there are none.
	FirstSteps func()

	// Later calls a function on the goroutine of the window after it has had its turn.
	Later func(func())
}

// Screen draws a View. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View

	root   fyne.CanvasObject
	page   *kit.Page
	column *fyne.Container
	parts  []part     // what can be shown, from the top to the bottom
	made   []*section // those of them that have been made
	making bool       // the next is made later
	goal   Section    // is to be shown as soon as all have been made, or noSection

	general *general
	mode    *mode
	secrets *secrets
	checks  *checks
	about   *about
}

// part is a section that is made when it is wanted.
type part struct {
	title string
	make  func(title string) *section
	show  func() // follows the View; nil when it always shows the same
}

// firstParts is how many sections there are room for in a window of the usual size. The others are made one by one when those can
// be seen: measuring the texts of all would hold the window for longer than a frame.
const firstParts = 2

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	s := &Screen{actions: actions, goal: noSection}
	s.parts = []part{
		SectionGeneral: {lang.L("General"), func(title string) *section { s.general = newGeneral(s, title); return s.general.section }, func() { s.general.show() }},
		SectionTools:   {lang.L("How AI apps get your tools"), func(title string) *section { s.mode = newMode(s, title); return s.mode.section }, func() { s.mode.show() }},
		SectionSecrets: {lang.L("Secrets"), func(title string) *section { s.secrets = newSecrets(s, title); return s.secrets.section }, func() { s.secrets.show() }},
		SectionDoctor:  {lang.L("Your computer"), func(title string) *section { s.checks = newChecks(s, title); return s.checks.section }, func() { s.checks.show() }},
		SectionAbout:   {lang.L("About"), func(title string) *section { s.about = newAbout(s, title); return s.about.section }, func() { s.about.show() }},
	}
	s.column = kit.Column(kit.GapEdge)
	for range firstParts {
		s.makeNext()
	}
	s.page = kit.NewPage(kit.NewCentred(kit.WidthPage, kit.GapBlock, s.column))
	links := newLinks(lang.L("Settings"), s.parts, s.Show)
	s.root = container.New(layout.NewBorderLayout(nil, nil, links, nil), links, s.page)
	return s
}

// makeNext makes the next section.
func (s *Screen) makeNext() {
	part := s.parts[len(s.made)]
	next := part.make(part.title)
	s.made = append(s.made, next)
	s.column.Objects = append(s.column.Objects, next.root)
}

// whole reports whether all sections have been made.
func (s *Screen) whole() bool { return len(s.made) == len(s.parts) }

// goOn makes one section below those that there are, and goes on later.
func (s *Screen) goOn() {
	s.making = false
	at := len(s.made)
	s.makeNext()
	if show := s.parts[at].show; show != nil {
		show()
	}
	s.page.Arrange()
	s.makeLater()
	if s.whole() && s.goal != noSection {
		s.Show(s.goal)
	}
}

func (s *Screen) makeLater() {
	if !s.whole() && !s.making {
		s.making = true
		s.actions.Later(s.goOn)
	}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. What the user is typing stays.
func (s *Screen) Apply(view View) {
	s.view = view
	for i := range s.made {
		if show := s.parts[i].show; show != nil {
			show()
		}
	}
	s.page.Arrange()
	s.makeLater()
	if s.checks != nil && s.checks.reveal && len(view.Doctor.Checks) > 0 {
		s.checks.reveal = false
		s.Show(SectionDoctor)
	}
}

// Section names a part of the screen that others can lead to.
type Section int

// The sections.
const (
	SectionGeneral Section = iota
	SectionTools
	SectionSecrets
	SectionDoctor
	SectionAbout

	noSection Section = -1
)

// Show scrolls to a section.
func (s *Screen) Show(which Section) {
	if which < 0 || int(which) >= len(s.parts) {
		return
	}
	if !s.whole() { // where it will be is not known yet
		s.goal = which
		return
	}
	s.goal = noSection
	s.page.ScrollTo(s.made[which].heading)
}
