package clients

import (
	"errors"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
)

// Moved says what happened to the entries of an app whose servers were moved.
type Moved struct {
	setup.Moved

	// Plan is the plan with what came out when its servers were tried.
	Plan imports.Plan
}

// moveChosen moves the chosen servers.
func (b *bringing) moveChosen() {
	wait := b.waits()
	plan := b.chosen()
	b.turn(func() { b.wait(wait, plan) })
	b.screen.actions.Move(b.ctx, b.offer, plan, b.keychain, wait, func(moved Moved, err error) {
		if b.gone {
			return
		}
		var running *engine.RunningError
		switch {
		case errors.As(err, &running): // the app was started meanwhile
			b.offer.Running = true
			b.relist()
		case err != nil:
			b.turn(func() { b.list(kit.ErrorSentence(err)) })
		default:
			b.turn(func() { b.moved(plan, moved) })
		}
	})
}

// wait says what goes on while servers are moved, and what the user has to do first.
func (b *bringing) wait(wait bool, plan imports.Plan) {
	text, giveUp := lang.L("Moving them…"), lang.L("Cancel")
	if wait {
		giveUp, text = lang.L("Stop waiting"), lang.L(
			"Quit {{.App}} now, from its menu or its icon next to the clock. Closing its window is not enough.", b.words())
	}
	body := []fyne.CanvasObject{kit.NewMarked(theme.StateWorking, text)}
	if !wait && len(plan.Servers) > 0 {
		body = append(body, kit.NewParagraph(
			lang.L("The first start downloads what it needs; this takes a minute or two."),
			kit.TextStyle{Color: theme.ColorMuted}))
	}
	b.show(body, b.cancel(giveUp))
}

// moved says what was done.
func (b *bringing) moved(plan imports.Plan, moved Moved) {
	count := len(plan.Servers)
	var body []fyne.CanvasObject
	if count > 0 {
		body = append(body, kit.NewMarked(theme.StateConnected, lang.N("{{.Count}} servers are in “{{.Toolbox}}” now.", count,
			map[string]any{"Count": count, "Toolbox": kit.Line(plan.Toolbox)})))
	}
	if problem := moved.Problem(); problem != nil {
		body = append(body, kit.NewMarked(theme.StateWrong, kit.ErrorSentence(problem)))
	}
	for _, file := range moved.Files {
		body = append(body, kit.NewMarked(theme.StateConnected, Removed(b.name, file.Names)))
	}
	for _, stays := range moved.Stay {
		body = append(body, kit.NewParagraph(Stays(b.name, stays), kit.Small()))
	}
	buttons := []*kit.Button{}
	if len(moved.Commands) > 0 {
		text := strings.Join(moved.Commands, "\n")
		body = append(body, kit.NewParagraph(ToRemove(b.name),
			kit.TextStyle{Bold: true}), command(text))
		buttons = append(buttons, b.copyButton(text, widget.MediumImportance))
	}
	if len(moved.Files) > 0 {
		body = append(body, kit.NewParagraph(
			lang.L("If {{.App}} is not connected yet, connect it next.", b.words()),
			kit.TextStyle{}))
		buttons = append(buttons, b.backButton(moved.Files))
	}
	done := kit.NewButton(lang.L("Done"), widget.HighImportance, func() {
		b.close()
		works := map[string]bool{}
		for i := range moved.Plan.Servers {
			server := &moved.Plan.Servers[i]
			works[server.Key()] = !server.Failed() && len(server.ToFill) == 0
		}
		if again := moved.Plan.Without(works); len(again.Servers) > 0 {
			b.screen.actions.Try(again)
		}
	})
	b.show(body, append(buttons, done)...)
}

// Removed says which servers were removed from an app.
func Removed(app string, names []string) string {
	return lang.L("Removed from {{.App}}: {{.Names}}.",
		map[string]any{"App": kit.Line(app), "Names": kit.Line(kit.SayList(names))})
}

// Stays says that an entry stays in an app, and why.
func Stays(app string, stays imports.Skipped) string {
	return kit.Together(
		lang.L("Stays in {{.App}}: {{.Name}}.", map[string]any{"App": kit.Line(app), "Name": kit.Line(stays.Name)}),
		kit.Say(stays.Reason))
}

// ToRemove introduces the command that removes an app's own entries.
func ToRemove(app string) string {
	return lang.L("To remove them from {{.App}}, run this in a terminal:", map[string]any{"App": kit.Line(app)})
}

// HasTwice says that an app has servers twice.
func HasTwice(app string, names []string) string {
	return lang.L("{{.App}} has {{.Names}} twice: from Workbench, and from its own file.",
		map[string]any{"App": kit.Line(app), "Names": kit.Line(kit.SayList(names))})
}

// takeOut offers to remove the servers that a toolbox has already. It is used if no servers are offered to bring in.
func (b *bringing) takeOut(body []fyne.CanvasObject, names []string) {
	b.move = true
	words := map[string]any{"App": b.name, "Count": len(names)}
	body = append(body, kit.NewParagraph(HasTwice(b.name, names), kit.TextStyle{}))
	label := lang.N("Remove {{.Count}} servers from {{.App}}", len(names), words)
	if b.waits() {
		body = append(body, kit.NewMarked(theme.StateNotice,
			lang.L("{{.App}} is running. Quit it fully first, or it undoes the change. Closing its window is not enough.",
				words)))
	}
	b.main = nil
	b.show(body, kit.NewButton(label, widget.MediumImportance, b.moveChosen),
		kit.NewButton(lang.L("Close"), widget.HighImportance, b.close))
}

// earlier says what was moved before, with a button to put it back.
func (b *bringing) earlier() fyne.CanvasObject {
	said := kit.NewParagraph(lang.L("Moved out of {{.App}} before: {{.Names}}.",
		map[string]any{"App": b.name, "Names": kit.SayList(setup.Names(b.offer.Earlier))}), kit.Small())
	return kit.Row(kit.Gap, kit.Rest(said), b.backButton(b.offer.Earlier))
}

// backButton returns a button that puts servers back into the files from which they were moved.
func (b *bringing) backButton(files []setup.MovedFile) *kit.Button {
	var button *kit.Button
	button = kit.NewButton(lang.L("Put them back"), widget.MediumImportance, func() {
		button.Disable()
		b.screen.actions.PutBack(files, b.back)
	})
	return button
}

// back says that the app has its servers again, or shows the error.
func (b *bringing) back(err error) {
	if b.gone {
		return
	}
	said := kit.NewMarked(theme.StateConnected,
		lang.L("{{.App}} has its servers again.", b.words()))
	if err != nil {
		said = kit.NewMarked(theme.StateWrong, kit.ErrorSentence(err))
	}
	b.show([]fyne.CanvasObject{said}, kit.NewButton(lang.L("Done"), widget.HighImportance, b.close))
}
