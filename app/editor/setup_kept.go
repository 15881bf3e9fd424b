package editor

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
)

// visit is the time for which an entry is shown. What was asked for in one and ends in another is not about what is shown then, also when
// that is the same entry again.
type visit struct {
	left *leftForm // the form as it was when the visit ended, if something in it was not saved
}

// leftForm is the form of an entry that is not shown any more.
type leftForm struct {
	switched       bool
	kind, fileKind int
	units          map[unit]func() // puts them back
}

// left tells whether something is typed that is not on its way to the file.
func (s *setup) left() bool {
	return slices.ContainsFunc(s.units, func(u unit) bool { return u.left() && !s.idle(u) })
}

// keepForm ends a visit. What is typed and cannot be saved comes back with its entry. What is on its way to the file does so only if it
// does not come there, see keepUnsaved: otherwise the file says it, until somebody changes that.
func (s *setup) keepForm() {
	if f := &s.form; s.unsaved() && s.view.Server != "" {
		all := &leftForm{f.switched, f.kind.Chosen(), f.fileKind, map[unit]func(){}}
		unsaved := &leftForm{all.switched, all.kind, all.fileKind, map[unit]func(){}}
		for _, u := range s.units {
			all.units[u] = u.keep()
			if onItsWay := u.dirty() && !u.left(); !onItsWay {
				unsaved.units[u] = all.units[u]
			}
		}
		s.visit.left = all
		if s.left() {
			s.kept[s.target()] = unsaved
		}
	}
	s.visit = &visit{}
}

// keepUnsaved keeps what was on its way to the file when its entry was left, and has not come there. What was typed there since is newer.
func (s *setup) keepUnsaved(at edit.Target, in *visit, units []unit) {
	if in.left == nil || len(units) == 0 {
		return
	}
	if at == s.target() {
		for _, u := range units {
			if !u.dirty() {
				s.putBackUnit(in.left, u)
			}
		}
		return
	}
	form := s.kept[at]
	if form == nil {
		form = &leftForm{in.left.switched, in.left.kind, in.left.fileKind, map[unit]func(){}}
		s.kept[at] = form
	}
	for _, u := range units {
		if form.units[u] == nil {
			form.units[u] = in.left.units[u]
		}
	}
}

// putBackUnit puts one unit of a form that was left back into the same form.
func (s *setup) putBackUnit(form *leftForm, u unit) {
	if form.switched {
		s.form.switched = true
		s.form.kind.Follow(form.kind)
	}
	form.units[u]()
	if s.view.Problem == "" {
		u.follow(s.view.Entry)
	}
	s.check()
	s.commit(u)
}

// putBack takes up what was kept of the entry that is shown, and tells whether there was anything.
func (s *setup) putBack() bool {
	form := s.kept[s.target()]
	if form == nil {
		return false
	}
	delete(s.kept, s.target())
	f := &s.form
	f.switched, f.fileKind = form.switched, form.fileKind
	f.kind.Follow(form.kind)
	for _, back := range form.units {
		back()
	}
	return true
}
