package add

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// trialPage is the last step: the servers were added, and each of them is tried.
type trialPage struct {
	model.Trials
	dialog  *Dialog
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
	case r.stopped:
		return theme.StateIdle, lang.L("Not checked"), lang.L("Starts when an AI app opens this toolbox.")
	case !r.trial.Begun:
		return theme.StateIdle, lang.L("Waiting"), ""
	}
	return TrialWords(r.trial.Now, r.trial.Ended, r.trial.Tried)
}

// TrialWords returns texts about a trial that is running or has ended: its state, a short text and a sentence, which
// may be empty.
func TrialWords(now status.Server, ended bool, server model.Tried) (state theme.State, word, sentenceText string) {
	switch {
	case !ended && (now.Installing || downstream.MayInstall(&config.Server{Command: server.Command})):
		return theme.StateWorking, lang.L("Starting…"),
			lang.L("The first start downloads what it needs; this takes a minute or two.")
	case !ended:
		return theme.StateWorking, lang.L("Starting…"), ""
	case now.State == status.Connected:
		count := now.AllTools
		if count == 0 {
			count = now.Tools
		}
		if count == 0 {
			return theme.StateConnected, lang.L("Ready"), lang.L("This server has no tools")
		}
		word = lang.N("Works · {{.Count}} tools", count, map[string]any{"Count": count})
		if server.Keyed {
			sentenceText = lang.L("You will see whether its key is right when one of its tools is used for the first time.")
		}
		if now.Marked > 0 {
			return theme.StateNotice, word,
				lang.N("The texts of {{.Count}} tools may try to steer the AI. They are marked in the Tools tab of the server.",
					now.Marked, map[string]any{"Count": now.Marked})
		}
		return theme.StateConnected, word, sentenceText
	case now.Problem != nil && (now.Problem.Kind == status.KindKey || now.Problem.Kind == status.KindVariable):
		shown := live.Words(model.Server{Server: now}, time.Now())
		return shown.State, shown.Word, shown.Detail
	case now.State == status.SignIn || now.Problem != nil && now.Problem.Kind == status.KindSignIn:
		if now.Problem == nil {
			return theme.StateKey, lang.L("Needs sign-in"), lang.L("It wants you to sign in with your account.")
		}
		return theme.StateKey, lang.L("Needs sign-in"), problemText(now.Problem)
	}
	return theme.StateWrong, lang.L("Couldn't start"), problemText(now.Problem)
}

func problemText(p *status.Problem) string {
	if p == nil {
		return lang.L("It ended by itself.")
	}
	return live.ProblemText(p)
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
		offer(again, r.run)
	case status.KindVariable, status.KindKey:
		offer(live.HelpFill.Words(), edit(model.Server{Server: t.Now}.ToFill()[0].Path()))
		offer(again, r.run)
	case status.KindNetwork:
		offer(again, r.run)
		offer(live.HelpSettings.Words(), edit("url"))
	case status.KindSignIn:
		offer(lang.L("Sign in…"), func() {
			d.Close()
			d.program.SignIn(at)
		})
		offer(live.HelpFill.Words(), edit("headers"))
		offer(again, r.run)
	case status.KindTimeout:
		offer(again, r.run)
		offer(live.HelpLog.Words(), log)
		offer(live.HelpSettings.Words(), edit(""))
	default:
		offer(live.HelpLog.Words(), log)
		offer(live.HelpSettings.Words(), edit("args"))
		offer(again, r.run)
	}
	return list
}

// failed reports whether the trial has ended and the server does not work.
func (r *trialRow) failed() bool {
	return r.trial.Ended && !r.trial.Works() && !r.stopped && !r.trial.Disabled
}

// programInstalled tries the server again if it does not work and no trial is running.
func (r *trialRow) programInstalled() {
	if r.failed() {
		r.run()
	}
}

// trialRow is the card of one trial.
type trialRow struct {
	page    *trialPage
	trial   *model.Trial
	stopped bool          // by the user
	tools   []status.Tool // what the server can do; nil until that is known
	root    *fyne.Container
	cancel  context.CancelFunc // ends the current attempt, whose reports are ignored from then on; never nil
}

