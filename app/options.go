package app

import (
	"log/slog"
	"net/http"
	"os"
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/dock"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/logs"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/pin"
	"github.com/workbench-mcp/workbench-desktop/engine/process"
	"github.com/workbench-mcp/workbench-desktop/engine/signin"
)

// ID is the program's name for the system, as in FyneApp.toml.
const ID = "io.github.workbench_mcp.WorkbenchDesktop"

// Name is the program's name for people.
const Name = "Workbench"

// Metadata describes the program to Fyne. Without it, the tray would show the ID.
func Metadata(version string) fyne.AppMetadata {
	return fyne.AppMetadata{ID: ID, Name: Name, Version: version, Build: 1, Icon: Icon(),
		Migrations: map[string]bool{"fyneDo": !frame.ThreadChecks}}
}

// Icon returns the program's icon.
func Icon() fyne.Resource { return fyne.NewStaticResource("workbench.png", assets.AppIcon) }

// Options say how the app runs.
type Options struct {
	App     fyne.App // required; its driver decides where the window is
	Version string   // of the program
	Files
	User
	Desktop

	// Hidden starts in the tray, without the window. If there is no tray, the window is shown anyway.
	Hidden bool
	Open   string // a file or a link to open; see [ipc.Show]

	// Do runs a function on the goroutine of the window; nil means fyne.Do.
	Do func(func())

	// Exit ends the process if Fyne does not end after everything else has ended; nil means os.Exit(0).
	Exit func()

	Logger *slog.Logger // nil logs nothing

	voice         *locale.Voice // translates everything that is shown; nil keeps the language
	leavePatience time.Duration // how long Fyne may take to end; zero means the default
}

// Files are the places of the app's files, and of the endpoint where engines find the app.
type Files struct {
	Location config.Location // of the configuration file

	// HistoryDir is the folder with versions of the file, see [store.HistoryDir]; empty keeps none.
	HistoryDir string

	// Unapplied is a file with the names of servers that have typed text that was not applied; empty keeps none.
	Unapplied string

	// Logs is the folder with the logs of engines and servers; empty keeps none.
	Logs logs.Folder

	// Usage says where engines record calls, and which preferences allow it; empty if they record nothing.
	Usage engines.UsageSource

	// Link is the endpoint where engines find the app, see [ipc.HubOptions]; empty means the user's own.
	Link string

	// Preferences are the user's choices about the window; nil means the defaults, which are not saved.
	Preferences *model.PreferencesStore
}

// User is what belongs to the user on this computer.
type User struct {
	Lookup config.Lookup // returns the values of ${VAR} and ${keyring:NAME}

	// Environ is the environment of the user's shell, used to find programs. A desktop starts the app without what the
	// shell adds. Nil means the environment of the app. The caller closes Environ.
	Environ *environ.Environ

	// Web reaches the registry of servers; nil means the one of this process.
	Web http.RoundTripper

	// Start starts the process of a server of the app's own engine; nil means [process.Start].
	Start func(process.Spec) (*process.Process, error)

	// SignIns are the user's sign-ins to remote servers; with nil, nobody can sign in.
	SignIns *signin.Store

	// Approvals are the entries that the user has approved; with nil, all entries count as approved.
	Approvals *approval.Approvals

	// Pins are the approved definitions of servers' tools; with nil, changed tools are not noticed.
	Pins *pin.Store

	// Apps are the user's AI apps; with nil, the window can connect none.
	Apps *setup.Setup

	// HTTP reaches apps that cannot start a program; with nil, the window cannot switch that on.
	HTTP clients.HTTP

	// Runtimes installs the programs that servers need; with nil, none can be installed.
	Runtimes *runtimes.Runtimes

	// Login switches the start at login; nil if the system has none.
	Login settings.Login

	// Links knows which program opens workbench: links; nil if the system cannot tell.
	Links *links.Handler

	// Updates knows whether there is a newer version; nil if nothing can be kept here.
	Updates settings.Updates
}

// Desktop is what the system offers to a program with a window.
type Desktop struct {
	// Host finds the tray; nil if the system has none. The caller closes Host.
	Host *tray.Host

	System System // may be nil

	// Room is how large the window can be on the screen at first; zero if that is not known.
	Room fyne.Size

	// Mac is what only macOS can do; nil on other systems.
	Mac dock.System

	// Events are the system's events, if the app has to ask for them also while its window is hidden; nil if not.
	Events task.Events

	// Move moves the app to where it can stay, and has it opened there when this process has ended; nil if it is there
	// already.
	Move func() error

	Notices Notices // nil if the system has none

	// LogLevel says how much is logged. The preferences change it; may be nil.
	LogLevel *slog.LevelVar
}

// Notices are the notifications of the system.
type Notices interface {
	// Show shows a notification. It is called on any goroutine and may take long. answered is called on any goroutine
	// when the user clicks the notification or one of its buttons, if the system reports that.
	Show(notice notify.Notice, answered func(notify.Answer))
}

// System is what every system has for a program with a window.
type System interface {
	// Shows reports whether there is a font for a language, see [locale.CanShow].
	Shows(tag string) bool

	// OnTrayTapped sets a function to call on a click on the tray's icon. It may be called on any goroutine.
	OnTrayTapped(tapped func())

	// Attend says whom to tell when the system asks the program to do something.
	Attend(requests dock.Requests) error
}

// surroundings says where to look for programs and values.
func (o *Options) surroundings() doctor.Surroundings {
	return doctor.Surroundings{Lookup: o.Lookup, Environ: o.Environ}
}

// shareable returns what opening a shared toolbox needs to know about this computer.
func (o *Options) shareable() share.Surroundings {
	return share.Surroundings{Home: paths.Here(os.Getenv).Home, IsSet: func(name string) bool {
		_, ok := o.Lookup.Env(name)
		return ok
	}}
}

// logs returns the writer for the log of the app's own engine, or nil if no logs are kept.
func (o *Options) logs() *logs.Writer {
	if o.Logs == "" {
		return nil
	}
	return logs.NewWriter(logs.Options{Folder: o.Logs, Config: o.Location.Path, Pid: os.Getpid(), Client: Name,
		Started: time.Now()})
}
