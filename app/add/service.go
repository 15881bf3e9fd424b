package add

import (
	"context"
	"os"
	"slices"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/links"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/extension"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/registry"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Service adds servers: it opens the dialog, reads dropped files, and tries added servers. Call its methods only on
// the goroutine of the window.
type Service struct {
	options  ServiceOptions
	dialog   *Dialog            // the open dialog, or nil
	calm     time.Time          // no link is opened before this time, because one was ignored shortly before
	reading  bool               // a file from another program is being read
	registry *registry.Registry // nil until the dialog first offers it; it caches answers
	// closed when the work queued last on the files of extensions is done; nil if none was queued
	placing chan struct{}
}

// ServiceOptions are what a [Service] needs.
type ServiceOptions struct {
	Window  *frame.Window
	Tasks   *task.Tasks
	Engines *engines.Engines
	Saver   *saving.Saver
	Model   *model.Model

	Begin    func()             // goes to the screen on which the dialog is shown
	Select   func(model.Choice) // selects a toolbox on the screen of the toolboxes
	LookPath func(server config.Server, done func(path string, err error))
	Actions  Actions // has Here, Get and Program; the service sets the others
}

// NewService returns a service without an open dialog.
func NewService(options ServiceOptions) *Service { return &Service{options: options} }

// Dialog returns the open dialog, or nil.
func (s *Service) Dialog() *Dialog { return s.dialog }

// Trying reports whether the dialog is trying this server.
func (s *Service) Trying(at model.Choice) bool {
	return s.dialog != nil && s.dialog.trial != nil && s.dialog.trial.Toolbox == at.Toolbox &&
		slices.ContainsFunc(s.dialog.trial.List, func(trial *model.Trial) bool { return trial.Name == at.Server })
}

// Open opens the dialog. If it is open already, Open passes the text and the files on to it. If the file has been
// broken since the start, Open shows a message instead.
func (s *Service) Open(start Start) {
	if s.dialog != nil {
		if start.Text != "" {
			s.dialog.Offer(start.Text)
		}
		s.dialog.OfferFiles(start.Files)
		return
	}
	// An empty file can be added to. If there is a good version, the dialog can show its toolboxes.
	if s.options.Model.Broken() && s.options.Model.File.Now != nil && len(s.options.Model.File.Now.Source) > 0 &&
		s.options.Model.Good == nil {
		s.options.Window.Say(lang.L("The configuration has an error that must be corrected first."))
		return
	}
	s.options.Begin()
	s.dialog = Show(s.options.Window.Window, s.Actions(), start)
}

// calmAfter is how long no link is opened after one was ignored. A web page can send any number of links.
const calmAfter = 5 * time.Second

// OpenLink shows the review of what a link proposes, and does nothing else. It ignores the link if something else is
// open in the window, or if another link was ignored just before. One message reports all ignored links.
func (s *Service) OpenLink(link string) {
	now := time.Now()
	if s.covered() || now.Before(s.calm) {
		if now.After(s.calm) {
			s.SayNotOpened()
		}
		s.calm = now.Add(calmAfter)
		return
	}
	found, err := links.Read(link)
	if err != nil {
		s.options.Window.Say(lang.L("A link was not opened. {{.Why}}", map[string]any{"Why": kit.ErrorSentence(err)}))
		return
	}
	s.Open(Start{Found: &found, Unasked: true})
}

// Actions returns the actions of the dialog.
func (s *Service) Actions() Actions {
	actions, tasks, window := s.options.Actions, s.options.Tasks, s.options.Window
	actions.Toolboxes = func() []string { return s.options.Model.ToolboxNames() }
	actions.Taken = func(toolbox string) []string { return s.options.Model.ServerNames(toolbox) }
	actions.Add, actions.Try, actions.Registry, actions.Later = s.add, s.Try, s.searchable(), tasks.Later
	actions.ChooseFile, actions.ChooseFolder, actions.OpenURL = window.PickFile, window.PickFolder, window.OpenURL
	actions.KeepInKeychain = func(name, value string, done func(error)) {
		tasks.After(func() error { return keychain.System().Set(name, value) }, done)
	}
	actions.NoKeychain = func(done func(bool)) {
		task.Find(tasks, keychain.Absent, done)
	}
	actions.LookPath = func(command string, found func(bool)) {
		s.options.LookPath(config.Server{Transport: config.TransportStdio, Command: command}, func(_ string, err error) {
			found(err == nil)
		})
	}
	actions.ReadFile = func(path string, done func(string, error)) {
		task.Ask(tasks, func() (string, error) { return foreign.ReadFile(path) }, done)
	}
	actions.ReadExtension = func(path string, done func(*extension.Extension, error)) {
		task.Ask(tasks, func() (*extension.Extension, error) { return readExtension(tasks.Context(), path) }, done)
	}
	actions.Unpack = func(ctx context.Context, x *extension.Extension, done func(func(), error)) {
		s.unpack(ctx, x, done)
	}
	actions.Closed = func() { s.dialog = nil }
	return actions
}

// searchable returns the registry for the dialog, or nil if the user has switched it off.
func (s *Service) searchable() *Registry {
	if !s.options.Model.Preferences.Get().Registry {
		return nil
	}
	if s.registry == nil {
		s.registry = registry.New(registry.Options{Address: os.Getenv(registry.Variable)})
	}
	from := s.registry
	return &Registry{
		Host: from.Host(), Official: from.IsOfficial(),
		Search: func(ctx context.Context, query, next string, done func(registry.Page, error)) {
			ctx, stop := s.options.Tasks.Join(ctx)
			task.Ask(s.options.Tasks, func() (registry.Page, error) {
				defer stop()
				return from.Search(ctx, query, next)
			}, done)
		},
	}
}

// add writes servers to a toolbox and selects the toolbox.
func (s *Service) add(toolbox string, newToolbox bool, description string, servers []Server, done func(error)) {
	var ops []edit.Op
	if newToolbox {
		ops = append(ops, edit.AddToolbox{Name: toolbox, Description: description})
	}
	for _, server := range servers {
		ops = append(ops, edit.AddServer{Toolbox: toolbox, Name: server.Name, Entry: server.Entry})
	}
	s.options.Saver.Edit(ops, func(err error) {
		if err == nil && len(servers) > 0 {
			s.options.Select(model.Choice{Toolbox: toolbox})
		}
		done(err)
	})
}

// Try starts a server in the engine of the window and reports its progress until it is connected or has failed.
func (s *Service) Try(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	ctx, stop := s.options.Tasks.Join(ctx)
	s.options.Tasks.Background(func() {
		defer stop()
		last := s.options.Engines.Try(ctx, toolbox, server, func(now status.Server) {
			s.options.Tasks.Do(func() { report(now) })
		})
		if ctx.Err() == nil {
			s.options.Tasks.Do(func() { done(last) })
		}
	})
}
