package live

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/foreign"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Shown is the state of a server as shown to the user.
type Shown struct {
	State  theme.State
	Word   string     // a short word, such as "Connected"
	Note   string     // for lists: the most important detail, such as "14 tools", or the same as Word
	Detail string     // a sentence or two: why, since when, by whom, what comes next; may be empty
	Help   model.Help // what helps; [model.NoHelp] if nothing needs to be done
}

// Words returns the texts about the state of a server at a time.
func Words(s model.Server, now time.Time) Shown {
	shown := describe(s, now)
	shown.State, shown.Help = OfCondition(s.Condition()), s.Help()
	shown.Note = cmp.Or(shown.Note, shown.Word)
	return shown
}

// OfCondition returns the state whose icon and color a condition has.
func OfCondition(c model.Condition) theme.State {
	switch c {
	case model.ConditionOff:
		return theme.StateDisabled
	case model.ConditionStarting:
		return theme.StateWorking
	case model.ConditionConnected:
		return theme.StateConnected
	}
	return OfWeight(c.Weight())
}

// describe returns the texts for the condition of a server. It leaves Note empty if it is the same as Word.
func describe(s model.Server, now time.Time) Shown {
	switch s.Condition() {
	case model.ConditionChanged:
		return changed(s)
	case model.ConditionUnfilled:
		return unfilled(s)
	case model.ConditionConnected, model.ConditionFaulty, model.ConditionToolsChanged:
		return connected(s, now)
	case model.ConditionStarting:
		return starting(s, now)
	case model.ConditionFailed:
		if s.Problem != nil && s.Problem.Kind == status.KindNetwork {
			return trouble(s, now, lang.L("Can't connect"))
		}
		return trouble(s, now, lang.L("Can't start"))
	case model.ConditionStopped:
		return trouble(s, now, lang.L("Stopped working"))
	case model.ConditionSignIn:
		return trouble(s, now, lang.L("Needs sign-in"))
	case model.ConditionUnapproved:
		return trouble(s, now, lang.L("Needs approval"))
	case model.ConditionOff:
		return Shown{Word: lang.L("Switched off")}
	case model.ConditionSilent:
		return Shown{Word: lang.L("Not responding"), Detail: Unresponsive(s.Client)}
	case model.ConditionUnseen:
		return Shown{Word: lang.L("Unknown"), Detail: OtherVersion(s.Client)}
	case model.ConditionPaused:
		return Shown{Word: lang.L("Paused")}
	case model.ConditionHeld:
		return Shown{Word: lang.L("Stopped"), Detail: starts()}
	case model.ConditionReady:
		return Shown{Word: lang.L("Ready"), Note: ToolCount(s.Known), Detail: starts()}
	}
	return Shown{Word: lang.L("Not started"), Detail: starts()}
}

// changed returns the texts for a server that waits for approval.
func changed(s model.Server) Shown {
	word, why := lang.L("Needs approval"), WhyWaiting(s.Why)
	if s.Why == approval.Elsewhere {
		word, why = lang.L("Changed by another program"), lang.L("It does not start until you approve it.")
		switch s.State {
		case status.Connected, status.Starting:
			why = lang.L("It runs as it was until you approve the change.")
		}
	}
	return Shown{Word: word, Detail: why}
}

