package settings

import (
	"runtime/debug"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/locale"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
)

// Web pages about the program.
const (
	website = "https://github.com/workbench-mcp/workbench-desktop"
	licence = website + "/blob/main/LICENSE"
	notices = website + "/blob/main/docs/licences.md"
	reports = website + "/issues"
)

// Service does for the screen what concerns the computer: it runs the doctor, asks and changes the keychain, the start
// at login and the program for links. Call its methods only on the goroutine of the window.
type Service struct {
	options ServiceOptions
	stop    func() // ends the running check of the computer
}

// ServiceOptions configure a [Service].
type ServiceOptions struct {
	Location config.Location // the place of the configuration file
	History  string          // the folder with versions of the file; empty if none are kept
	Endpoint string          // where engines find the app; empty for the default
	Version  string          // the version of the program
	Lookup   config.Lookup   // returns the values of environment variables
	Apps     *setup.Setup    // gives the doctor the policies of organisations; may be nil

	Tasks  *task.Tasks
	Window *frame.Window

	Model   *model.Model // the service changes its Secrets, Doctor, Login and Links
	Changed func()       // called after a change of the model

	Login Login          // nil if the system has no start at login
	Links *links.Handler // nil if the system cannot tell which program opens links
	// Updates knows whether there is a newer version; nil if nothing can be kept here.
	Updates Updates
}

// NewService returns a service that has checked nothing yet.
func NewService(options ServiceOptions) *Service { return &Service{options: options, stop: func() {}} }

// View returns the content of the screen for a model.
func (s *Service) View(now *model.Model) View {
	view := View{
		Preferences: now.Preferences.Get(),
		Languages:   locale.Languages(),
		Login:       now.Login,
		Free:        Free{On: now.Approval.State.Free, Known: now.Approval.Of != nil},
		Links:       now.Links,
		Updates:     now.Updates,
		Doctor:      now.Doctor,
		Runtimes:    now.Runtimes,
		About: About{
			Version: s.options.Version, Website: website, Licence: licence, Notices: notices, Reports: reports,
			Folders: []Folder{{Title: lang.L("Configuration"), Path: s.options.Location.Path}},
		},
	}
	if s.options.History != "" {
		view.About.Folders = append(view.About.Folders,
			Folder{Title: lang.L("History of the configuration"), Path: s.options.History})
	}
	if now.Good != nil {
		view.ToolMode.Mode, view.ToolMode.Search = now.Good.Config.ToolMode, now.Good.Config.Search
		view.Secrets = SecretsOf(now.Good.Config)
	}
	view.ToolMode.Fixed = now.Broken()
	if env := s.options.Lookup.Env; env != nil {
		forced, _ := env("WORKBENCH_TOOL_MODE")
		view.ToolMode.Forced = config.ToolMode(forced)
	}
	for i, secret := range view.Secrets {
		if known, ok := now.Secrets[secret.Name]; ok {
			view.Secrets[i].State, view.Secrets[i].Note = known.State, known.Note
		}
	}
	return view
}

// SetSecret stores a secret in the keychain.
func (s *Service) SetSecret(name, value string, done func(error)) {
	s.changeSecret(name, func() error { return keychain.System().Set(name, value) }, done)
}

// DeleteSecret deletes a secret from the keychain.
func (s *Service) DeleteSecret(name string, done func(error)) {
	s.changeSecret(name, func() error { return keychain.System().Delete(name) }, done)
}

func (s *Service) changeSecret(name string, change func() error, done func(error)) {
	s.options.Tasks.After(change, func(err error) {
		s.askSecret(name)
		done(err)
	})
}

// Entered updates what may have changed since the user has left the screen.
func (s *Service) Entered() {
	s.askSecrets()
	s.askLinks(func(error) {})
}

// askLinks determines in the background which program opens workbench: links.
func (s *Service) askLinks(done func(error)) {
	if s.options.Links == nil {
		return
	}
	task.Ask(s.options.Tasks, s.options.Links.Status, func(found links.Status, err error) {
		state := model.Links{Known: err == nil, On: found.On, Fixed: found.Fixed || found.On && !found.Own,
			Other: found.Other}
		if err != nil {
			state.Note = kit.ErrorSentence(err)
		}
		if s.options.Model.Links != state {
			s.options.Model.Links = state
			s.options.Changed()
		}
		done(nil)
	})
}

// SetLinks makes this program the one that opens workbench: links, or undoes that.
func (s *Service) SetLinks(on bool, done func(error)) {
	s.options.Tasks.After(func() error { return s.options.Links.Set(on) }, func(err error) {
		if err != nil {
			done(err)
			return
		}
		s.askLinks(done)
	})
}

// build returns a text about how the program was built.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.GoVersion
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 8 {
			text += ", " + setting.Value[:8]
		}
	}
	return text
}
