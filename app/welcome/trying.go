package welcome

import (
	"context"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/add"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// trials are the servers of one toolbox while they are tried: those of the example, or those that were brought in.
type trials struct {
	toolbox string
	list    []*trial
}

// trial is how it goes with one server.
type trial struct {
	add.Tried
	runs   string   // what is started, or its address; empty where that may hold secrets
	toFill []string // names of values that it needs first
	waits  bool     // it is switched off, or waits for these: it is not tried
	now    status.Server
	begun  bool
	ended  bool
	cancel context.CancelFunc
}

// atOnce is how many servers are tried at the same time: the first start of many of them downloads something.
const atOnce = 4

// trialsOf are those of servers that were brought in.
func trialsOf(brought imports.Plan) trials {
	t := trials{toolbox: brought.Toolbox}
	for i := range brought.Servers {
		found := &brought.Servers[i]
		waits := len(found.ToFill) > 0 || found.Entry.Disabled
		tried := add.ToTry(&found.Entry)
		tried.Name = found.As
		t.list = append(t.list, &trial{Tried: tried, toFill: found.ToFill, waits: waits, begun: waits, ended: waits})
	}
	return t
}

func (t *trial) works() bool { return t.ended && t.now.State == status.Connected }

// count tells how many of the servers work, and how many have been tried to the end.
func (t *trials) count() (works, ended int) {
	for _, trial := range t.list {
		if trial.ended {
			ended++
		}
		if trial.works() {
			works++
		}
	}
	return works, ended
}

// summary says how many of the servers work; no text when there are none.
func (t *trials) summary() Sign {
	if len(t.list) == 0 {
		return Sign{}
	}
	works, ended := t.count()
	state, text := add.Summary(len(t.list), works, ended)
	return Sign{state, text}
}

// troubles are the servers that were tried and do not work, each with what helps.
func (t *trials) troubles() []Row {
	var rows []Row
	for _, trial := range t.list {
		if trial.ended && !trial.works() {
			row := trial.row()
			if label := trial.helpWord(); label != "" {
				row.Buttons = append([]Button{{Text: label, Action: ActionHelp, With: trial.Name}}, row.Buttons...)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// helpWord names what helps a server elsewhere in the window; empty when what helps is a button of its row.
func (t *trial) helpWord() string {
	kind := status.KindOther
	if t.now.Problem != nil {
		kind = t.now.Problem.Kind
	}
	switch {
	case len(t.toFill) > 0, kind == status.KindVariable:
		return lang.L("Fill it in")
	case t.waits, kind == status.KindProgram, kind == status.KindNetwork:
		return ""
	case t.now.State == status.SignIn, kind == status.KindSignIn:
		return lang.L("Sign in…")
	}
	return lang.L("Show its log")
}

// row shows how it goes with a server.
func (t *trial) row() Row {
	if t.waits {
		row := Row{Key: "trial " + t.Name, Name: t.Name, Sign: Sign{theme.StateIdle, lang.L("Switched off")}}
		if len(t.toFill) > 0 {
			row.Sign = Sign{theme.StateNotice, lang.L("Not complete yet")}
			row.Lines = []Line{{Text: lang.L("To fill in afterwards: {{.Names}}.", listed(t.toFill))}}
		}
		return row
	}
	state, word, text := add.TrialWords(t.now, t.ended, t.Tried)
	row := Row{Key: "trial " + t.Name, Name: t.Name, Runs: t.runs, Sign: Sign{state, word}}
	if text != "" {
		row.Lines = append(row.Lines, Line{Text: text})
	}
	if !t.ended || t.works() {
		return row
	}
	needs := catalogue.NeedsOf(t.Command)
	if t.now.Problem != nil && t.now.Problem.Kind == status.KindProgram && needs.Link() != "" {
		row.Buttons = append(row.Buttons, Button{Text: lang.L("Get {{.What}}", map[string]any{"What": needs.Name()}), Action: ActionGet, With: needs.Link()})
	}
	row.Buttons = append(row.Buttons, Button{Text: lang.L("Try again"), Action: ActionTry, With: t.Name})
	return row
}

// giveUp ends what is under way.
func (t *trials) giveUp() {
	for _, trial := range t.list {
		if trial.cancel != nil {
			trial.cancel()
		}
	}
}

// tryNext begins to try servers that were not tried yet, a few at the same time.
func (s *Screen) tryNext(t *trials) {
	under := 0
	for _, trial := range t.list {
		if trial.begun && !trial.ended {
			under++
		}
	}
	for _, trial := range t.list {
		if under < atOnce && !trial.begun {
			under++
			s.run(t, trial)
		}
	}
}

// tryAgain tries a server once more.
func (s *Screen) tryAgain(name string) {
	for _, t := range []*trials{&s.model.example.trials, &s.model.bring.trials} {
		for _, trial := range t.list {
			if trial.Name == name && trial.ended && !trial.waits {
				trial.begun, trial.ended = false, false
			}
		}
		s.tryNext(t)
	}
	s.showPage()
}

func (s *Screen) run(all *trials, t *trial) {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel, t.begun, t.now = cancel, true, status.Server{State: status.Starting}
	s.actions.Try(ctx, all.toolbox, t.Name, func(now status.Server) {
		if ctx.Err() == nil {
			t.now = now
			s.draw()
		}
	}, func(now status.Server) {
		defer cancel()
		if ctx.Err() == nil {
			t.now, t.ended = now, true
			s.tryNext(all)
			s.draw()
		}
	})
}
