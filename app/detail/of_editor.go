package detail

import (
	"time"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/configfile"
	"github.com/workbench-mcp/workbench-desktop/app/editor"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/keychain"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// ofEditor carries out what the user does with the entry of a server. The program does what concerns the rest of the
// app.
type ofEditor struct {
	Program
	detail  *Detail
	preview *configfile.Preview
}

var _ editor.Program = ofEditor{}

func newOfEditor(of *Detail) ofEditor {
	return ofEditor{of.options.Program, of, configfile.NewPreview(of.options.File, of.options.Tasks)}
}

func (e ofEditor) Check(ops []edit.Op, done func(*config.Document)) { e.preview.Ask(ops, done) }
func (e ofEditor) Typed(servers []string)                           { e.detail.noteUnapplied(servers) }

func (e ofEditor) Save(base *config.Document, ops []edit.Op, done func(error)) {
	lacks := e.detail.options.Model.Server(e.detail.At).ToFill()
	e.detail.options.Saver.EditFrom(base, ops, func(err error) {
		if err == nil && len(lacks) > 0 {
			e.detail.filling = e.detail.At
			e.detail.update()
		}
		done(err)
	})
}

// Edit saves operations. If they delete the server, it offers to undo that.
func (e ofEditor) Edit(ops []edit.Op, done func(error)) {
	saver := e.detail.options.Saver
	saver.Edit(ops, func(err error) {
		done(err)
		if remove, ok := ops[0].(edit.RemoveServer); ok && err == nil {
			saver.Undoable(lang.L("Deleted “{{.Name}}”", map[string]any{"Name": live.ShortName(remove.Name)}))
		}
	})
}

func (e ofEditor) NotSaved(at model.Choice, err error) {
	e.detail.options.Window.Say(lang.L("What you typed for “{{.Name}}” is not saved: {{.Why}}",
		map[string]any{"Name": at.Server, "Why": kit.ErrorSentence(err)}))
}

func (e ofEditor) Turned(to model.Tab, again bool) {
	switch {
	case !again:
		e.detail.update()
	case to == model.TabTools:
		e.detail.Tools.ShowAll()
	}
}

func (e ofEditor) SignedIn(at model.Choice) bool { return e.detail.options.SignIn.Has(at) }
func (e ofEditor) SignOut(at model.Choice)       { e.detail.options.SignIn.SignOut(at) }
func (e ofEditor) PickFile(done func(string))    { e.detail.options.Window.PickFile(done) }
func (e ofEditor) PickFolder(done func(string))  { e.detail.options.Window.PickFolder(done) }

func (e ofEditor) HasSecret(name string, done func(bool, error)) {
	task.Ask(e.detail.options.Tasks, func() (bool, error) { return keychain.Has(keychain.System(), name) }, done)
}

func (e ofEditor) KeepSecret(name, value string, done func(string, error)) {
	task.Ask(e.detail.options.Tasks, func() (string, error) {
		kept, _, err := keychain.Keep(keychain.System(), name, value)
		return kept, err
	}, done)
}

func (e ofEditor) ReadSecret(name string, done func(string, error)) {
	task.Ask(e.detail.options.Tasks, func() (string, error) { return keychain.System().Get(name) }, done)
}

func (e ofEditor) After(wait time.Duration, f func()) (stop func()) {
	return e.detail.options.Tasks.Later(wait, f)
}
