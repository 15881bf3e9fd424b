// Package editor is the screen that edits one server. It has three tabs: Setup is a form, also as JSON,
// and Tools and Log are made by other packages.
//
// The screen shows a [View], a plain value made from the configuration. The widgets only draw it. What the user types
// becomes operations of package edit, which change nothing else in the file.
package editor

import (
	"errors"
	"slices"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/runtimes"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Source is what a View is made from.
type Source struct {
	At model.Choice // the entry

	// Now is the file. It is nil if the file could not be read; Err then says why.
	Now *config.Document
	Err error

	// Warnings are the results of [config.Document.CheckEnvironment] and [config.Document.CheckTools] for Now. They may
	// include those of other servers.
	Warnings []config.Diagnostic

	// Live is the state of the server, and Shown describes it in words ([live.Words]).
	Live  model.Server
	Shown live.Shown

	Runtimes model.Runtimes // the runtimes that can be installed if the program is missing
}

// View is what the screen shows. Nothing changes a View after it was made.
type View struct {
	model.Choice
	Mark  string // the ID of the catalogue's entry that the server is of; empty if it has none
	Live  model.Server
	Shown live.Shown
	Lack  model.Lack // a product that the server needs and that the user can get; zero if there is none
	// the versions of the installed runtimes; after a change, the form looks for the program again
	installed string

	// Problem says why the entry cannot be shown now, for example because the file cannot be read. The screen then keeps
	// showing the last version of the entry. Problem is empty if the entry can be shown.
	Problem string

	// Gone says that the file can be read, but no longer has the entry.
	Gone bool

	Text        string              // the entry, as [edit.ServerText] returns it
	Masked      string              // Text with its secrets hidden
	Entry       *jsonc.Node         // Text, parsed; nil if there is none
	Diagnostics []config.Diagnostic // of this entry
	Warnings    []config.Diagnostic // about this computer and the server's tools

	Toolboxes []*config.Toolbox // of the file, in its order
	document  *config.Document
}

// NewView makes the View of one server. It may be called on any goroutine.
func NewView(source Source) View {
	view := View{Choice: source.At, Live: source.Live, Shown: source.Shown, document: source.Now}
	if source.Now == nil {
		view.Problem = lang.L("The file cannot be read")
		if source.Err != nil {
			view.Problem = kit.Sentence(kit.SayError(source.Err))
		}
		return view
	}
	view.Toolboxes = source.Now.Config.Toolboxes
	text, err := edit.ServerTextOf(source.Now, source.At.Toolbox, source.At.Server)
	if err != nil {
		view.Gone = errors.Is(err, edit.ErrNotFound)
		view.Problem = kit.Sentence(kit.SayError(err))
		return view
	}
	if server := entryIn(source.Now, source.At); server != nil {
		view.Mark = catalogue.Known(server)
	}
	view.Text, view.Masked = text, mask(text)
	view.Entry = readEntry(text)
	view.Diagnostics = entryDiagnostics(source.Now.Diagnostics, source.At)
	view.Warnings = entryDiagnostics(source.Warnings, source.At)
	view.doubt()
	return view
}

// doubt changes Shown of a server that was not started: it then says which problem may keep the server from starting.
func (v *View) doubt() {
	for _, problem := range slices.Concat(v.Diagnostics, v.Warnings) {
		if !problem.IsNote() && v.Live.CanDoubt() {
			v.Shown = v.Shown.Doubt(problem)
			return
		}
	}
}

// Views makes Views. It keeps the last one, because reading a large file takes time. If the server and the file are
// the same as before, it updates only the state and the warnings.
type Views struct {
	view View
}

// Of makes the View of one server.
func (v *Views) Of(source Source) View {
	if source.Now == nil || source.Now != v.view.document || source.At != v.view.Choice {
		v.view = NewView(source)
	}
	view := v.view
	view.Live, view.Shown = source.Live, source.Shown
	if view.Problem == "" {
		view.Warnings = entryDiagnostics(source.Warnings, source.At)
		view.doubt()
	}
	return view.with(source.Runtimes)
}

// with returns v with what is known about the runtimes. If the server lacks a product that the user can get, the
// result says so, and says how far the installation is.
func (v View) with(known model.Runtimes) View {
	for _, one := range known {
		v.installed += one.Installed + " "
	}
	if state := v.Live.State; v.Live.Changed || state == status.Connected || state == status.Starting ||
		v.Entry.Member("disabled").Is(jsonc.True) {
		return v
	}
	v.Lack = known.Lacks(model.Needs(v.Live.Problem, textOf(v.Entry.Member("command")), v.Warnings))
	missed := v.Lack.Runtime
	if word := runtimes.Word(v.Lack, v.Live.Server); word != "" {
		v.Shown.Word, v.Shown.Note = word, word
	}
	if missed.ID != "" {
		v.Shown.Detail = runtimes.Absent(missed.Name)
	}
	switch {
	case missed.Busy:
		v.Shown.State, v.Shown.Detail = theme.StateWorking, runtimes.Doing(missed)
	case v.Lack != model.Lack{} && v.Shown.State == theme.StateIdle:
		v.Shown.State = theme.StateNotice
	}
	return v
}

// mask returns the text of an entry with its secrets hidden.
func mask(text string) string {
	const head, tail = `{"toolboxes": {"x": {"mcpServers": {"x": `, "\n}}}}"
	masked := string(store.MaskSecrets([]byte(head + text + tail)))
	inner, ok := strings.CutPrefix(masked, head)
	inner, ok2 := strings.CutSuffix(inner, tail)
	if !ok || !ok2 {
		return "" // head and tail have no secrets, so this does not happen; if it did, no secret is shown
	}
	return inner
}
