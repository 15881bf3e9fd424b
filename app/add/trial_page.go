package add

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/trying"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// trialPage is the last step: the servers were added, and each of them is tried.
type trialPage struct {
	*model.Trials
	dialog  *Dialog
	runner  *trying.Runner
	rows    []*trialRow
	counted bool // the title says how many servers work, because the servers were in the toolbox before

	page *kit.Page
	foot fyne.CanvasObject
	more *kit.Button
	done *kit.Button
}

// words returns the state of the trial, a short text and a sentence.
func (r *trialRow) words() (state theme.State, word, sentence string) {
	switch {
	case r.trial.Disabled:
		return theme.StateDisabled, lang.L("Switched off"), ""
	case r.trial.Stopped:
		return theme.StateIdle, lang.L("Not checked"), lang.L("Starts when an AI app opens this toolbox.")
	case !r.trial.Begun:
		return theme.StateIdle, lang.L("Waiting"), ""
	}
	return trying.Words(r.trial.Now, r.trial.Ended, r.trial.Tried)
}

// remedy is a button that may solve a problem.
type remedy struct {
	label string
	act   func()
	get   fyne.CanvasObject // shown instead of the button; may be nil
}

// remedies returns the remedies for the problem of the server, the most likely first.
func (r *trialRow) remedies() []remedy {
	d, t := r.page.dialog, r.trial
	at := r.at()
	var list []remedy
	offer := func(label string, act func()) { list = append(list, remedy{label: label, act: act}) }
	edit := func(field string) func() {
		return func() {
			d.Close()
			d.program.ShowField(at, field)
		}
	}
	log := func() {
		d.Close()
		d.program.ShowLog(at)
	}
	kind := status.KindOther
	if t.Now.Problem != nil {
		kind = t.Now.Problem.Kind
	}
	if t.Now.State == status.SignIn {
		kind = status.KindSignIn
	}
	again := lang.L("Try again")
	switch kind {
	case status.KindProgram:
		program := t.Command
		if t.Now.Problem.Program != "" {
			program = t.Now.Problem.Program
		}
		product := config.ProductOf(program)
		if get := d.getter(product, widget.MediumImportance, r.programInstalled); get != nil {
			list = append(list, remedy{label: product.Name, get: get})
		} else if product.Page != "" {
			offer(runtimes.Get(product.Name), func() { d.program.OpenURL(product.Page) })
		}
		offer(lang.L("Change the command"), edit("command"))
		offer(again, r.again)
	case status.KindVariable, status.KindKey:
		offer(live.HelpWords(model.HelpFill), edit(model.Server{Server: t.Now}.ToFill()[0].Path()))
		offer(again, r.again)
	case status.KindNetwork:
		offer(again, r.again)
		offer(live.HelpWords(model.HelpSettings), edit("url"))
	case status.KindSignIn:
		offer(lang.L("Sign in…"), func() {
			d.Close()
			d.program.SignIn(at)
		})
		offer(live.HelpWords(model.HelpFill), edit("headers"))
		offer(again, r.again)
	case status.KindTimeout:
		offer(again, r.again)
		offer(live.HelpWords(model.HelpLog), log)
		offer(live.HelpWords(model.HelpSettings), edit(""))
	default:
		offer(live.HelpWords(model.HelpLog), log)
		offer(live.HelpWords(model.HelpSettings), edit("args"))
		offer(again, r.again)
	}
	return list
}

// programInstalled tries the server again if it does not work and no trial is running.
func (r *trialRow) programInstalled() {
	if r.trial.Failed() {
		r.again()
	}
}

// trialRow is the card of one trial.
type trialRow struct {
	page  *trialPage
	trial *model.Trial
	root  *fyne.Container
}

// tries makes the page of some trials.
func (d *Dialog) tries(trials *model.Trials) {
	d.trial = newTrialPage(d, trials)
	d.trial.runner = trying.NewRunner(context.Background(), trials, d.trial)
	d.program.Tried(trials)
}

func newTrialPage(d *Dialog, trials *model.Trials) *trialPage {
	p := &trialPage{Trials: trials, dialog: d}
	column := kit.Column(kit.GapWide)
	for _, trial := range trials.List {
		row := &trialRow{page: p, trial: trial, root: container.NewStack()}
		p.rows = append(p.rows, row)
		column.Add(row.root)
	}
	p.page = kit.NewPage(kit.Inset(column, kit.GapTight, kit.GapEdge))
	p.more = kit.NewButton(lang.L("Add another"), widget.MediumImportance, p.another)
	p.done = kit.NewButton(lang.L("Done"), widget.HighImportance, p.leave)
	where := kit.NewText(lang.L("In the toolbox “{{.Name}}”", map[string]any{"Name": trials.Toolbox}),
		kit.TextStyle{Color: theme.ColorMuted, Shrinks: true})
	p.foot = kit.Row(kit.Gap, kit.Rest(where), p.more, p.done)
	for _, row := range p.rows {
		row.draw()
	}
	return p
}

