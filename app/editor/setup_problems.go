package editor

import (
	"bytes"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

// blocked reports whether a draft would bring an error into the file.
func (s *setup) blocked(d *model.Draft) bool {
	at := memberPath(d.Field)
	if d.Row > 0 {
		at += memberPath(d.Now.Name)
	}
	return s.newErrors(at)
}

// newErrors reports whether the checked text has errors at a place where the file does not have the same errors.
func (s *setup) newErrors(at string) bool {
	if s.checked.document == nil {
		return false
	}
	old := map[string]int{}
	for _, p := range s.locate(s.view.Diagnostics, s.view.document) {
		if within(p.at, at) {
			old[p.Code+p.Message.String()]++
		}
	}
	for _, p := range s.locate(entryDiagnostics(s.checked.document.Diagnostics, s.view.Choice), s.checked.document) {
		if within(p.at, at) && p.Severity == config.SeverityError {
			if old[p.Code+p.Message.String()]--; old[p.Code+p.Message.String()] < 0 {
				return true
			}
		}
	}
	return false
}

// locate turns diagnostics into problems with a place within the entry.
func (s *setup) locate(diagnostics []config.Diagnostic, document *config.Document) []problem {
	entry := config.ServerPath(s.view.Toolbox, s.view.Server)
	found := make([]problem, 0, len(diagnostics))
	for _, diagnostic := range diagnostics {
		found = append(found, problem{diagnostic, strings.TrimPrefix(diagnostic.Path, entry), document})
	}
	return found
}

// problems returns the problems to show: those of the text if it was checked, or else those of the file.
func (s *setup) problems() []problem {
	if s.checked.document == nil {
		return s.locate(slices.Concat(s.view.Diagnostics, s.view.Warnings), s.view.document)
	}
	found := s.locate(entryDiagnostics(s.checked.document.Diagnostics, s.view.Choice), s.checked.document)
	for _, p := range s.locate(s.view.Warnings, s.view.document) {
		// The warnings are about the file, so they do not fit a field in which something is typed.
		if !s.dirtyAt(p.at) {
			p.Fix = nil
			found = append(found, p)
		}
	}
	return found
}

func (s *setup) dirtyAt(at string) bool {
	return slices.ContainsFunc(s.typed(), func(d *model.Draft) bool { return within(at, memberPath(d.Field)) })
}

// fix applies the fix of a problem. It replaces the text of the entry; unchanged lines stay as they are. If the
// problem was found in the typed text, fix saves that text too.
func (s *setup) fix(p problem) {
	source, err := config.ApplyChanges(p.document.Source, p.Fix.Changes)
	if err != nil {
		return
	}
	text, err := edit.ServerText(source, s.view.Toolbox, s.view.Server)
	op := edit.ReplaceServer{Toolbox: s.view.Toolbox, Name: s.view.Server, Text: text}
	result, err2 := edit.Apply(p.document.Source, op)
	if err != nil || err2 != nil || !bytes.Equal(result, source) {
		// The fix changes more than this entry, such as its name.
		s.program.OpenFile()
		return
	}
	var in []*model.Draft
	if p.document == s.checked.document && s.checked.newest() { // nothing was typed since
		in = slices.DeleteFunc(s.typed(), func(d *model.Draft) bool { return !s.writable(d) })
	}
	s.replace([]edit.Op{op}, nil, in...)
}
