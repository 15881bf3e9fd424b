package trying

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Words returns texts about a trial that is running or has ended: its state, a short text and a sentence, which may be
// empty.
func Words(now status.Server, ended bool, server model.Tried) (state theme.State, word, sentenceText string) {
	switch {
	case !ended && (now.Installing || downstream.MayInstall(&config.Server{Command: server.Command})):
		return theme.StateWorking, lang.L("Starting…"),
			lang.L("The first start downloads what it needs; this takes a minute or two.")
	case !ended:
		return theme.StateWorking, lang.L("Starting…"), ""
	case now.State == status.Connected:
		count := now.AllTools
		if count == 0 {
			count = now.Tools
		}
		if count == 0 {
			return theme.StateConnected, lang.L("Ready"), lang.L("This server has no tools")
		}
		word = lang.N("Works · {{.Count}} tools", count, map[string]any{"Count": count})
		if server.Keyed {
			sentenceText = lang.L("You will see whether its key is right when one of its tools is used for the first time.")
		}
		if now.Marked > 0 {
			return theme.StateNotice, word,
				lang.N("The texts of {{.Count}} tools may try to steer the AI. They are marked in the Tools tab of the server.",
					now.Marked, map[string]any{"Count": now.Marked})
		}
		return theme.StateConnected, word, sentenceText
	case now.Problem != nil && (now.Problem.Kind == status.KindKey || now.Problem.Kind == status.KindVariable):
		shown := live.Words(model.Server{Server: now}, time.Now())
		return shown.State, shown.Word, shown.Detail
	case now.State == status.SignIn || now.Problem != nil && now.Problem.Kind == status.KindSignIn:
		if now.Problem == nil {
			return theme.StateKey, lang.L("Needs sign-in"), lang.L("It wants you to sign in with your account.")
		}
		return theme.StateKey, lang.L("Needs sign-in"), problemText(now.Problem)
	}
	return theme.StateWrong, lang.L("Couldn't start"), problemText(now.Problem)
}

func problemText(p *status.Problem) string {
	if p == nil {
		return lang.L("It ended by itself.")
	}
	return live.ProblemText(p)
}

// Summary returns a state and a text that say how many servers work. ended is the number of trials that have ended.
func Summary(count, works, ended int) (theme.State, string) {
	words := map[string]any{"Works": works, "Count": count}
	switch {
	case count == 1 && ended == 0:
		return theme.StateWorking, lang.L("Trying the server…")
	case count == 1 && works == 0:
		return theme.StateNotice, lang.L("The server does not work yet")
	case ended < count:
		return theme.StateWorking, lang.N("Trying {{.Count}} servers… {{.Works}} work so far", count, words)
	case works == count:
		return theme.StateConnected, lang.N("All {{.Count}} servers work", count, words)
	}
	return theme.StateNotice, lang.N("{{.Works}} of {{.Count}} servers work", count, words)
}
