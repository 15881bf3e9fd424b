package app

import (
	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
)

// greet shows the first steps when the window is first shown, if there are no servers yet or the steps were
// interrupted. It does not show them again after the user has finished or skipped them.
func (c *controller) greet() {
	if c.greeted {
		return
	}
	c.greeted = true
	// Without preferences, nothing could remember that the steps are over.
	if c.options.Preferences == nil || c.options.Apps == nil || c.now.view.Broken || c.places.At() != placeToolboxes {
		return
	}
	switch c.options.Preferences.Get().FirstSteps {
	case model.FirstStepsNone:
		if c.now.ServerCount() == 0 {
			c.firstSteps(model.StepBring)
		}
	case model.FirstStepsConnect:
		c.firstSteps(model.StepConnect)
	case model.FirstStepsDone:
		c.firstSteps(model.StepDone)
	}
}

// firstSteps shows the first steps. If they have not begun yet, they begin at the given step.
func (c *controller) firstSteps(at model.Step) {
	if c.model.Steps == nil {
		c.model.Steps = model.NewSteps(at)
		c.steps = welcome.NewService(c.model.Steps, c.welcomeActions())
	}
	c.places.Choose(placeWelcome)
	c.welcome.Focus()
}

// welcomeScreen makes the screen of the first steps, which must have begun.
func (c *controller) welcomeScreen() frame.Screen {
	steps := c.steps
	c.welcome = welcome.New(c.window.Window, steps)
	return &frame.Drawn[welcome.View]{On: c.welcome, View: func(*model.Model) welcome.View {
		return steps.View()
	}, Deeds: frame.Deeds{OnEnter: c.apps.Find, OnBack: func() bool {
		c.welcome.Escape()
		return true
	}}}
}

func (c *controller) welcomeActions() welcome.Actions {
	actions := welcome.Actions{
		Facts:   func() welcome.Facts { return welcome.FactsOf(&c.model, c.now.view.Usable(c.now.Warnings)) },
		Changed: c.redraw, Look: func(again bool) {
			c.model.Apps.Known = c.model.Apps.Known && !again
			c.apps.Find()
		},
		Read: c.apps.ServersOf, Try: c.adding.Try, Help: func(toolbox, server string) {
			c.fix(model.Choice{Toolbox: toolbox, Server: server})
		}, Repair: c.repairOf,
		Example: func(servers []welcome.ExampleServer, done func(string, error)) {
			welcome.AddExample(c.saver, c.now.ToolboxNames(), servers, done)
		},
		Plan: c.apps.Plan, Carry: c.apps.Carry, TakeOver: c.apps.TakeOver, Preview: c.apps.Preview, Copy: c.window.Copy,
		OpenURL: c.window.OpenURL,
		Program: c.runtimes.Words, GetProgram: c.runtimes.GetOrCancel,
		Reached: func(step model.Step) {
			switch step {
			case model.StepConnect:
				c.rememberSteps(model.FirstStepsConnect)
			case model.StepDone:
				c.rememberSteps(model.FirstStepsDone)
			}
			c.apps.Find() // an app may have been installed meanwhile
		},
		Finish: func() {
			c.rememberSteps(model.FirstStepsOver)
			c.places.Choose(placeToolboxes)
			c.welcome, c.steps, c.model.Steps = nil, nil, nil
			c.places.Forget(placeWelcome)
		},
	}
	if c.options.Updates != nil {
		actions.Updates = ofFirstSteps{c}
	}
	return actions
}

// ofFirstSteps does for the first steps what other parts of the app can do.
type ofFirstSteps struct{ *controller }

// AllowUpdates implements [welcome.Updates].
func (c ofFirstSteps) AllowUpdates(on bool) {
	c.computer.SetUpdates(on, func(err error) {
		// If it is kept, and only the first request has failed, the next one may not. Settings says so.
		if err != nil && c.model.Updates.Allowed != on {
			c.window.Say(kit.ErrorSentence(err))
		}
		c.redraw()
	})
}

// repairOf returns a change of the file that fixes a server that cannot start, and its title. The title is empty if no
// such change is known.
func (c *controller) repairOf(toolbox, server string) (title string, do func(done func(error))) {
	problem := c.now.view.RepairOf(model.Choice{Toolbox: toolbox, Server: server})
	if problem == nil {
		return "", nil
	}
	return kit.Say(problem.Fix.Title), func(done func(error)) { c.saver.ApplyFix(*problem, done) }
}

// rememberSteps saves how far the user is in the first steps.
func (c *controller) rememberSteps(at model.FirstSteps) {
	c.reached.Store(&at)
	// If two saves overlap, both write the newest value.
	c.prefer(func(p *model.Preferences) { p.FirstSteps = *c.reached.Load() }, func(err error) {
		if err != nil {
			c.options.Logger.Warn("The first steps are not remembered", "error", err)
		}
	})
}
