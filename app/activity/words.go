package activity

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// ending describes an outcome to the user.
type ending struct {
	state          theme.State
	word, sentence string // a short label, and its explanation
}

func endingOf(outcome status.Outcome) ending {
	switch outcome {
	case status.Running:
		return ending{theme.StateWorking, lang.L("Running"), ""}
	case status.Done:
		return ending{theme.StateConnected, lang.L("Done"), ""}
	case status.ToolError:
		return ending{theme.StateNotice, lang.L("Tool failed"), ""}
	case status.Error:
		return ending{theme.StateWrong, lang.L("Failed"), ""}
	case status.Cancelled:
		return ending{theme.StateDisabled, lang.L("Cancelled"), lang.L("The AI app did not want to wait any longer.")}
	case status.Refused:
		return ending{theme.StateDisabled, lang.L("Refused by you"), lang.L("The server did not get this call.")}
	case status.Unanswered:
		return ending{theme.StateDisabled, lang.L("Not answered"), lang.L("You were asked, and the time ran out.")}
	}
	return ending{theme.StateIdle, lang.L("Unknown"), ""}
}

// duration says how long a call took, or how long a running call has taken so far.
func duration(call model.Call, now time.Time) string {
	if call.Outcome != status.Running {
		return kit.Duration(call.Duration)
	}
	// The clocks of two processes may differ a little, so the time could be negative.
	return lang.L("{{.Count}} s…", map[string]any{"Count": int(max(0, now.Sub(call.Started)).Seconds())})
}

// clock returns the time of a call made today, or the day of an older call. The details show both for each call.
func clock(at, now time.Time) string {
	at = at.In(now.Location())
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return kit.Seconds(at)
	}
	return kit.Say(words.Day(at))
}
