package app

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// watchApps are the parts that watch the AI apps: which of them start us, and whether they leave our entries in their files.
func (d *controller) watchApps(hub *ipc.Hub) []func(context.Context) error {
	apps := d.options.Apps
	if apps == nil {
		return nil
	}
	guard := engine.NewGuard(apps.Registrar, engine.GuardOptions{Launch: apps.Launch, Told: d.guardTold, Logger: d.options.Logger})
	sightings := apps.NewSightings(setup.SightingsOptions{
		Remember: d.aggregator.Remember, Proven: func() { d.tasks.Do(d.findApps) }, Logger: d.options.Logger,
	})
	return []func(context.Context) error{guard.Run, func(ctx context.Context) error { return sightings.Run(ctx, hub) }}
}

// guardTold shows what the guard of our entries has to say. It is of the guard's goroutine.
func (d *controller) guardTold(event engine.GuardEvent) {
	title, text := guardWords(event)
	if text != "" && !d.visible.Load() && d.options.Notify != nil && d.preferences().Notifications {
		d.tasks.Background(func() { d.options.Notify(title, text) })
	}
	d.tasks.Do(func() {
		d.findApps()
		if text == "" {
			return
		}
		if event.Kind == engine.GuardAsks && d.at != placeClients {
			d.window.toast.show(text, lang.L("Show"), func() { d.choose(placeClients) })
			return
		}
		d.say(text)
	})
}

// guardWords are what the guard says to people; empty when the cards say enough.
func guardWords(event engine.GuardEvent) (title, text string) {
	words := map[string]any{"App": event.Client.Name}
	switch {
	case event.Kind == engine.GuardWaits:
		text = lang.L("{{.App}} removed Workbench. Quit it and we'll restore the entry.", words)
	case event.Kind == engine.GuardMended:
		text = lang.L("{{.App}} had removed Workbench. The entry is back; start {{.App}} again.", words)
	case event.Kind == engine.GuardAsks && event.Again:
		text = lang.L("{{.App}} removed Workbench again.", words)
	case event.Kind == engine.GuardAsks:
		text = lang.L("Workbench is no longer in the file of {{.App}}.", words)
	default:
		return "", ""
	}
	return lang.L("{{.App}} and Workbench", words), text
}

// leaveOut takes it that an entry that has vanished is not wanted.
func (d *controller) leaveOut(id string) {
	client, ok := engine.ByID(id)
	if !ok {
		return
	}
	d.tasks.Background(func() {
		err := d.options.Apps.Registrar.LeaveOut(client)
		d.tasks.Do(func() {
			d.findApps()
			if err != nil {
				d.fail(err)
				return
			}
			d.say(lang.L("{{.App}} is left out. It can be connected again at any time.", map[string]any{"App": client.Name}))
		})
	})
}
