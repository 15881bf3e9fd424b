package welcome

import (
	"errors"
	"slices"

	"github.com/workbench-mcp/workbench-desktop/app/clients"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	engine "github.com/workbench-mcp/workbench-desktop/engine/manage/clients"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/setup"
)

// connect connects apps, one after the other.
func (s *Screen) connect(apps []App) {
	c := &s.model.connect
	c.giveUp()
	for _, app := range apps {
		c.queue = append(c.queue, app.ID)
		c.runs[app.ID] = &run{state: runWaits}
		delete(c.shown, app.ID)
	}
	s.connectNext()
	s.Focus()
}

// connectNext connects the app whose turn it is. Apps that are to be quit first come last: the others need not wait for them.
func (s *Screen) connectNext() {
	c := &s.model.connect
	c.stop = nil
	if len(c.queue) == 0 {
		s.connected()
		return
	}
	id := c.queue[0]
	c.queue, c.now = c.queue[1:], id
	c.runs[id].state = runWorks
	attempt := c.attempt
	s.draw()
	s.actions.Plan(id, true, func(found clients.Proposal, err error) {
		switch {
		case attempt != c.attempt:
		case err != nil:
			s.ended(id, err)
		case found.Running && s.changes(id, found.Plan) && s.othersWait(c.queue):
			c.runs[id].state, c.runs[id].deferred = runWaits, true
			c.queue = append(c.queue, id)
			s.connectNext()
		case found.Running && s.changes(id, found.Plan):
			c.runs[id].state = runQuitting
			s.carry(id, found.Plan, true)
		default:
			s.carry(id, found.Plan, false)
		}
	})
}

// othersWait tells whether apps are left that were not looked at yet.
func (s *Screen) othersWait(queue []string) bool {
	return slices.ContainsFunc(queue, func(id string) bool { return !s.model.connect.runs[id].deferred })
}

// changes tells whether the file of an app is to be written.
func (s *Screen) changes(id string, plan engine.Plan) bool {
	return plan.Changed() || len(s.model.removals(s.model.app(id))) > 0
}

// carry has an app connected, and its entries of servers that we have taken out.
func (s *Screen) carry(id string, plan engine.Plan, wait bool) {
	c := &s.model.connect
	attempt := c.attempt
	ctx := c.begin()
	s.draw()
	ended := func(moved clients.Moved, err error) {
		if attempt != c.attempt {
			return
		}
		var running *engine.RunningError
		if errors.As(err, &running) && !wait { // it was started meanwhile
			c.queue = append([]string{id}, c.queue...)
			s.connectNext()
			return
		}
		c.runs[id].moved = moved
		s.ended(id, err)
	}
	if len(s.model.removals(s.model.app(id))) > 0 {
		s.actions.TakeOver(ctx, plan, s.model.bring.broughtIn(), wait, ended)
		return
	}
	s.actions.Carry(ctx, plan, wait, func(err error) { ended(clients.Moved{}, err) })
}

// ended notes how connecting an app has ended, and goes on.
func (s *Screen) ended(id string, err error) {
	run := s.model.connect.runs[id]
	run.state, run.problem = runConnected, ""
	if err != nil {
		run.state, run.problem = runFailed, kit.ErrorSentence(err)
	}
	s.connectNext()
}

// connected goes on to the last step, unless something is left to be seen here.
func (s *Screen) connected() {
	c := &s.model.connect
	c.giveUp()
	s.draw()
	switch {
	case s.model.step != StepConnect:
	case c.failed():
		s.Focus()
	default:
		s.goTo(StepDone)
	}
}

// show shows what would be done to the file of an app, or hides it again. Only now the file is opened.
func (s *Screen) show(id string) {
	c := &s.model.connect
	if c.shown[id] != nil {
		delete(c.shown, id)
		s.draw()
		return
	}
	now := &shown{looking: true}
	c.shown[id] = now
	s.draw()
	s.actions.Plan(id, true, func(found clients.Proposal, err error) {
		now.looking, now.plan = false, found.Plan
		if err != nil {
			now.problem = kit.ErrorSentence(err)
		}
		s.draw()
		if err == nil && len(s.model.doubles(s.model.app(id))) > 0 {
			s.actions.Preview(found.Plan, s.model.bring.broughtIn(), func(preview setup.Preview) {
				now.removing = preview
				s.draw()
			})
		}
	})
}
