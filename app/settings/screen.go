package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

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
}

// Screen draws a View. All of its methods belong to the goroutine of the window.
type Screen struct {
	actions Actions
	view    View
	root    *fyne.Container
}

// New makes the screen. It shows nothing until Apply.
func New(actions Actions) *Screen {
	return &Screen{actions: actions, root: container.NewStack()}
}

// Object is what the window shows.
func (s *Screen) Object() fyne.CanvasObject { return s.root }

// Apply shows another View. What the user is typing stays.
func (s *Screen) Apply(view View) { s.view = view }

// Section names a part of the screen that others can lead to.
type Section int

// The sections.
const (
	SectionGeneral Section = iota
	SectionTools
	SectionSecrets
	SectionDoctor
	SectionAbout
)

// Show scrolls to a section.
func (s *Screen) Show(section Section) {}
