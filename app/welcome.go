package app

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/toolboxes"
	"github.com/workbench-mcp/workbench-desktop/app/welcome"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/catalogue"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// greet shows the first steps when the window is shown for the first time and they are wanted: there is no server yet, or they
// were left in the middle. Who has finished or skipped them is not asked again.
func (d *controller) greet() {
	if d.greeted {
		return
	}
	d.greeted = true
	// Without preferences nobody would remember that they are over.
	if d.options.Preferences == nil || d.options.Apps == nil || d.now.view.Broken || d.at != placeToolboxes {
		return
	}
	switch d.preferences().FirstSteps {
	case model.FirstStepsNone:
		if d.now.ServerCount() == 0 {
			d.firstSteps(welcome.StepBring)
		}
	case model.FirstStepsConnect:
		d.firstSteps(welcome.StepConnect)
	case model.FirstStepsDone:
		d.firstSteps(welcome.StepDone)
	}
}

// firstStepsAction shows the first steps once more; nil where there are none.
func (d *controller) firstStepsAction() func() {
	if d.options.Apps == nil {
		return nil
	}
	return func() {
		if d.now.view.Broken {
			d.window.Say(lang.L("The configuration has an error that must be corrected first."))
			return
		}
		d.firstSteps(welcome.StepBring)
	}
}

// firstSteps shows the first steps: where they were left, else at one of them.
func (d *controller) firstSteps(at welcome.Step) {
	if d.welcome == nil {
		d.welcome = welcome.New(d.window.Window, at, d.welcomeActions())
	}
	d.choose(placeWelcome)
	d.welcome.Focus()
}

// welcomeScreen makes the screen of the first steps, which have begun.
func (d *controller) welcomeScreen() frame.Screen {
	return &drawn[welcome.Facts]{on: d.welcome, view: d.welcomeFacts, enter: d.apps.Find, back: func() bool {
		d.welcome.Escape()
		return true
	}}
}

// elsewhere does nothing during the first steps, which lead to other screens by themselves.
func (d *controller) elsewhere(do func()) func() {
	return func() {
		if d.at != placeWelcome {
			do()
		}
	}
}

// endBrokenSteps leaves the first steps when the file has become unusable meanwhile: that comes first.
func (d *controller) endBrokenSteps() {
	if d.at == placeWelcome && d.now.Broken() {
		d.choose(placeToolboxes)
	}
}

func (d *controller) welcomeFacts(now *model.Model) welcome.Facts {
	facts := welcome.Facts{Known: now.Apps.Known, Problem: now.Apps.Problem, Servers: now.ServerCount(), Usable: d.usable()}
	for _, id := range now.Apps.Sources {
		facts.Sources = append(facts.Sources, welcome.Source{ID: id, Name: imports.Name(id)})
	}
	for _, found := range now.Apps.Statuses {
		if !found.Installed && found.State == engine.NotConnected {
			continue
		}
		app := welcome.App{
			ID: found.Client.ID, Name: found.Client.Name, ByHand: found.Client.ByHand != "", Next: kit.Words().Texts(found.Client.Next()),
			Linked: found.State == engine.Connected, Proven: found.Proven(), Problem: strings.Join(kit.Words().Texts(found.Policy), " "),
		}
		if app.ByHand && !app.Proven { // its entry may be where we do not look
			app.Proven = d.startedBy(app.ID)
		}
		facts.Apps = append(facts.Apps, app)
	}
	return facts
}

// startedBy tells whether an app runs that has started us with the configuration of the window.
func (d *controller) startedBy(id string) bool {
	for _, running := range d.now.Live.Engines {
		if running.ClientID == id && !running.Initialized.IsZero() && !running.Elsewhere {
			return true
		}
	}
	return false
}