func (p *trialPage) title() string {
	if p.counted {
		works, ended := p.Count()
		_, text := trying.Summary(len(p.rows), works, ended)
		return text
	}
	return lang.N("{{.Count}} servers are added", len(p.rows), map[string]any{"Count": len(p.rows)})
}

// start tries all servers, a few at a time.
func (p *trialPage) start() {
	p.runner.Next()
	p.dialog.focus(p.done)
}

// Try starts a server.
func (p *trialPage) Try(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	p.dialog.program.Try(ctx, toolbox, server, report, done)
}

// Changed shows how a trial goes. Of a server that works it finds out what it can do.
func (p *trialPage) Changed(trial *model.Trial) {
	row := p.rows[slices.Index(p.List, trial)]
	row.draw()
	if !trial.Ended {
		return
	}
	if trial.Works() && trial.Tools == nil {
		p.dialog.program.Tools(row.at(), func(tools []status.Tool) {
			trial.Tools = tools
			row.draw()
		})
	}
	p.dialog.focus(p.done)
}

// leave closes the dialog and shows what was added.
func (p *trialPage) leave() {
	p.dialog.Close()
	at := model.Choice{Toolbox: p.Toolbox}
	if len(p.rows) == 1 {
		at = p.rows[0].at()
	}
	p.dialog.program.Added(at)
}

// follow updates what depends on all trials.
func (p *trialPage) follow() {
	wrong := false
	for _, row := range p.rows {
		wrong = wrong || row.trial.Failed()
	}
	if p.counted && p.dialog.trial == p {
		p.dialog.title.Set(p.title())
	}
	importance := widget.HighImportance
	if wrong { // the remedies are more important now
		importance = widget.MediumImportance
	}
	if p.done.Importance != importance {
		p.done.Importance = importance
		p.done.Refresh()
	}
	p.page.Arrange()
	p.page.Refresh()
}

// another goes back to the first step to add another server to the same toolbox.
func (p *trialPage) another() {
	d := p.dialog
	p.runner.Stop()
	d.trial = nil
	d.program.Tried(nil)
	if d.places.isNew() {
		d.places.toolboxes = append(d.places.toolboxes, p.Toolbox)
		d.places.toolbox = p.Toolbox
	}
	way := d.chooser.way()
	d.chooser = newChooser(d)
	d.show(stepChoose)
	d.chooser.choose(way)
	d.chooser.focus()
}

func (r *trialRow) again()  { r.page.runner.Again(r.trial) }
func (r *trialRow) giveUp() { r.page.runner.GiveUp(r.trial) }

func (r *trialRow) at() model.Choice {
	return model.Choice{Toolbox: r.page.Toolbox, Server: r.trial.Name}
}

// abilities names what the server can do now, and offers to try one of its tools: one that changes nothing, if there
// is one.
func (r *trialRow) abilities() fyne.CanvasObject {
	var titles []string
	for _, tool := range r.trial.Tools {
		titles = append(titles, tryit.Define(tool.Definition).Called(tool.Name))
	}
	said := lang.L("It can now: {{.Tools}}.", map[string]any{"Tools": live.Names(titles)})
	return kit.Column(kit.Gap, kit.NewParagraph(said, kit.TextStyle{}), kit.Row(0,
		kit.NewButton(lang.L("Try one"), widget.MediumImportance, func() {
			r.page.dialog.Close()
			r.page.dialog.program.TryTool(r.at(), tryit.First(r.trial.Tools))
		})))
}

// draw shows the state of the trial.
func (r *trialRow) draw() {
	state, word, text := r.words()
	name := kit.NewText(r.trial.Name, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	lines := kit.Column(kit.Gap, kit.Row(kit.GapWide, name, kit.NewText(word, kit.TextStyle{Color: state.Color()})))
	if text != "" {
		lines.Add(kit.NewParagraph(text, kit.TextStyle{Color: theme.ColorMuted}))
	}
	if r.trial.Works() && len(r.trial.Tools) > 0 {
		lines.Add(r.abilities())
	}
	row := kit.Row(kit.GapWide, kit.Rest(kit.Marked(state, lines)))
	switch {
	case r.trial.Stopped:
		row.Add(kit.NewButton(lang.L("Try again"), widget.MediumImportance, r.again))
	case r.trial.Begun && !r.trial.Ended:
		row.Add(kit.NewButton(lang.L("Stop"), widget.MediumImportance, r.giveUp))
	case r.trial.Failed():
		flow := kit.NewFlow(kit.Gap)
		importance := widget.HighImportance // the first button is the main one
		for _, remedy := range r.remedies() {
			if remedy.get != nil {
				flow.Add(remedy.get)
				continue
			}
			flow.Add(kit.NewButton(remedy.label, importance, remedy.act))
			importance = widget.MediumImportance
		}
		lines.Add(kit.Inset(flow, kit.GapTight, 0))
	}
	r.root.Objects = []fyne.CanvasObject{kit.NewCard(row)}
	r.page.follow()
}
