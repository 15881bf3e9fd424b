package tray

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// StateOf returns what the tray shows for a snapshot and the view of its toolboxes.
func StateOf(now *model.Snapshot, view toolboxes.View, login model.Login) State {
	state := State{Clients: live.ClientLines(now), Paused: now.Live.Paused, Login: login.On, NoLogin: !login.Known}
	if view.Count() > 0 {
		state.Problems = toolboxes.ProblemCount(view.Findings)
	}
	if view.Broken {
		state.Problem = lang.L("The configuration file has an error")
	} else if clients := now.Live.Unreached(); len(clients) > 0 {
		state.Problem = live.ToRestart(clients[0])
	}
	switch {
	case state.Problem != "":
	case len(now.Approval.Waiting) > 0:
		state.Problem = live.WaitingTitle(now.Approval.Waiting)
	}
	for _, toolbox := range view.Toolboxes {
		shown := Toolbox{Name: toolbox.Name}
		for _, server := range toolbox.Servers {
			shown.Servers = append(shown.Servers, serverOf(server))
		}
		state.Toolboxes = append(state.Toolboxes, shown)
	}
	return state
}

func serverOf(server toolboxes.Server) Server {
	shown := Server{
		Name: server.Name, State: server.State, Text: server.Word, Changed: server.Waiting > 0,
		CanStop: server.Can().Stop,
		Idle:    server.Status == status.NotStarted, Off: server.Status == status.Disabled,
	}
	start, again := live.RunWords(server.Status, server.State)
	if shown.Start = again; shown.Idle {
		shown.Start = start
	}
	if word := server.FixWord(); word != live.HelpWords(model.HelpShow) {
		shown.Help = word
	}
	// Texts that change every second are left out, because a menu that is drawn again closes while the user reads it.
	switch problem := server.Problem; {
	case server.Status == status.Connected:
		shown.Text = server.Note
	case server.State == theme.StateNotice && server.Detail != "":
		shown.Text = server.Detail
	case problem != nil && !shown.Off && !shown.Idle:
		shown.Text = kit.Sentence(kit.Say(problem.Message))
	}
	return shown
}
