package clients

import (
	"context"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
)

// Watch returns functions that watch the AI apps: which of them start Workbench, and whether they keep its entry in
// their files. One reaches apps over HTTP, if the user wants that.
func (s *Service) Watch(hub *ipc.Hub, remember func(map[string]time.Time)) []func(context.Context) error {
	apps := s.options.Apps
	if apps == nil {
		return nil
	}
	guard := engine.NewGuard(apps.Registrar,
		engine.GuardOptions{Launch: apps.Launch, Told: s.guardTold, Logger: s.options.Logger})
	sightings := apps.NewSightings(setup.SightingsOptions{
		Remember: remember, Proven: func() { s.options.Tasks.Do(s.Find) }, Logger: s.options.Logger,
	})
	parts := []func(context.Context) error{guard.Run,
		func(ctx context.Context) error { return sightings.Run(ctx, hub) }}
	if s.options.HTTP != nil {
		parts = append(parts, s.serveUntil)
	}
	return parts
}

// guardTold shows an event of the guard, which watches Workbench's entries. It is called on the guard's goroutine.
func (s *Service) guardTold(event engine.GuardEvent) {
	title, text := guardWords(event)
	if text != "" && s.options.Program.Hidden() {
		s.options.Program.Notify(notify.Notice{Title: title, Text: text, About: notify.Apps})
	}
	s.options.Tasks.Do(func() {
		s.Find()
		if text == "" {
			return
		}
		if event.Kind == engine.GuardAsks && !s.options.Program.Shown() {
			s.options.Window.Toast.Show(text, lang.L("Show"), s.options.Program.Show)
			return
		}
		s.options.Window.Say(text)
	})
}

// guardWords describes an event of the guard. The texts are empty if the card of the app says enough.
func guardWords(event engine.GuardEvent) (title, text string) {
	words := map[string]any{"App": event.Client.Name}
	switch {
	case event.Kind == engine.GuardWaits:
		text = lang.L("{{.App}} removed Workbench. Quit it and we'll restore the entry.", words)
	case event.Kind == engine.GuardMended:
		text = lang.L("{{.App}} had removed Workbench. The entry is back; start {{.App}} again.", words)
	case event.Kind == engine.GuardAsks:
		text = lang.L("Workbench is no longer in the file of {{.App}}.", words)
	default:
		return "", ""
	}
	return event.Client.Name, text
}

// LeaveOut accepts that the entry of an app was removed, so that the guard does not ask again.
func (s *Service) LeaveOut(id string) {
	client, ok := engine.ByID(id)
	if !ok {
		return
	}
	s.options.Tasks.After(func() error { return s.options.Apps.Registrar.LeaveOut(client) }, func(err error) {
		s.Find()
		if err != nil {
			s.options.Window.Fail(err)
		}
	})
}
