package app

import (
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/approving"
	"github.com/workbench-mcp/workbench-desktop/app/engines"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/notify"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/saving"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// ofEngines takes the snapshots of the file and the engines.
type ofEngines struct {
	*controller
	notifier *notify.Notifier
}

var _ engines.Program = ofEngines{}

func (p ofEngines) Deliver(now *model.Snapshot)               { p.deliver(now) }
func (p ofEngines) Follow(now *config.Config)                 { p.engines.Local.Follow(now) }
func (p ofEngines) Waiting(now *config.Config) model.Approval { return p.approving.Waiting(now) }
func (p ofEngines) Visible() bool                             { return p.visible.Load() }

// Noted shows the notification for a snapshot, if there is one.
func (p ofEngines) Noted(now *model.Snapshot) time.Time {
	notice, again := p.notifier.Next(now)
	if notice != nil {
		p.tell(*notice)
	}
	return again
}

// ofSaving shows what a change of the configuration has led to.
type ofSaving struct{ *controller }

var _ saving.Program = ofSaving{}

func (p ofSaving) Shown() *model.Snapshot { return p.now.Snapshot }
func (p ofSaving) Edited(ops []edit.Op)   { p.detail.Editor.Edited(ops) }

func (p ofSaving) Collect() (show func()) {
	now := p.viewsOf(p.aggregator.Collect())
	return func() { p.apply(now) }
}

// ofApproving carries out what the user decides about changed servers.
type ofApproving struct{ *controller }

var _ approving.Program = ofApproving{}

func (p ofApproving) Changed()                                 { p.aggregator.Again() }
func (p ofApproving) Reconsider()                              { p.engines.Local.Manager.Reconsider() }
func (p ofApproving) Edit(ops []edit.Op, done func(err error)) { p.saver.Edit(ops, done) }

// ofRuntimes does what an installed program changes.
type ofRuntimes struct{ *controller }

var _ runtimes.Program = ofRuntimes{}

func (p ofRuntimes) Changed()       { p.examined() }
func (p ofRuntimes) Got(id string)  { p.gotRuntime(id) }
func (p ofRuntimes) Fail(err error) { p.window.Fail(err) }
