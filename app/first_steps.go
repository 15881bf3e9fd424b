package app

import (
	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
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
		c.steps = welcome.NewService(c.model.Steps, ofWelcome{c})
	}
	c.places.Choose(placeWelcome)
	c.welcome.Focus()
}

// newWelcome makes the screen of the first steps, which must have begun.
func (c *controller) newWelcome() frame.Screen {
	c.welcome = welcome.New(c.window.Window, c.steps)
	return welcomeScreen{controller: c}
}

// welcomeScreen is the screen of the first steps.
type welcomeScreen struct {
	frame.Passive
	*controller
}

func (s welcomeScreen) Object() fyne.CanvasObject { return s.welcome.Object() }
func (s welcomeScreen) Apply(*model.Model)        { s.welcome.Apply(s.steps.View()) }
func (s welcomeScreen) Enter()                    { s.apps.Find() }

func (s welcomeScreen) Back() bool {
	s.welcome.Escape()
	return true
}