func newTrialPage(d *Dialog, toolbox string, servers []model.Tried) *trialPage {
	p := &trialPage{Trials: model.Trials{Toolbox: toolbox}, dialog: d}
	column := kit.Column(kit.GapWide)
	for _, server := range servers {
		row := &trialRow{page: p, trial: &model.Trial{Tried: server, Begun: server.Disabled, Ended: server.Disabled},
			root: container.NewStack(), cancel: func() {}}
		p.List = append(p.List, row.trial)
		p.rows = append(p.rows, row)
		column.Add(row.root)
	}
	p.page = kit.NewPage(kit.Inset(column, kit.GapTight, kit.GapEdge))
	p.more = kit.NewButton(lang.L("Add another"), widget.MediumImportance, p.another)
	p.done = kit.NewButton(lang.L("Done"), widget.HighImportance, p.leave)
	where := kit.NewText(lang.L("In the toolbox “{{.Name}}”", map[string]any{"Name": toolbox}),
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
		_, text := Summary(len(p.rows), works, ended)
		return text
	}
	return lang.N("{{.Count}} servers are added", len(p.rows), map[string]any{"Count": len(p.rows)})
}

// start tries all servers, a few at a time.
func (p *trialPage) start() {
	p.next()
	p.dialog.focus(p.done)
}

// maxTrials is the most servers that are tried at the same time. Each of them may be downloading.
const maxTrials = 3

// next starts waiting trials, up to maxTrials at the same time.
func (p *trialPage) next() {
	for _, trial := range p.Next(maxTrials) {
		p.rows[slices.Index(p.List, trial)].run()
	}
}

// stop ends all trials.
func (p *trialPage) stop() {
	for _, row := range p.rows {
		row.cancel()
	}
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
		wrong = wrong || row.failed()
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
	p.stop()
	d.trial = nil
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

// run tries the server.
func (r *trialRow) run() {
	r.cancel()
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	r.tools = nil
	r.stopped, r.trial.Begun, r.trial.Ended, r.trial.Now = false, true, false, status.Server{State: status.Starting}
	r.draw()
	r.page.dialog.program.Try(ctx, r.page.Toolbox, r.trial.Name, func(s status.Server) {
		if ctx.Err() == nil {
			r.trial.Now = s
			r.draw()
		}
	}, func(s status.Server) {
		if ctx.Err() == nil {
			r.end(s)
		}
	})
}

// end ends the trial with the last state of the server.
func (r *trialRow) end(now status.Server) {
	r.cancel()
	r.trial.Now, r.trial.Ended = now, true
	r.draw()
	if r.trial.Works() {
		r.page.dialog.program.Tools(r.at(), func(tools []status.Tool) {
			r.tools = tools
			r.draw()
		})
	}
	r.page.next()
	r.page.dialog.focus(r.page.done)
}

func (r *trialRow) at() model.Choice {
	return model.Choice{Toolbox: r.page.Toolbox, Server: r.trial.Name}
}

// abilities names what the server can do now, and offers to try one of its tools: one that changes nothing, if there is
// one.
func (r *trialRow) abilities() fyne.CanvasObject {
	var titles []string
	for _, tool := range r.tools {
		titles = append(titles, tryit.Define(tool.Definition).Called(tool.Name))
	}
	said := lang.L("It can now: {{.Tools}}.", map[string]any{"Tools": live.Names(titles)})
	return kit.Column(kit.Gap, kit.NewParagraph(said, kit.TextStyle{}), kit.Row(0,
		kit.NewButton(lang.L("Try one"), widget.MediumImportance, func() {
			r.page.dialog.Close()
			r.page.dialog.program.TryTool(r.at(), tryit.First(r.tools))
		})))
}

// giveUp stops the trial.
func (r *trialRow) giveUp() {
	r.stopped = true
	r.end(status.Server{})
}

// draw shows the state of the trial.
func (r *trialRow) draw() {
	state, word, text := r.words()
	name := kit.NewText(r.trial.Name, kit.TextStyle{Size: theme.SizeHeading, Bold: true, Shrinks: true})
	lines := kit.Column(kit.Gap, kit.Row(kit.GapWide, name, kit.NewText(word, kit.TextStyle{Color: state.Color()})))
	if text != "" {
		lines.Add(kit.NewParagraph(text, kit.TextStyle{Color: theme.ColorMuted}))
	}
	if r.trial.Works() && len(r.tools) > 0 {
		lines.Add(r.abilities())
	}
	row := kit.Row(kit.GapWide, kit.Rest(kit.Marked(state, lines)))
	switch {
	case r.stopped:
		row.Add(kit.NewButton(lang.L("Try again"), widget.MediumImportance, r.run))
	case r.trial.Begun && !r.trial.Ended:
		row.Add(kit.NewButton(lang.L("Stop"), widget.MediumImportance, r.giveUp))
	case r.failed():
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
