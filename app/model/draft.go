package model

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/store"
)

// Place is where something is typed.
type Place struct {
	Server edit.Target
	Field  string // of the server's entry; empty: the whole entry as text
	Row    int    // of a table such as "env": a number that no other row has had; else 0
}

// Value is what stands at a place.
type Value struct {
	There bool   // a row that is to be removed is not there
	Name  string // of a row
	Text  string // of a list it is the JSON array
}

// Draft is what a person has typed at a place and what is not applied yet: operations on the file as it was when they were typed. Whether
// they still fit the file as it is now, the store decides.
type Draft struct {
	Place
	Base *config.Document // nil: the newest
	Was  Value            // what Base has
	Now  Value            // what is typed

	// More is done together with it.
	More []edit.Op

	Wanted bool  // it is to be applied as soon as it can be
	Held   bool  // it must not be applied now
	Err    error // why it could not be applied

	moved bool   // the file has something else at the place than Base
	sent  *Value // on its way to the file
	sends int
}

// Left reports whether something is typed that is not on its way to the file, nor waits for what is.
func (d *Draft) Left() bool { return d.sent == nil || *d.sent != d.Now && !d.Wanted }

// Sending reports whether it, or what was typed before, is on its way to the file.
func (d *Draft) Sending() bool { return d.sent != nil }

// Sent returns what is on its way to the file, the zero Value when nothing is.
func (d *Draft) Sent() Value {
	if d.sent == nil {
		return Value{}
	}
	return *d.sent
}

// Moved reports whether somebody else has changed what the draft is about, so that applying it asks the person.
func (d *Draft) Moved() bool { return d.moved }

// Clashes reports whether somebody else has changed the same, so that the person has to say what is to be.
func (d *Draft) Clashes() bool {
	var conflict *store.Conflict
	return errors.As(d.Err, &conflict)
}

// Ops are the operations that apply the draft.
func (d *Draft) Ops() []edit.Op {
	was, now := d.Was, d.Now
	if d.sent != nil {
		was = *d.sent
	}
	if d.Field == "" {
		return []edit.Op{edit.ReplaceServer{Toolbox: d.Server.Toolbox, Name: d.Server.Server, Text: strings.TrimSpace(now.Text)}}
	}
	var ops []edit.Op
	path, value := []string{d.Field}, jsonc.Value(now.Text)
	empty := now.Text == ""
	switch KindOf(d.Field) {
	case config.KindVariables:
		if !now.There {
			return []edit.Op{edit.ClearField{Target: d.Server, Field: []string{d.Field, was.Name}}}
		}
		path, empty = []string{d.Field, now.Name}, false
		if was.There && was.Name != now.Name {
			ops = append(ops, edit.RenameField{Target: d.Server, Field: []string{d.Field, was.Name}, To: now.Name})
		}
		if was.There && was.Text == now.Text {
			return ops
		}
	case config.KindTexts:
		value, empty = json.RawMessage(now.Text), now.Text == EmptyList
	case config.KindSeconds:
		value = json.RawMessage(strings.TrimSpace(now.Text))
	}
	if empty && d.Field != "command" && d.Field != "url" {
		return []edit.Op{edit.ClearField{Target: d.Server, Field: path}}
	}
	return append(append(ops, edit.SetField{Target: d.Server, Field: path, Value: value}), d.More...)
}

// ErrTheirs is the error of saving a draft when it clashed and the person, asked, has chosen what is in the file.
var ErrTheirs = errors.New("what is in the file was chosen")

// EmptyList is the text of a list without elements.
const EmptyList = "[]"

// KindOf is the kind of a field of a server's entry.
func KindOf(field string) config.Kind {
	for _, f := range config.ServerFields() {
		if f.Name == field {
			return f.Kind
		}
	}
	return config.KindText
}

// Drafts are all drafts, of whichever servers. They belong to one goroutine.
type Drafts struct {
	// Save does operations that were chosen while looking at base, nil for the newest file, and then calls done.
	Save func(base *config.Document, ops []edit.Op, done func(error))

	// Ended is called when the saving of a draft has ended.
	Ended func(d *Draft, err error)

	// Changed is called when something is typed, applied or discarded; nil: nothing.
	Changed func()

	list []*Draft
	rows int
}

