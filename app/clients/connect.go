package clients

import (
	"context"
	"errors"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
)

// proposal is the dialog that shows what would be done to the file of an app, and does it.
type proposal struct {
	*sheet
	id, name string
	connect  bool
	stop     context.CancelFunc // ends what is under way
}

// propose opens the dialog.
func (s *Screen) propose(id, name string, connect bool) {
	title := lang.L("Disconnect {{.App}}", map[string]any{"App": name})
	if connect {
		title = lang.L("Connect {{.App}}", map[string]any{"App": name})
	}
	p := &proposal{sheet: s.open(title), id: id, name: name, connect: connect, stop: func() {}}
	p.closed = func() { p.stop() }
	p.load()
}

// load finds out what would be done, and shows it.
func (p *proposal) load() {
	p.show([]fyne.CanvasObject{kit.NewParagraph(lang.L("Looking at its file…"), kit.TextStyle{Color: theme.ColorMuted})}, p.cancel(lang.L("Cancel")))
	p.screen.actions.Plan(p.id, p.connect, func(found Proposal, err error) {
		switch {
		case p.gone:
		case err != nil:
			more := []fyne.CanvasObject{kit.NewParagraph(lang.L("Nothing was changed."), kit.TextStyle{Color: theme.ColorMuted})}
			if found.Plan.Entry != "" {
				more = append(more, kit.NewParagraph(lang.L("Add this to it, next to what is already there:"), kit.TextStyle{Bold: true}), command(found.Plan.Entry))
			}
			p.refused(err, more...)
		case found.Plan.Paste != "":
			p.paste(found.Plan)
		default:
			p.offer(found)
		}
	})
}

// offer shows the change and the button that makes it.
func (p *proposal) offer(found Proposal) {
	plan := found.Plan
	var body []fyne.CanvasObject
	changed := plan.Changed()
	switch {
	case !changed && p.connect:
		body = append(body, kit.NewMarked(theme.StateConnected, lang.L("{{.App}} has the entry already. Nothing has to be changed.", p.words())))
	case !changed:
		body = append(body, kit.NewMarked(theme.StateIdle, lang.L("There is no entry of Workbench in {{.App}} any more. Its file stays as it is.", p.words())))
	case p.connect && slices.ContainsFunc(plan.Changes, func(change engine.Change) bool { return change.Corrects }):
		body = append(body, kit.NewParagraph(lang.L("The entry of Workbench in the file of {{.App}} is corrected. Everything else in it stays as it is.", p.words()), kit.TextStyle{}))
	case p.connect:
		body = append(body, kit.NewParagraph(lang.L("This is added to the file of {{.App}}. Everything else in it stays as it is.", p.words()), kit.TextStyle{}))
	default:
		body = append(body, kit.NewParagraph(lang.L("The entry of Workbench is taken out. Your toolboxes stay here, and everything else of {{.App}} stays as it is.", p.words()), kit.TextStyle{}))
	}
	if found.Running && changed {
		body = append(body, kit.NewMarked(theme.StateNotice, lang.L("{{.App}} is running. Quit it fully first: closing its window is not enough, and the app would undo the change.", p.words())))
	}
	kept := false
	for _, change := range plan.Changes {
		if change.Changed() {
			body = append(body, NewDiff(change.File, plan.Diff(change)))
			kept = kept || change.Before != nil
		}
	}
	small := kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted}
	if kept && p.connect {
		body = append(body, kit.NewParagraph(lang.L("A copy of the file as it is now is kept in {{.Folder}}. “Disconnect” puts it back.", map[string]any{"Folder": found.Backups}), small))
	}
	for _, note := range plan.Notes {
		body = append(body, kit.NewParagraph(kit.Say(note), small))
	}
	if !changed {
		// What is written down of the app may not be so any more.
		p.show(body, kit.NewButton(lang.L("Close"), widget.HighImportance, func() { p.carry(plan, false) }))
		return
	}
	label := lang.L("Disconnect")
	if p.connect {
		label = lang.L("Connect")
	}
	if !found.Running {
		p.show(body, p.cancel(lang.L("Cancel")), kit.NewButton(label, widget.HighImportance, func() { p.carry(plan, false) }))
		return
	}
	label = lang.L("Wait for it to quit, then disconnect")
	if p.connect {
		label = lang.L("Wait for it to quit, then connect")
	}
	p.show(body, p.cancel(lang.L("Cancel")), kit.NewButton(label, widget.HighImportance, func() { p.carry(plan, true) }))
}

// carry has it done.
func (p *proposal) carry(plan engine.Plan, wait bool) {
	text, giveUp := lang.L("Writing its file…"), lang.L("Cancel")
	if wait {
		giveUp = lang.L("Stop waiting")
		text = lang.L("Quit {{.App}} now. The change is made once it has quit.", p.words())
		if p.connect { // and looked after
			text = lang.L("Quit {{.App}} now. The change is made once it has quit, which takes a few seconds.", p.words())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.stop = cancel
	p.underWay(text, giveUp)
	p.screen.actions.Carry(ctx, plan, wait, func(err error) {
		defer cancel()
		if p.gone {
			return
		}
		var running *engine.RunningError
		switch {
		case errors.As(err, &running): // it was started meanwhile
			p.load()
		case err != nil:
			p.refused(err)
		case !p.connect:
			p.close()
			p.screen.actions.Say(lang.L("{{.App}} is disconnected.", p.words()))
		case !plan.Changed():
			p.close()
		default:
			p.left(plan.Client)
		}
	})
}

// left says what is left to do after connecting.
func (p *proposal) left(client engine.Client) {
	body := []fyne.CanvasObject{kit.NewMarked(theme.StateConnected, lang.L("The entry is in the file of {{.App}}.", p.words()))}
	for _, sentence := range client.Next() {
		body = append(body, kit.NewParagraph(kit.Say(sentence), kit.TextStyle{}))
	}
	body = append(body, kit.NewParagraph(lang.L("Once it has started Workbench, it shows as connected here."), kit.TextStyle{Color: theme.ColorMuted}))
	p.show(body, kit.NewButton(lang.L("Done"), widget.HighImportance, p.close))
}

// refused says what went wrong. Once writing was begun, the error alone tells what was changed: another file, or the entry that
// was there for a moment.
func (p *proposal) refused(err error, more ...fyne.CanvasObject) {
	p.show(append([]fyne.CanvasObject{kit.NewMarked(theme.StateWrong, kit.ErrorSentence(err))}, more...), kit.NewButton(lang.L("Try again"), widget.MediumImportance, p.load), kit.NewButton(lang.L("Close"), widget.HighImportance, p.close))
}

// paste shows what people do themselves.
func (p *proposal) paste(plan engine.Plan) {
	body := []fyne.CanvasObject{
		kit.NewParagraph(kit.Say(plan.Client.Say(plan.Client.ByHand)), kit.TextStyle{}),
		kit.NewParagraph(lang.L("Run this in a terminal:"), kit.TextStyle{Bold: true}),
		command(plan.Paste),
	}
	if p.connect {
		for _, sentence := range plan.Client.Next() {
			body = append(body, kit.NewParagraph(kit.Say(sentence), kit.TextStyle{Color: theme.ColorMuted}))
		}
	}
	p.show(body, p.cancel(lang.L("Close")), p.copyButton(plan.Paste, widget.HighImportance))
}

func (p *proposal) words() map[string]any { return map[string]any{"App": p.name} }
