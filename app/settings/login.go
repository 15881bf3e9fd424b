package settings

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
)

// Login switches the start of the app at login on and off. Its methods may be slow.
type Login interface {
	On() (bool, error)
	Set(on bool) error
}

// AskLogin determines in the background whether the app starts at login.
func (s *Service) AskLogin() {
	if s.options.Login != nil {
		task.Ask(s.options.Tasks, s.options.Login.On, s.showLogin)
	}
}

// SetStartAtLogin switches the start at login.
func (s *Service) SetStartAtLogin(on bool, done func(error)) {
	if s.options.Login == nil {
		done(nil)
		return
	}
	s.options.Tasks.Background(func() {
		err := s.options.Login.Set(on)
		now, askErr := s.options.Login.On()
		s.options.Tasks.Do(func() {
			s.showLogin(now, askErr)
			done(err)
		})
	})
}

// showLogin shows whether the app starts at login, or why that is not known.
func (s *Service) showLogin(on bool, err error) {
	state := model.Login{Known: err == nil, On: on}
	if err != nil {
		state.Note = kit.ErrorSentence(err)
	}
	s.options.Model.Login = state
	s.options.Changed()
}
