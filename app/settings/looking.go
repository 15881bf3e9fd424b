package settings

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/doctor"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
)

// newDoctor returns a doctor, which checks the computer. The caller must close it.
func (s *Service) newDoctor() *doctor.Doctor {
	options := doctor.Options{Location: s.options.Location, History: s.options.History, Endpoint: s.options.Endpoint}
	if options.Endpoint == "" {
		options.Endpoint, _ = ipc.DefaultEndpoint() // without an endpoint, the doctor leaves out its check
	}
	if s.options.Apps != nil {
		options.Policies = s.options.Apps.System.Policies
	}
	return doctor.New(options)
}

// Check checks in the background whether the computer has what servers need, and shows each result at once. It does
// nothing while another check is running.
func (s *Service) Check() {
	if s.options.Model.Doctor.Running {
		return
	}
	ctx, stop := context.WithCancel(s.options.Tasks.Context())
	s.stop = stop
	s.options.Model.Doctor.Running = true
	s.options.Changed()
	show := func(checks []doctor.Check, running bool) {
		checks = slices.Clone(checks)
		s.options.Tasks.Do(func() {
			s.options.Model.Doctor = Doctor{Running: running, Checks: checks, Finished: s.options.Model.Doctor.Finished}
			if !running {
				s.options.Model.Doctor.Finished = time.Now()
			}
			s.options.Changed()
		})
	}
	s.options.Tasks.Background(func() {
		defer stop()
		examiner := s.newDoctor()
		defer examiner.Close()
		checks := examiner.Checks()
		show(checks, true)
		checks = examiner.Run(ctx, func(found doctor.Check) {
			for i := range checks {
				if checks[i].ID == found.ID {
					checks[i] = found
				}
			}
			show(checks, true)
		})
		show(checks, false)
	})
}

// StopCheck ends the running check.
func (s *Service) StopCheck() { s.stop() }

// Fix applies a fix and checks again.
func (s *Service) Fix(fix doctor.Fix, done func(error)) {
	s.options.Tasks.After(func() error {
		examiner := s.newDoctor()
		defer examiner.Close()
		return examiner.Fix(s.options.Tasks.Context(), fix.ID)
	}, func(err error) {
		done(err)
		if err == nil {
			s.Check()
		}
	})
}

// CopyReport puts a report for other people on the clipboard, with the results of the last check. If there was none,
// it checks the computer first.
func (s *Service) CopyReport(done func(error)) {
	checks := s.options.Model.Doctor.Checks
	var report string
	s.options.Tasks.After(func() error {
		examiner := s.newDoctor()
		defer examiner.Close()
		if checks == nil {
			checks = examiner.Run(s.options.Tasks.Context(), nil)
		}
		report = examiner.Report([]string{"Workbench Desktop " + s.options.Version, build()}, checks)
		return s.options.Tasks.Context().Err()
	}, func(err error) {
		if err == nil {
			s.options.Window.Copy(report)
		}
		done(err)
	})
}

// askSecrets asks whether the keychain has the secrets that the configuration refers to. It asks only once for each
// secret, because the keychain may ask the user.
func (s *Service) askSecrets() {
	for _, secret := range s.View(s.options.Model).Secrets {
		if _, asked := s.options.Model.Secrets[secret.Name]; asked {
			continue
		}
		s.options.Model.Secrets[secret.Name] = Secret{Name: secret.Name}
		s.askSecret(secret.Name)
	}
}

func (s *Service) askSecret(name string) {
	task.Ask(s.options.Tasks, func() (bool, error) {
		return keychain.Has(keychain.System(), name)
	}, func(has bool, err error) {
		known := Secret{Name: name, State: model.SecretMissing}
		switch {
		case err != nil:
			known.State, known.Note = model.SecretUnreachable, kit.ErrorSentence(err)
		case has:
			known.State = model.SecretPresent
		}
		s.options.Model.Secrets[name] = known
		s.options.Changed()
	})
}
