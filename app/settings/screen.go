package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/doctor"
)

// Actions are what the controls of the screen do. They are called on the goroutine of the window and must not block; a done
// function is to be called there too, with what went wrong or nil. Every change is followed by a new View.
type Actions struct {
	SetStartAtLogin  func(on bool, done func(error))
	SetTheme         func(theme ThemeChoice, done func(error))
	SetLanguage      func(code string, done func(error)) // empty: as the system
	SetNotifications func(on bool, done func(error))
	SetLogLevel      func(level string, done func(error))

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

	// CopyReport puts a report for others on the clipboard.
	CopyReport func(done func(error))

	OpenFolder func(path string) // shows a file or folder in the system's file manager
	OpenURL    func(address string)

	// FirstSteps shows the steps of the first start once more; nil where there are none.
	FirstSteps func()
}

// Screen draws a View. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View

	page    *kit.Page
	general *general
	mode    *mode
	secrets *secrets
	checks  *checks
	keys    *section
	about   *about
}

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	s := &Screen{actions: actions}
	s.general = newGeneral(s)
	s.mode = newMode(s)
	s.secrets = newSecrets(s)
	s.checks = newChecks(s)
	s.keys = newKeys()
	s.about = newAbout(s)
	title := kit.NewText(lang.L("Settings"), kit.TextStyle{Size: theme.SizeTitle, Bold: true, Shrinks: true})
	s.page = kit.NewPage(container.New(columnLayout{}, kit.Column(28, title, s.general.root, s.mode.root, s.secrets.root, s.checks.root, s.keys.root, s.about.root)))
	return s
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.page }

// Apply shows another View. What the user is typing stays.
func (s *Screen) Apply(view View) {
	s.view = view
	s.general.show()
	s.mode.show()
	s.secrets.show()
	s.checks.show()
	s.about.show()
	s.page.Arrange()
	if s.checks.reveal && len(view.Doctor.Checks) > 0 {
		s.checks.reveal = false
		s.Show(SectionDoctor)
	}
}

// button gives a button that is scrolled into sight when it gets the keyboard.
func (s *Screen) button(text string, importance widget.Importance, tapped func()) *kit.Button {
	button := kit.NewButton(text, importance, tapped)
	button.OnFocus = func() { s.page.Reveal(button) }
	return button
}

// Section names a part of the screen that others can lead to.
type Section int

// The sections.
const (
	SectionGeneral Section = iota
	SectionTools
	SectionSecrets
	SectionDoctor
	SectionKeys
	SectionAbout
)

// Show scrolls to a section.
func (s *Screen) Show(which Section) {
	parts := []*section{s.general.section, s.mode.section, s.secrets.section, s.checks.section, s.keys, s.about.section}
	if which < 0 || int(which) >= len(parts) {
		return
	}
	// From below, so that its heading comes to the upper edge.
	s.page.Reveal(s.about.root)
	s.page.Reveal(parts[which].heading)
}

// columnLayout puts its object into the middle, with space around it, and no wider than can be read well.
type columnLayout struct{}

// Measures of the column, in pixels.
const (
	columnWidth = 760
	columnPad   = 24
)

func (columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	least := objects[0].MinSize()
	return fyne.NewSize(least.Width+2*columnPad, least.Height+2*columnPad)
}

func (columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := min(columnWidth, size.Width-2*columnPad)
	objects[0].Move(fyne.NewPos((size.Width-width)/2, columnPad-4))
	objects[0].Resize(fyne.NewSize(width, size.Height-2*columnPad))
}
