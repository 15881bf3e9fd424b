package app

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/tray"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// trayState is what the tray shows of a snapshot.
func trayState(now *shown, login loginState) tray.State {
	state := tray.State{Clients: live.ClientLines(now.Snapshot), Paused: now.Live.Paused, Login: login.on, NoLogin: !login.known}
	if now.view.Broken {
		state.Problem = lang.L("The configuration needs attention")
	} else if clients := now.Live.Unreached(); len(clients) > 0 {
		state.Problem = lang.L("{{.Client}} should be restarted", map[string]any{"Client": clients[0]})
	}
	for _, toolbox := range now.view.Toolboxes {
		shown := tray.Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			at := toolboxes.Choice{Toolbox: toolbox.Name, Server: server.Name}
			shown.Servers = append(shown.Servers, trayServer(server, now, at))
		}
		state.Toolboxes = append(state.Toolboxes, shown)
	}
	return state
}

func trayServer(server toolboxes.Server, now *shown, at toolboxes.Choice) tray.Server {
	shown := tray.Server{
		Name: server.Name, State: server.State, Text: server.Word,
		Idle: server.Status == status.NotStarted, Off: server.Status == status.Disabled,
	}
	// What the second changes is left out: a menu that is drawn anew closes under who reads it.
	switch problem := now.Server(at).Problem; {
	case server.Status == status.Connected:
		shown.Text = lang.L("{{.State}}, {{.Tools}}", map[string]any{"State": server.Word, "Tools": server.Note})
	case server.State == theme.StateNotice && server.Detail != "":
		shown.Text = lang.L("{{.State}}: {{.Why}}", map[string]any{"State": server.Word, "Why": server.Detail})
	case problem != nil && !shown.Off && !shown.Idle:
		shown.Text = lang.L("{{.State}}: {{.Why}}", map[string]any{"State": server.Word, "Why": kit.Say(problem.Message)})
	}
	return shown
}
