package clients

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
)

// Sign is a sentence with the icon of a state.
type Sign struct {
	State theme.State
	Text  string
}

// Told is what is said about an app while it is connected or disconnected.
type Told struct {
	Sign    Sign
	Lines   []Sign              // lines with StateIdle are drawn muted
	Changes []engine.Difference // of its files
	Runs    string              // the app's own command that Workbench runs
	Command string              // the command that the user runs
}

// Tell returns what to say about connecting or disconnecting an app.
func Tell(name string, c *model.Connecting, id string) Told {
	app := map[string]any{"App": kit.Line(name)}
	var told Told
	switch state := c.State(id); {
	case state == model.RunWaits:
		told.Sign = Sign{theme.StateIdle, lang.L("Waiting")}
	case state == model.RunWorks && c.Leaving:
		told.Sign = Sign{theme.StateWorking, lang.L("Disconnecting…")}
	case state == model.RunWorks:
		told.Sign = Sign{theme.StateWorking, lang.L("Connecting…")}
	case state == model.RunQuitting:
		told.Sign = Sign{theme.StateWorking, lang.L("Waiting for it to quit")}
		told.add(theme.StateWorking, lang.L(
			"Quit {{.App}} now, from its menu or its icon next to the clock. Closing its window is not enough.", app))
	case state == model.RunDone && c.Leaving:
		told.Sign = Sign{theme.StateConnected, lang.L("Disconnected")}
	case state == model.RunDone: // only the app itself can prove that the entry works
		told.Sign = Sign{theme.StateWorking, lang.L("Set up")}
	case state == model.RunFailed && c.Leaving:
		told.Sign = Sign{theme.StateWrong, lang.L("Failed")}
	case state == model.RunFailed:
		told.Sign = Sign{theme.StateWrong, lang.L("Not connected")}
	}
	if run := c.Runs[id]; run != nil && run.Problem != "" {
		told.add(theme.StateWrong, run.Problem)
	}
	return told
}

func (t *Told) add(state theme.State, text string) { t.Lines = append(t.Lines, Sign{state, text}) }

// addNext adds what the user still has to do, before the line that introduces the command.
func (t *Told) addNext(client engine.Client) {
	at := len(t.Lines)
	if t.Command != "" {
		at--
	}
	var next []Sign
	for _, sentence := range client.Next() {
		next = append(next, Sign{Text: kit.Say(sentence)})
	}
	t.Lines = slices.Insert(t.Lines, at, next...)
}

// AddChange adds how the file of an app would change, or the command for the app. moves says that the app's own
// entries are removed, too, or put back if leaving is set.
func (t *Told) AddChange(name string, change *model.Change, leaving, moves bool) {
	if change == nil {
		return
	}
	app, plan := map[string]any{"App": kit.Line(name)}, change.Plan
	switch {
	case change.Looking:
		t.add(theme.StateIdle, lang.L("Reading…"))
		return
	case change.Problem != "":
		t.add(theme.StateWrong, change.Problem)
		t.add(theme.StateIdle, lang.L("Nothing was changed."))
		if plan.Entry != "" {
			t.add(theme.StateIdle, lang.L("Add this to it, next to what is already there:"))
			t.Command = plan.Entry
		}
		return
	case len(plan.Runs) > 0:
		for _, note := range plan.Notes {
			t.add(theme.StateIdle, kit.Say(note))
		}
		t.add(theme.StateIdle, kit.Say(plan.Client.Say(plan.Client.ByHand)))
		t.add(theme.StateIdle, lang.L("Workbench runs it for you:"))
		t.Runs = plan.Line
		return
	case plan.Paste != "":
		t.add(theme.StateIdle, kit.Say(plan.Client.Say(plan.Client.ByHand)))
		t.add(theme.StateIdle, lang.L("Run this in a terminal:"))
		t.Command = CommandOf(change, true, moves)
		return
	case moves && leaving:
		t.Changes = change.Back
	case moves && len(change.Removing.Changes) > 0:
		t.Changes = change.Removing.Changes
	case plan.Changed():
		for _, one := range plan.Changes {
			if one.Changed() {
				t.Changes = append(t.Changes, engine.Difference{File: one.File, Unified: plan.Diff(one)})
			}
		}
	}
	switch {
	case moves && leaving && !plan.Changed(): // the checkbox says what is put back
	case len(t.Changes) == 0:
		t.add(theme.StateIdle, lang.L("Nothing changes"))
	}
	if change.Waits() {
		t.add(theme.StateNotice, lang.L(
			"{{.App}} is running. Quit it fully first, or it undoes the change. Closing its window is not enough.", app))
	}
	if slices.ContainsFunc(plan.Changes, engine.Change.KeepsCopy) && !leaving {
		t.add(theme.StateIdle, CopyKept())
	}
	for _, note := range plan.Notes {
		t.add(theme.StateIdle, kit.Say(note))
	}
}

// CopyKept says that connecting can be undone.
func CopyKept() string {
	return lang.L("A copy of each file is kept, and “Disconnect” under AI apps puts it back.")
}

// CommandOf returns the commands that the user runs in a terminal for an app. connects includes the one that connects
// the app, removes those that remove the app's own entries.
func CommandOf(change *model.Change, connects, removes bool) string {
	if change == nil || change.Plan.Paste == "" {
		return ""
	}
	var lines []string
	if connects {
		lines = append(lines, strings.TrimRight(change.Plan.Paste, "\n"))
	}
	if removes {
		lines = append(lines, change.Removing.Commands...)
	}
	return strings.Join(lines, "\n")
}
