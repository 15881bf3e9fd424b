package toolboxes

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// What stands here goes as soon as package live says it.

type liveShown struct {
	State              theme.State
	Word, Note, Detail string
}

func liveServer(state *live.State, toolbox, name string) live.Server {
	for _, engine := range state.Engines {
		for _, server := range engine.Servers {
			if server.Toolbox == toolbox && server.Name == name {
				return live.Server{Server: server, Engine: engine.ID, Client: engine.Client}
			}
		}
	}
	return live.Server{Server: status.Server{Toolbox: toolbox, Name: name, State: status.NotStarted}}
}

func liveWords(server live.Server, _ time.Time) liveShown {
	problem := ""
	if server.Problem != nil {
		problem = server.Problem.Message
	}
	switch server.State {
	case status.Connected:
		return liveShown{theme.StateConnected, lang.L("Connected"), toolCount(server.Tools), ""}
	case status.Starting:
		return liveShown{theme.StateWorking, lang.L("Starting…"), "", ""}
	case status.Failed, status.Stopped:
		return liveShown{theme.StateWrong, lang.L("Can't start"), "", problem}
	case status.SignIn:
		return liveShown{theme.StateKey, lang.L("Needs sign-in"), "", problem}
	case status.Disabled:
		return liveShown{theme.StateDisabled, lang.L("Switched off"), "", ""}
	}
	return liveShown{theme.StateIdle, lang.L("Not started"), "", ""}
}
