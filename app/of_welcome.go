package app

import (
	"context"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/apps/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/apps/setup"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// ofWelcome carries out what the user does in the first steps.
type ofWelcome struct{ *controller }

var _ welcome.Program = ofWelcome{}

func (p ofWelcome) Facts() welcome.Facts {
	return welcome.FactsOf(&p.model, p.model.Findings.Usable() != model.Choice{})
}

func (p ofWelcome) Changed() { p.redraw() }

func (p ofWelcome) Look(again bool) {
	p.model.Apps.Known = p.model.Apps.Known && !again
	if p.visible.Load() {
		p.apps.Find()
	}
}

func (p ofWelcome) Read(apps []string, done func(clients.Offer, error)) { p.apps.ServersOf(apps, done) }

func (p ofWelcome) Bring(offer clients.Offer, plan imports.Plan, keychain bool, done func(error)) {
	p.apps.Add(offer, plan, keychain, done)
}

func (p ofWelcome) Example(servers []welcome.ExampleServer, done func(string, error)) {
	welcome.AddExample(p.saver, p.now.ToolboxNames(), servers, done)
}

func (p ofWelcome) Try(ctx context.Context, toolbox, server string, report, done func(status.Server)) {
	p.adding.Try(ctx, toolbox, server, report, done)
}

func (p ofWelcome) repair(toolbox, server string) *config.Diagnostic {
	if found := p.model.Findings.Of(model.Choice{Toolbox: toolbox, Server: server}); found != nil {
		return found.Repair
	}
	return nil
}

func (p ofWelcome) RepairTitle(toolbox, server string) string {
	if problem := p.repair(toolbox, server); problem != nil {
		return kit.Say(problem.Fix.Title)
	}
	return ""
}

func (p ofWelcome) Repair(toolbox, server string, done func(error)) {
	if problem := p.repair(toolbox, server); problem != nil {
		p.saver.ApplyFix(*problem, done)
	}
}

func (p ofWelcome) Help(toolbox, server string) {
	p.fix(model.Choice{Toolbox: toolbox, Server: server})
}

func (p ofWelcome) TryTool() {
	at := p.model.Findings.Usable()
	p.showTab(at, model.TabTools)
	ofAdding(p).Tools(at, func(tools []status.Tool) {
		// meanwhile, the user may have gone on
		if len(tools) > 0 && p.toolboxes.Selected() == at && p.detail.Shows(model.TabTools) {
			p.detail.Tools.Try(tryit.First(tools))
		}
	})
}

func (p ofWelcome) Later(wait time.Duration, f func()) { p.tasks.Later(wait, f) }

func (p ofWelcome) Plan(id string, connect bool, done func(clients.Proposal, error)) {
	p.apps.Plan(id, connect, done)
}

func (p ofWelcome) Carry(ctx context.Context, plan engine.Plan, wait bool, done func(error)) {
	p.apps.Carry(ctx, plan, wait, done)
}

func (p ofWelcome) TakeOver(ctx context.Context, plan engine.Plan, brought imports.Plan, wait bool,
	done func(setup.Moved, error)) {
	p.apps.TakeOver(ctx, plan, brought, wait, done)
}

func (p ofWelcome) Preview(plan engine.Plan, brought imports.Plan, done func(setup.Preview)) {
	p.apps.Preview(plan, brought, done)
}

func (p ofWelcome) Getting(id string) (label, doing string) { return p.runtimes.Words(id) }
func (p ofWelcome) Get(id string, there func()) bool        { return p.runtimes.GetOrCancel(id, there) }
func (p ofWelcome) Copy(text string)                        { p.window.Copy(text) }
func (p ofWelcome) OpenURL(address string)                  { p.window.OpenURL(address) }

func (p ofWelcome) CanUpdate() bool { return p.options.Updates != nil }

func (p ofWelcome) AllowUpdates(on bool) {
	p.computer.SetUpdates(on, func(err error) {
		// If it is kept, and only the first request has failed, the next one may not. Settings says so.
		if err != nil && p.model.Updates.Allowed != on {
			p.window.Say(kit.ErrorSentence(err))
		}
		p.redraw()
	})
}

func (p ofWelcome) Reached(step model.Step) {
	switch step {
	case model.StepConnect:
		p.rememberSteps(model.FirstStepsConnect)
	case model.StepDone:
		p.rememberSteps(model.FirstStepsDone)
	}
	p.apps.Find() // an app may have been installed meanwhile
}

func (p ofWelcome) Finish() {
	p.rememberSteps(model.FirstStepsOver)
	p.places.Choose(placeToolboxes)
	p.welcome, p.steps, p.model.Steps = nil, nil, nil
	p.places.Forget(placeWelcome)
}

// rememberSteps saves how far the user is in the first steps.
func (p ofWelcome) rememberSteps(at model.FirstSteps) {
	p.reached.Store(&at)
	// If two saves overlap, both write the newest value.
	p.prefer(func(kept *model.Preferences) { kept.FirstSteps = *p.reached.Load() }, func(err error) {
		if err != nil {
			p.options.Logger.Warn("The first steps are not remembered", "error", err)
		}
	})
}