// usable tells whether any server could be started, as far as is known: one that runs, or that nothing is known to keep from it.
func (d *controller) usable() bool {
	for _, toolbox := range d.now.view.Toolboxes {
		for _, server := range toolbox.Servers {
			switch {
			case server.Status == status.Connected:
				return true
			case server.Status == status.Disabled, server.State == theme.StateWrong, server.State == theme.StateKey:
			case !d.lacks(toolboxes.Choice{Toolbox: toolbox.Name, Server: server.Name}):
				return true
			}
		}
	}
	return false
}

// lacks tells whether something that a server needs is not on this computer, such as its program.
func (d *controller) lacks(at toolboxes.Choice) bool {
	return slices.ContainsFunc(d.now.view.Problems, func(problem toolboxes.Problem) bool {
		path := problem.Diagnostic.Path
		return problem.At == at && path != "" && !strings.Contains(path, ".toolFilters") && // a filter of tools keeps nothing from starting
			slices.ContainsFunc(d.now.Warnings, func(warning config.Diagnostic) bool { return warning.Path == path })
	})
}

func (d *controller) welcomeActions() welcome.Actions {
	return welcome.Actions{
		Look: d.apps.Find, Read: d.apps.LookIntoAll, Installed: d.installed, Example: d.addExample, Try: d.adding.Try,
		Plan: d.apps.Plan, Carry: d.apps.Carry, TakeOver: d.apps.TakeOver, Removal: d.apps.Removal, Copy: d.window.Copy, OpenURL: d.window.OpenURL,
		Reached: func(step welcome.Step) {
			switch step {
			case welcome.StepConnect:
				d.rememberSteps(model.FirstStepsConnect)
			case welcome.StepDone:
				d.rememberSteps(model.FirstStepsDone)
			}
			d.apps.Find() // one may have been installed meanwhile
		},
		Finish: func() {
			d.rememberSteps(model.FirstStepsOver)
			d.choose(placeToolboxes)
			d.welcome = nil
			delete(d.made, placeWelcome)
		},
	}
}

// rememberSteps remembers how far the user is.
func (d *controller) rememberSteps(at model.FirstSteps) {
	d.reached.Store(&at)
	// Of two that are saved at once the later counts, whichever comes last.
	d.prefer(func(p *model.Preferences) { p.FirstSteps = *d.reached.Load() }, func(err error) {
		if err != nil {
			d.options.Logger.Warn("The first steps are not remembered", "error", err)
		}
	})
}

// installed finds out what is on this computer of what servers need.
func (d *controller) installed(done func(map[catalogue.Needs]bool)) {
	here := d.surroundings()
	d.tasks.Background(func() {
		has := map[catalogue.Needs]bool{}
		for _, needs := range []catalogue.Needs{catalogue.NeedsNode, catalogue.NeedsUV} {
			_, err := here.FindProgram(context.Background(), config.Server{Transport: config.TransportStdio, Command: needs.Command()})
			has[needs] = err == nil
		}
		d.tasks.Do(func() { done(has) })
	})
}

// addExample makes the example toolbox.
func (d *controller) addExample(servers []welcome.ExampleServer, done func(string, error)) {
	name := freeName("example", d.now.ToolboxNames())
	ops := []edit.Op{edit.AddToolbox{Name: name, Description: lang.L("An example to see what tools can do")}}
	for _, server := range servers {
		ops = append(ops, edit.AddServer{Toolbox: name, Name: server.Name, Entry: server.Entry})
	}
	d.saver.Edit(ops, func(err error) {
		done(name, err)
		if err == nil {
			d.saver.Undoable(lang.L("Added the toolbox “{{.Toolbox}}”", map[string]any{"Toolbox": kit.Line(name)}))
		}
	})
}

// freeName gives a name that no other toolbox has.
func freeName(wish string, taken []string) string {
	name := wish
	for i := 2; ; i++ {
		free := true
		for _, other := range taken {
			free = free && other != name
		}
		if free {
			return name
		}
		name = wish + "-" + strconv.Itoa(i)
	}
}