// unfilled returns the texts for a server that lacks a key or another value.
func unfilled(s model.Server) Shown {
	missing := s.ToFill()
	key := slices.ContainsFunc(missing, func(m foreign.Missing) bool { return m.Key })
	shown := Shown{Word: NeedsWord(key)}
	var names []string
	for _, m := range missing {
		if m.Name != "" && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	switch wrote := lastWords(s.Problem); {
	case wrote != "":
		shown.Detail = lang.L("It wrote: {{.Text}}", map[string]any{"Text": wrote})
	case len(names) > 0:
		shown.Detail = ToFill(names)
	case s.Problem != nil:
		shown.Detail = kit.Sentence(kit.Say(s.Problem.Message))
	}
	return shown
}

// NeedsWord returns the word for the state of a server that lacks a key or, if key is not set, other values.
func NeedsWord(key bool) string {
	if key {
		return lang.L("Needs a key")
	}
	return lang.L("Not complete yet")
}

// ToFill returns a sentence that names values to fill in.
func ToFill(names []string) string {
	return lang.L("To fill in: {{.Names}}.", map[string]any{"Names": kit.SayList(names)})
}

// lastWords returns what a server that has ended wrote last, or "".
func lastWords(p *status.Problem) string {
	if p == nil {
		return ""
	}
	how, _ := p.Message.Args["How"].(words.Text)
	wrote, _ := how.Args["Wrote"].(string)
	return wrote
}

func connected(s model.Server, now time.Time) Shown {
	shown := Shown{Word: lang.L("Connected"), Note: ToolCount(s.Tools)}
	switch {
	case len(s.Apart) > 0:
		shown.Detail = apart(s)
	case s.Copies.Engines > 0:
		shown.Detail = copied(s.Copies)
	case s.Together && len(s.Clients) > 1:
		shown.Detail = lang.L("Runs once for {{.Names}}.", map[string]any{"Names": Names(s.Clients)})
	case len(s.Clients) > 0:
		shown.Detail = kit.Ended(lang.L("Used by {{.Names}}", map[string]any{"Names": Names(s.Clients)}))
	case !s.Since.IsZero():
		shown.Detail = lang.L("Connected since {{.Time}}.", map[string]any{"Time": Clock(s.Since, now)})
	}
	if s.Waiting > 0 {
		shown.Note, shown.Detail = ToApprove(s.Waiting), ChangedTools(s.Waiting)
		return shown
	}
	if faulty := cmp.Or(s.LeftOut, s.Faulty); faulty > 0 {
		shown.Detail = kit.Together(lang.N("{{.Count}} of its definitions are faulty. The log says why.", faulty,
			map[string]any{"Count": faulty}), shown.Detail)
	}
	if s.AllTools > s.Tools {
		shown.Detail = kit.Together(shown.Detail,
			lang.L("AI apps see {{.Some}} of its {{.All}} tools.", map[string]any{"Some": s.Tools, "All": s.AllTools}))
	}
	return shown
}

func starting(s model.Server, now time.Time) Shown {
	shown := Shown{Word: lang.L("Starting…")}
	switch {
	case s.Installing:
		shown.Word = lang.L("Installing…")
		shown.Detail = lang.L("The first start downloads what it needs; this takes a minute or two.")
	case !s.Since.IsZero():
		shown.Detail = lang.L("Starting since {{.Time}}.", map[string]any{"Time": Clock(s.Since, now)})
	}
	return shown
}

// trouble returns the texts with the problem, what to do about it, and when the server will be started again.
func trouble(s model.Server, now time.Time, word string) Shown {
	shown := Shown{Word: word}
	if s.Problem != nil {
		shown.Detail = ProblemText(s.Problem)
	}
	if s.CountsDown() {
		shown.Detail = kit.Together(shown.Detail,
			lang.L("Trying again in {{.Time}}.", map[string]any{"Time": span(s.RetryAt.Sub(now))}))
	}
	return shown
}

// ProblemText returns the problem of a server and what to do about it. The window shows the text next to the word for
// the state and the buttons that help. Logs and AI apps get the engine's own text.
func ProblemText(p *status.Problem) string {
	said := p.Message
	if what, ok := said.Args["What"].(words.Text); ok && said.Code == "downstream.server_says" {
		said = what
	}
	if said.Code == "downstream.wants_sign_in" {
		return lang.L("It wants you to sign in with your account.") // the button next to it does that
	}
	return kit.Together(problemMessage(p), kit.Sentence(kit.Say(p.Hint)))
}

func problemMessage(p *status.Problem) string {
	said := kit.Say(p.Message)
	switch p.Message.Code {
	case "downstream.no_answer":
		given, _ := p.Message.Args["Limit"].(string)
		limit, err := time.ParseDuration(given)
		if err != nil {
			break
		}
		message := lang.L("It did not answer within {{.Time}}.", map[string]any{"Time": span(limit)})
		if skipped, ok := p.Message.Args["Skipped"].(words.Text); ok && !skipped.IsZero() {
			message = kit.Together(message, kit.Sentence(kit.Say(skipped)))
		}
		if wrote, _ := p.Message.Args["Wrote"].(string); wrote != "" {
			message = kit.Together(message, lang.L("It wrote: {{.Text}}", map[string]any{"Text": wrote}))
		}
		return message
	case "downstream.stopped":
		how, _ := p.Message.Args["How"].(words.Text)
		ended, _ := how.Args["How"].(words.Text)
		wrote, _ := how.Args["Wrote"].(string)
		if ended.Code == "process.exited" || ended.Code == "process.killed" {
			return endedWords(ended, wrote)
		}
		said = kit.Say(how)
	}
	// the name of a program keeps its first letter
	if p.Kind == "" || p.Program != "" && strings.HasPrefix(said, p.Program) {
		return said
	}
	return kit.Sentence(said)
}

// ToolCount returns a text with the number of tools.
func ToolCount(count int) string {
	return lang.N("{{.Count}} tools", count, map[string]any{"Count": count})
}

// Clock returns a text for a time. The text has the day unless the time is today.
func Clock(at, now time.Time) string {
	at = at.In(now.Location())
	if at.YearDay() == now.YearDay() && at.Year() == now.Year() {
		return kit.Clock(at)
	}
	if at.Year() == now.Year() {
		return kit.Say(words.At(words.Day(at), words.Clock(at)))
	}
	return kit.Say(words.At(words.DayAndYear(at), words.Clock(at)))
}

// span returns a text for a time to wait: in seconds, or in minutes from two minutes on. The text says at least one
// second, since "in 0 s" would look as if nothing happens.
func span(wait time.Duration) string {
	if wait >= 2*time.Minute {
		return lang.L("{{.Count}} min", map[string]any{"Count": int((wait + time.Minute/2) / time.Minute)})
	}
	return lang.L("{{.Count}} s", map[string]any{"Count": max(1, int((wait+time.Second-1)/time.Second))})
}

// Names returns names as a list in a sentence. Of more than three names, the list has the first three and the
// number of the others.
func Names(names []string) string {
	switch len(names) {
	case 0, 1, 2, 3:
		return kit.Say(words.And(names...))
	}
	rest := len(names) - 3
	return lang.N("{{.Some}} and {{.Count}} others", rest, map[string]any{"Some": kit.SayList(names[:3]), "Count": rest})
}

// starts says when a server starts that is not started.
func starts() string { return lang.L("Starts when an AI app uses it.") }

// Unresponsive says what helps with a client whose engine does not answer.
func Unresponsive(client string) string {
	return lang.L("Its Workbench does not answer. Quit {{.Client}} fully and start it again.",
		map[string]any{"Client": client})
}

// OtherVersion says what helps with a client whose engine is of another version.
func OtherVersion(client string) string {
	return lang.L("It runs another version of Workbench. Quit {{.Client}} fully and start it again.",
		map[string]any{"Client": client})
}
