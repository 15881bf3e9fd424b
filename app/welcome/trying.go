package welcome

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// summary says how many of the servers work. It has no text if there are no servers.
func summary(t *model.Trials) Sign {
	if len(t.List) == 0 {
		return Sign{}
	}
	works, ended := t.Count()
	state, text := trying.Summary(len(t.List), works, ended)
	return Sign{State: state, Text: text}
}

// troubles returns a row for each server that has failed at least once, with buttons that help if it does not work. A
// server that is tried again keeps its row.
func (p *page) troubles(t *model.Trials) []Row {
	var rows []Row
	for _, trial := range t.Failed {
		row := p.trialRow(trial)
		if last := len(row.Buttons) - 1; last >= 0 {
			if title := p.program.RepairTitle(t.Toolbox, trial.Name); title != "" {
				// before “Try again”
				row.Buttons = slices.Insert(row.Buttons, last, Button{Text: title, Action: ActionRepair, With: trial.Name})
			}
		}
		if label := helpWord(trial); label != "" && trial.Ended && !trial.Works() {
			row.Buttons = append([]Button{{Text: label, Action: ActionHelp, With: trial.Name}}, row.Buttons...)
		}
		rows = append(rows, row)
	}
	return rows
}

// trialKey is the prefix of the keys of the rows of servers that are tried.
const trialKey = "trial "

// helpWord returns the label of a button that goes to the place where the user can fix a server. It is empty if no
// other place helps.
func helpWord(t *model.Trial) string {
	if len(t.ToFill) > 0 {
		return live.HelpWords(model.HelpFill)
	}
	help := model.Server{Server: t.Now}.Help()
	if help == model.HelpCommand || help == model.HelpAgain {
		return ""
	}
	return live.HelpWords(help)
}

// trialRow returns the row of a server that is tried.
func (p *page) trialRow(t *model.Trial) Row {
	if t.Disabled {
		row := Row{Key: trialKey + t.Name, Mark: t.Mark, Name: t.Name, Sign: Sign{State: theme.StateIdle, Text: lang.L("Switched off")}}
		if len(t.ToFill) > 0 {
			row.Sign = Sign{State: theme.StateKey, Text: live.NeedsWord(slices.ContainsFunc(t.ToFill, secret.Key))}
			row.Lines = []Line{{Text: live.ToFill(t.ToFill)}}
		}
		return row
	}
	state, word, text := trying.Words(t.Now, t.Ended, t.Tried)
	row := Row{Key: trialKey + t.Name, Mark: t.Mark, Name: t.Name, Sign: Sign{State: state, Text: word}}
	if text != "" {
		row.Lines = append(row.Lines, Line{Text: text})
	}
	if !t.Ended || t.Works() {
		return row
	}
	if product := config.ProductOf(t.Command); t.Now.Problem != nil && t.Now.Problem.Kind == status.KindProgram &&
		product.ID != "" {
		get, doing := p.getButton(product.ID, runtimes.Get(product.Name))
		row.Buttons = append(row.Buttons, get)
		row.Lines = []Line{{Text: runtimes.Absent(product.Name)}}
		if doing != "" {
			row.Lines = []Line{{Text: doing, State: theme.StateWorking}}
		}
	}
	row.Buttons = append(row.Buttons, Button{Text: lang.L("Try again"), Action: ActionTry, With: t.Name})
	return row
}
