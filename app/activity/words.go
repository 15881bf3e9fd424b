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

// outcomeState is the shape and the colour of an outcome.
func outcomeState(outcome status.Outcome) theme.State {
	switch outcome {
	case status.Running:
		return theme.StateWorking
	case status.Done:
		return theme.StateConnected
	case status.ToolError:
		return theme.StateNotice
	case status.Error:
		return theme.StateWrong
	case status.Cancelled:
		return theme.StateDisabled
	}
	return theme.StateIdle
}

// outcomeWord is an outcome in a word or two.
func outcomeWord(outcome status.Outcome) string {
	switch outcome {
	case status.Running:
		return lang.L("Running")
	case status.Done:
		return lang.L("Done")
	case status.ToolError:
		return lang.L("Tool failed")
	case status.Error:
		return lang.L("Failed")
	case status.Cancelled:
		return lang.L("Cancelled")
	}
	return lang.L("Unknown")
}

// outcomeSentence explains an outcome.
func outcomeSentence(outcome status.Outcome) string {
	switch outcome {
	case status.Running:
		return lang.L("The server is still working on it.")
	case status.Done:
		return lang.L("The server has answered.")
	case status.ToolError:
		return lang.L("The server has answered, and the tool says that it failed.")
	case status.Error:
		return lang.L("There was no answer from the tool.")
	case status.Cancelled:
		return lang.L("The AI app did not want to wait any longer.")
	}
	return ""
}

// took says how long a call has taken, or takes so far.
func took(call model.Call, now time.Time) string {
	if call.Outcome != status.Running {
		return spell(call.Duration)
	}
	// The clocks of two processes may be a little apart.
	return lang.L("{{.Count}} s", map[string]any{"Count": int(max(0, now.Sub(call.Started)).Seconds())}) + "…"
}

// spell writes a duration as exactly as it matters.
func spell(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return lang.L("< 1 ms")
	case d < time.Second:
		return lang.L("{{.Count}} ms", map[string]any{"Count": d.Milliseconds()})
	case d < time.Minute:
		return lang.L("{{.Count}} s", map[string]any{"Count": kit.Decimal(d.Truncate(100*time.Millisecond).Seconds(), 1)})
	}
	return lang.L("{{.Minutes}} min {{.Seconds}} s", map[string]any{"Minutes": int(d.Minutes()), "Seconds": int(d.Seconds()) % 60})
}

// clock gives the time of a call of today, of another one the day. The details have both.
func clock(at, now time.Time) string {
	at = at.In(now.Location())
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return kit.Seconds(at)
	}
	return kit.Say(words.Day(at))
}
