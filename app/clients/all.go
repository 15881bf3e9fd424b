package clients

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// parting is one app that is to be disconnected.
type parting struct {
	id, name string
	found    Proposal
	err      error // why it cannot be, or was not
	done     bool
}

// parted is the dialog that disconnects all apps.
type parted struct {
	*sheet
	apps []*parting
	stop context.CancelFunc // ends what is under way
}

// registered tells whether Workbench has made an entry for the app, also when that has vanished since.
func (c Card) registered() bool { return c.Disconnect || c.LeaveOut }

// disconnectAll opens the dialog.
func (s *Screen) disconnectAll() {
	p := &parted{sheet: s.open(lang.L("Disconnect all AI apps")), stop: func() {}}
	p.closed = func() { p.stop() }
	for _, card := range s.view.Cards {
		if card.registered() {
			p.apps = append(p.apps, &parting{id: card.ID, name: card.Name})
		}
	}
	p.load()
}

// load finds out of each app that is left what would be done.
func (p *parted) load() {
	p.show([]fyne.CanvasObject{kit.NewParagraph(lang.L("Looking at their files…"), kit.TextStyle{Color: theme.ColorMuted})}, p.cancel(lang.L("Cancel")))
	waiting := 0
	for _, app := range p.apps {
		if !app.done {
			waiting++
		}
	}
	for _, app := range p.apps {
		if app.done {
			continue
		}
		p.screen.actions.Plan(app.id, false, func(found Proposal, err error) {
			app.found, app.err = found, err
			if waiting--; waiting == 0 && !p.gone {
				p.offer()
			}
		})
	}
}

// offer shows what would be taken out of which file.
func (p *parted) offer() {
	body := []fyne.CanvasObject{kit.NewParagraph(lang.L("The entry of Workbench is taken out of each of these apps. Your toolboxes stay here, and everything else of the apps stays as it is."), kit.TextStyle{})}
	todo := 0
	for _, app := range p.apps {
		if app.err == nil && !app.done && app.found.Plan.Paste == "" {
			todo++
		}
	}
	body = append(body, p.rows())
	if todo == 0 {
		p.show(body, kit.NewButton(lang.L("Try again"), widget.MediumImportance, p.load), kit.NewButton(lang.L("Close"), widget.HighImportance, p.close))
		return
	}
	p.show(body, p.cancel(lang.L("Cancel")), kit.NewButton(lang.N("Disconnect {{.Count}} AI apps", todo, map[string]any{"Count": todo}), widget.HighImportance, p.carry))
}

// rows are the apps, each with how it stands.
func (p *parted) rows() fyne.CanvasObject {
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	rows := kit.Column(0)
	for i, app := range p.apps {
		if i > 0 {
			rows.Add(kit.NewLine())
		}
		state, word := theme.StateIdle, lang.L("The entry is taken out of:")
		var running *engine.RunningError
		words := map[string]any{"App": app.name}
		switch {
		case app.done:
			state, word = theme.StateConnected, lang.L("Disconnected")
		case errors.As(app.err, &running), app.err == nil && app.found.Running && app.found.Plan.Changed():
			state, word = theme.StateNotice, lang.L("{{.App}} is running. Quit it fully; Workbench waits for that.", words)
		case app.err != nil:
			state, word = theme.StateWrong, kit.ErrorSentence(app.err)
		case app.found.Plan.Paste != "":
			word = lang.L("Run this in a terminal:")
		case !app.found.Plan.Changed():
			word = lang.L("There is no entry of Workbench in {{.App}} any more. Its file stays as it is.", words)
		}
		lines := kit.Column(kit.GapHair, kit.NewText(app.name, kit.TextStyle{Bold: true, Shrinks: true}), kit.NewMarked(state, word))
		if !app.done && app.err == nil {
			if paste := app.found.Plan.Paste; paste != "" {
				lines.Add(command(paste))
			}
			for _, change := range app.found.Plan.Changes {
				if change.Changed() {
					lines.Add(kit.NewParagraph(change.File, small))
				}
			}
		}
		rows.Add(kit.Inset(lines, kit.GapWide, kit.GapWide))
	}
	return kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorLine, Radius: theme.SizeCardRadius}, rows)
}

// carry disconnects one app after the other: first those that can be at once, then those that must be quit.
func (p *parted) carry() {
	ctx, cancel := context.WithCancel(context.Background())
	p.stop = cancel
	var order []*parting
	for _, waits := range []bool{false, true} {
		for _, app := range p.apps {
			if !app.done && app.err == nil && app.found.Plan.Paste == "" && app.found.Running == waits {
				order = append(order, app)
			}
		}
	}
	p.next(ctx, order)
}

func (p *parted) next(ctx context.Context, order []*parting) {
	if p.gone {
		return
	}
	if len(order) == 0 {
		p.stop()
		p.report()
		return
	}
	app := order[0]
	text, giveUp := lang.L("Disconnecting {{.App}}…", map[string]any{"App": app.name}), lang.L("Cancel")
	wait := app.found.Running && app.found.Plan.Changed()
	if wait {
		text, giveUp = lang.L("Quit {{.App}} now. The change is made once it has quit.", map[string]any{"App": app.name}), lang.L("Stop waiting")
	}
	p.underWay(text, giveUp, p.rows())
	p.screen.actions.Carry(ctx, app.found.Plan, wait, func(err error) {
		app.err, app.done = err, err == nil
		p.next(ctx, order[1:])
	})
}

// report says of each app what came of it.
func (p *parted) report() {
	var failed []string
	for _, app := range p.apps {
		if !app.done {
			failed = append(failed, app.name)
		}
	}
	if len(failed) == 0 {
		p.show([]fyne.CanvasObject{kit.NewMarked(theme.StateConnected, lang.L("No AI app is connected any more. Your toolboxes stay here.")), p.rows()},
			kit.NewButton(lang.L("Done"), widget.HighImportance, p.close))
		return
	}
	p.show([]fyne.CanvasObject{kit.NewMarked(theme.StateWrong, lang.L("Not disconnected: {{.Names}}.", map[string]any{"Names": kit.SayList(failed)})), p.rows()},
		kit.NewButton(lang.L("Try again"), widget.MediumImportance, p.load), kit.NewButton(lang.L("Close"), widget.HighImportance, p.close))
}
