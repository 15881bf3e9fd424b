package add

import (
	"context"
	"net/http"
	"os"
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

// Service adds servers: it opens the dialog and is its [Program], reads dropped files, and tries added servers. Call
// its methods only on the goroutine of the window.
type Service struct {
	App
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
	Web     http.RoundTripper // reaches the registry of servers
	App     App
}

// App is what the service asks of the rest of the app. Its methods are called on the goroutine of the window and must
// not block.
type App interface {
	Around

	Begin()              // goes to the screen on which the dialog is shown
	Select(model.Choice) // selects a toolbox on the screen of the toolboxes
	LookPath(server config.Server, done func(path string, err error))
}

var _ Program = (*Service)(nil)

// NewService returns a service without an open dialog.
func NewService(options ServiceOptions) *Service { return &Service{App: options.App, options: options} }

// Dialog returns the open dialog, or nil.
func (s *Service) Dialog() *Dialog { return s.dialog }

// Trying reports whether the dialog is trying this server.
func (s *Service) Trying(at model.Choice) bool {
	return s.options.Model.Added != nil && s.options.Model.Added.Has(at)
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
	s.Begin()
	s.dialog = Show(s.options.Window.Window, s, start)
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

// Toolboxes returns the names of the toolboxes.
func (s *Service) Toolboxes() []string { return s.options.Model.ToolboxNames() }

// Taken returns the names of the servers of a toolbox.
func (s *Service) Taken(toolbox string) []string { return s.options.Model.ServerNames(toolbox) }

// Tried puts the servers that the dialog tries into the model.
func (s *Service) Tried(trials *model.Trials) { s.options.Model.Added = trials }

// Ended forgets the dialog.
func (s *Service) Ended() { s.dialog = nil }

// KeepInKeychain stores a secret in the keychain.
func (s *Service) KeepInKeychain(name, value string, done func(error)) {
	s.options.Tasks.After(func() error { return keychain.System().Set(name, value) }, done)
}

// NoKeychain finds out whether there is no keychain.
func (s *Service) NoKeychain(done func(bool)) { task.Find(s.options.Tasks, keychain.Absent, done) }

// Finds reports whether servers would find a program.
func (s *Service) Finds(command string, found func(bool)) {
	server := config.Server{Transport: config.TransportStdio, Command: command}
	s.App.LookPath(server, func(_ string, err error) { found(err == nil) })
}

// ChooseFile and ChooseFolder let the user choose.
func (s *Service) ChooseFile(done func(string))   { s.options.Window.PickFile(done) }
func (s *Service) ChooseFolder(done func(string)) { s.options.Window.PickFolder(done) }

// OpenURL shows a web page.
func (s *Service) OpenURL(address string) { s.options.Window.OpenURL(address) }

// Later calls f after some time.
func (s *Service) Later(wait time.Duration, f func()) (stop func()) {
	return s.options.Tasks.Later(wait, f)
}

// ReadFile reads a text file.
func (s *Service) ReadFile(path string, done func(string, error)) {
	task.Ask(s.options.Tasks, func() (string, error) { return foreign.ReadFile(path) }, done)
}

// ReadExtension reads a bundle.
func (s *Service) ReadExtension(path string, done func(*extension.Extension, error)) {
	task.Ask(s.options.Tasks, func() (*extension.Extension, error) {
		return readExtension(s.options.Tasks.Context(), path)
	}, done)
}

// Unpack writes the files of an extension.
func (s *Service) Unpack(ctx context.Context, x *extension.Extension, done func(func(), error)) {
	s.unpack(ctx, x, done)
}

// Registry returns the registry for the dialog, or nil if the user has switched it off.
func (s *Service) Registry() Registry {
	if !s.options.Model.Preferences.Get().Registry {
		return nil
	}
	if s.registry == nil {
		s.registry = registry.New(registry.Options{Address: os.Getenv(registry.Variable), Base: s.options.Web})
	}
	return searchable{s.registry, s.options.Tasks}
}

// searchable is a registry that is searched in the background.
type searchable struct {
	*registry.Registry
	tasks *task.Tasks
}

func (r searchable) Search(ctx context.Context, query, next string, done func(registry.Page, error)) {
	ctx, stop := r.tasks.Join(ctx)
	task.Ask(r.tasks, func() (registry.Page, error) {
		defer stop()
		return r.Registry.Search(ctx, query, next)
	}, done)
}

// Add writes servers to a toolbox and selects the toolbox.
func (s *Service) Add(toolbox string, newToolbox bool, description string, servers []Server, done func(error)) {
	var ops []edit.Op
	if newToolbox {
		ops = append(ops, edit.AddToolbox{Name: toolbox, Description: description})
	}
	for _, server := range servers {
		ops = append(ops, edit.AddServer{Toolbox: toolbox, Name: server.Name, Entry: server.Entry})
	}
	s.options.Saver.Edit(ops, func(err error) {
		if err == nil && len(servers) > 0 {
			s.Select(model.Choice{Toolbox: toolbox})
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