// At returns the draft at a place, or nil.
func (s *Drafts) At(p Place) *Draft {
	for _, d := range s.list {
		if d.Place == p {
			return d
		}
	}
	return nil
}

// Of returns the drafts of a server, in the order in which they were begun.
func (s *Drafts) Of(server edit.Target) []*Draft {
	var found []*Draft
	for _, d := range s.list {
		if d.Server == server {
			found = append(found, d)
		}
	}
	return found
}

// All returns all drafts.
func (s *Drafts) All() []*Draft { return slices.Clone(s.list) }

// NewRow returns the number of a new row.
func (s *Drafts) NewRow() int {
	s.rows++
	return s.rows
}

// Type takes up what is typed at a place, where base has file. It returns the draft, or nil when what is typed is what the file says.
func (s *Drafts) Type(p Place, base *config.Document, file, now Value) *Draft {
	d := s.At(p)
	switch {
	case d == nil && now == file:
		return nil
	case d == nil:
		d = &Draft{Place: p, Base: base, Was: file}
		s.list = append(s.list, d)
		s.changed()
	}
	d.Now, d.Err, d.Wanted = now, nil, false
	if now == d.Was && d.sent == nil {
		s.Discard(d)
		return nil
	}
	return d
}

// Follow takes up what the file has at a place now. A draft that somebody else has changed the base of keeps that: the store says whether
// both go together when it is applied.
func (s *Drafts) Follow(p Place, now *config.Document, file Value) {
	d := s.At(p)
	switch {
	case d == nil:
	case d.sent != nil && file == *d.sent, file == d.Was:
		d.Base, d.Was, d.moved = now, file, false
		if d.Clashes() { // with something else of the server
			d.Err, d.Wanted = nil, true
		}
	case d.sent != nil:
	case file == d.Now:
		s.Discard(d)
	default:
		d.moved = true
	}
}

// Keep settles a clash for what was typed: it is a change of what the file has now.
func (s *Drafts) Keep(d *Draft, now *config.Document, file Value) {
	d.Base, d.Was, d.moved, d.Err = now, file, false, nil
}

// Discard forgets a draft.
func (s *Drafts) Discard(d *Draft) {
	s.list = slices.DeleteFunc(s.list, func(other *Draft) bool { return other == d })
	s.changed()
}

func (s *Drafts) changed() {
	if s.Changed != nil {
		s.Changed()
	}
}

// Apply saves a draft. While an earlier text of it is being saved it waits for that, unless it is the last chance: then it is saved
// behind it.
func (s *Drafts) Apply(d *Draft, last bool) {
	base := d.Base
	if d.sent != nil {
		if !last {
			d.Wanted = true
			return
		}
		base = nil
	}
	s.Send(base, d.Ops(), nil, d)
}

// Send saves operations that have all in them that is typed in some drafts, and then calls done unless it is nil.
func (s *Drafts) Send(base *config.Document, ops []edit.Op, done func(error), drafts ...*Draft) {
	values, turns := make([]Value, len(drafts)), make([]int, len(drafts))
	for i, d := range drafts {
		d.sends++
		values[i], turns[i] = d.Now, d.sends
		d.sent, d.Err, d.Wanted = &values[i], nil, false
	}
	s.Save(base, ops, func(err error) {
		for i, d := range drafts {
			newest := turns[i] == d.sends // else what was sent since has this in it
			if err == nil && d.Was != values[i] {
				d.Base, d.Was = nil, values[i]
			}
			if newest {
				d.sent, d.Err = nil, err
			}
			if newest && d.Now == values[i] && (err == nil || errors.Is(err, ErrTheirs)) {
				s.Discard(d)
			}
		}
		for _, d := range drafts {
			s.Ended(d, err)
		}
		if done != nil {
			done(err)
		}
	})
}

// Rename takes up that a server is called otherwise, or is in another toolbox.
func (s *Drafts) Rename(from, to edit.Target) {
	for _, d := range s.list {
		if d.Server == from {
			d.Server = to
		}
	}
	s.changed()
}

// Remove forgets what was typed for a server.
func (s *Drafts) Remove(server edit.Target) {
	for _, d := range s.Of(server) {
		s.Discard(d)
	}
}
