package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// Program does what the user asks for on this screen. Its methods are called on the goroutine of the window and must not
// block. They call done on that goroutine, with an error or nil. Every change is followed by a new View.
type Program interface {
	SetStartAtLogin(on bool, done func(error))
	SetFree(free bool, done func(error))       // whether the user edits the configuration with other programs
	SetLinks(on bool, done func(error))        // whether this program opens workbench: links
	SetUpdates(on bool, done func(error))      // whether to look for newer versions
	SetLanguage(code string, done func(error)) // empty for the language of the system

	// CanUpdate reports whether the user can be told of newer versions. CanBegin reports whether there are first steps.
	CanUpdate() bool
	CanBegin() bool
	FirstSteps() // shows the first steps again

	// Prefer changes the preferences and applies them. Edit changes the configuration.
	Prefer(change func(*Preferences), done func(error))
	Edit(ops []edit.Op, done func(error))

	// SetSecret stores a secret in the keychain, and DeleteSecret deletes one.
	SetSecret(name, value string, done func(error))
	DeleteSecret(name string, done func(error))

	// Check checks the computer; the results come in Views. StopCheck ends the check early. Fix applies a fix that has no
	// address. CopyReport puts a report for other people on the clipboard.
	Check()
	StopCheck()
	Fix(fix doctor.Fix, done func(error))
	CopyReport(done func(error))

	// Get returns a widget that installs a program that servers need and shows the progress, or nil if there is nothing
	// to install. RemoveRuntime removes such a program.
	Get(id string, importance widget.Importance, changed func(there bool)) fyne.CanvasObject
	RemoveRuntime(id string)

	OpenFolder(path string) // shows a file or folder in the system's file manager
	OpenURL(address string)
	ShowKeys() // shows the list of keys

	// Later calls a function on the goroutine of the window, after other work there had its turn.
	Later(func())
}

// Screen draws a View. Call its methods only on the goroutine of the window.
type Screen struct {
	program Program
	kept    *model.Opened
	view    View

	root   fyne.CanvasObject
	page   *kit.Page
	column *fyne.Container
	titles []string // of all sections, from top to bottom
	made   []part   // the sections that have been created
	making bool     // Later was asked to create the next section
	goal   Section  // the section to show when all have been created, or noSection

	general  *general
	secrets  *secrets
	checks   *checks
	advanced *advanced
	mode     *mode
	about    *about
}

// part is a section, which is created when it is needed.
type part interface {
	self() *section
	show() // updates the section
}

// firstParts is the number of sections that a window of the usual size has room for. The other sections are created
// one by one when these are visible, because measuring the texts of all sections would block the window for longer
// than a frame.
const firstParts = 2

// New returns a screen. It is empty until Apply is called. kept says what is open.
func New(program Program, kept *model.Opened) *Screen {
	s := &Screen{program: program, kept: kept, goal: noSection}
	s.titles = []string{
		SectionGeneral: lang.L("General"), SectionSecrets: lang.L("Secrets"), SectionDoctor: lang.L("Your computer"),
		SectionAdvanced: lang.L("Advanced"), SectionAbout: lang.L("About"),
	}
	s.column = kit.Column(kit.GapEdge)
	for range firstParts {
		s.makeNext()
	}
	// At the left, so that in a wide window the sections are beside their links.
	s.page = kit.NewPage(kit.NewNarrow(kit.WidthPage+2*kit.GapEdge, kit.Inset(s.column, kit.GapBlock, kit.GapEdge)))
	links := newLinks(lang.L("Settings"), s)
	s.root = container.New(layout.NewBorderLayout(nil, nil, links, nil), links, s.page)
	return s
}

// makeNext creates the next section.
func (s *Screen) makeNext() {
	next := s.newPart(Section(len(s.made)))
	s.made = append(s.made, next)
	s.column.Objects = append(s.column.Objects, next.self().root)
}

// newPart creates a section.
func (s *Screen) newPart(which Section) part {
	title := s.titles[which]
	switch which {
	case SectionGeneral:
		s.general = newGeneral(s, title)
		return s.general
	case SectionSecrets:
		s.secrets = newSecrets(s, title)
		return s.secrets
	case SectionDoctor:
		s.checks = newChecks(s, title)
		return s.checks
	case SectionAdvanced:
		s.advanced = newAdvanced(s, title)
		return s.advanced
	}
	s.about = newAbout(s, title)
	return s.about
}

// whole reports whether all sections have been created.
func (s *Screen) whole() bool { return len(s.made) == len(s.titles) }

// goOn creates one more section, and schedules the next.
func (s *Screen) goOn() {
	s.making = false
	s.makeNext()
	s.made[len(s.made)-1].show()
	s.page.Arrange()
	s.makeLater()
	if s.whole() && s.goal != noSection {
		s.Show(s.goal)
	}
}

func (s *Screen) makeLater() {
	if !s.whole() && !s.making {
		s.making = true
		s.program.Later(s.goOn)
	}
}

// Page returns the page with the sections.
func (s *Screen) Page() *kit.Page { return s.page }

// Object returns the content of the screen.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. Text being typed is kept.
func (s *Screen) Apply(view View) {
	s.view = view
	for _, part := range s.made {
		part.show()
	}
	s.page.Arrange()
	s.makeLater()
	if s.checks != nil && s.checks.reveal && len(view.Doctor.Checks) > 0 {
		s.checks.reveal = false
		s.Show(SectionDoctor)
	}
}

// Section is a part of the screen with a title.
type Section int

// The sections.
const (
	SectionGeneral Section = iota
	SectionSecrets
	SectionDoctor
	SectionAdvanced
	SectionAbout

	noSection Section = -1
)

// Show scrolls to a section, as soon as all sections have been created.
func (s *Screen) Show(which Section) {
	if which < 0 || int(which) >= len(s.titles) {
		return
	}
	if !s.whole() { // the position of the section is not known yet
		s.goal = which
		return
	}
	s.goal = noSection
	if which == SectionAdvanced {
		s.advanced.unfold(true)
	}
	s.page.ScrollTo(s.made[which].self().heading)
}
