package app

import (
	"context"
	"slices"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/settings"
	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/doctor"
)

// surroundings are where programs and values are looked for.
func (d *controller) surroundings() doctor.Surroundings {
	return doctor.Surroundings{Lookup: d.options.Lookup, Environ: d.options.Environ}
}

// newDoctor makes what looks at the computer. It is closed when what it was made for is done.
func (d *controller) newDoctor() *doctor.Doctor {
	options := doctor.Options{Location: d.options.Location, History: d.options.HistoryDir, Endpoint: d.options.Link}
	if options.Endpoint == "" {
		options.Endpoint, _ = ipc.DefaultEndpoint() // without one that check is left out
	}
	if d.options.Apps != nil {
		options.Policies = d.options.Apps.System.Policies
	}
	return doctor.New(options)
}

// checkComputer looks whether the computer has what servers need, and shows what is found as it is found.
func (d *controller) checkComputer() {
	if d.choices.doctor.Running {
		return
	}
	ctx, stop := context.WithCancel(d.tasks.Context())
	d.choices.stop = stop
	d.choices.doctor.Running = true
	d.redraw()
	show := func(checks []doctor.Check, running bool) {
		checks = slices.Clone(checks)
		d.tasks.Do(func() {
			d.choices.doctor = settings.Doctor{Running: running, Checks: checks, Finished: d.choices.doctor.Finished}
			if !running {
				d.choices.doctor.Finished = time.Now()
			}
			d.redraw()
		})
	}
	d.tasks.Background(func() {
		defer stop()
		examiner := d.newDoctor()
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

// fixComputer carries out a fix, and looks again.
func (d *controller) fixComputer(fix doctor.Fix, done func(error)) {
	d.tasks.After(func() error {
		examiner := d.newDoctor()
		defer examiner.Close()
		return examiner.Fix(d.tasks.Context(), fix.ID)
	}, func(err error) {
		done(err)
		if err == nil {
			d.checkComputer()
		}
	})
}

// copyReport puts a report for others on the clipboard, with what the last check of the computer has found.
func (d *controller) copyReport(done func(error)) {
	checks := d.choices.doctor.Checks
	var report string
	d.tasks.After(func() error {
		examiner := d.newDoctor()
		defer examiner.Close()
		if checks == nil {
			checks = examiner.Run(d.tasks.Context(), nil)
		}
		report = examiner.Report([]string{"Workbench Desktop " + d.options.Version, build()}, checks)
		return d.tasks.Context().Err()
	}, func(err error) {
		if err == nil {
			d.window.Copy(report)
		}
		done(err)
	})
}
