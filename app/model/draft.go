package model

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/store"
)

// Place is a place in the configuration where the user types.
type Place struct {
	Server Choice
	Field  string // the field of the server's entry; empty for the whole entry as text
	Row    int    // the number of a row in a table such as "env", see [Drafts.NewRow]; 0 for other fields
}

// Value is the content of a Place.
type Value struct {
	There bool   // false for a missing or removed row
	Name  string // the name of a row
	Text  string // for a list, the JSON array
}

// Draft is what the user has typed at a place and has not applied yet. Its operations belong to the file as it was
// when the user typed. The store decides whether they still fit the present file.
type Draft struct {
	Place
	Base *config.Document // the file that the draft is based on; nil for the newest
	Was  Value            // the value in Base
	Now  Value            // the typed value

	// More are operations to apply together with the draft.
	More []edit.Op

	Wanted bool  // apply the draft as soon as possible
	Held   bool  // do not apply the draft now
	Err    error // why it could not be applied

	moved bool   // the value in the file is another one than in Base
	sent  *Value // the value that is being saved, or nil
	sends int    // how often the draft was sent to be saved
}

// Left reports whether the typed value is neither being saved nor waiting until an earlier value is saved.
func (d *Draft) Left() bool { return d.sent == nil || *d.sent != d.Now && !d.Wanted }

// Sending reports whether this or an earlier value of the draft is being saved.
func (d *Draft) Sending() bool { return d.sent != nil }

// Sent returns the value that is being saved, or the zero Value if there is none.
func (d *Draft) Sent() Value {
	if d.sent == nil {
		return Value{}
	}
	return *d.sent
}

// Moved reports whether another program has changed the value in the file, so that applying the draft asks the user.
func (d *Draft) Moved() bool { return d.moved }

// Clashes reports whether another program has changed the same value, so that the user has to choose one.
func (d *Draft) Clashes() bool {
	var conflict *store.Conflict
	return errors.As(d.Err, &conflict)
}

// AskAgain forgets a conflict, so that applying the draft asks the user again.
func (d *Draft) AskAgain() {
	if d.Clashes() {
		d.Err = nil
	}
}

// Ops returns the operations that apply the draft.
func (d *Draft) Ops() []edit.Op {
	was, now := d.Was, d.Now
	if d.sent != nil {
		was = *d.sent
	}
	if d.Field == "" {
		return []edit.Op{edit.ReplaceServer{Toolbox: d.Server.Toolbox, Name: d.Server.Server,
			Text: strings.TrimSpace(now.Text)}}
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

// ErrTheirs is the error of saving a draft if there was a conflict and the user has chosen the value in the file.
var ErrTheirs = errors.New("what is in the file was chosen")

// EmptyList is the text of a list without elements.
const EmptyList = "[]"

// KindOf returns the kind of a field of a server's entry.
func KindOf(field string) config.Kind {
	if f, ok := config.ServerField(field); ok {
		return f.Kind
	}
	return config.KindText
}

// Drafter saves drafts, and is told of them.
type Drafter interface {
	// Save applies operations that are based on base, or on the newest file if base is nil, and then calls done.
	Save(base *config.Document, ops []edit.Op, done func(error))

	// Ended is called when a draft was saved or could not be saved.
	Ended(d *Draft, err error)

	// Changed is called when a draft is created or discarded, or when the server of drafts is renamed or moved.
	Changed()
}

// Drafts are the drafts of all servers. Use them on one goroutine only.
type Drafts struct {
	Drafter Drafter // the screen in which the drafts are typed

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

// Of returns the drafts of a server, in the order in which they were created.
func (s *Drafts) Of(server Choice) []*Draft {
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

// NewRow returns a number for a new row.
func (s *Drafts) NewRow() int {
	s.rows++
	return s.rows
}

// Type stores the value that the user types at a place. file is the value in base. Type returns the draft, or nil if
// the typed value is the one in the file and no other value is being saved.
func (s *Drafts) Type(p Place, base *config.Document, file, now Value) *Draft {
	d := s.At(p)
	switch {
	case d == nil && now == file:
		return nil
	case d == nil:
		d = &Draft{Place: p, Base: base, Was: file}
		s.list = append(s.list, d)
		s.Drafter.Changed()
	}
	d.Now, d.Err, d.Wanted = now, nil, false
	if now == d.Was && d.sent == nil {
		s.Discard(d)
		return nil
	}
	return d
}

// Follow informs a draft about the present value in the file. If another program has changed the value, the draft
// keeps its base, and the store checks when the draft is applied whether both changes fit together.
func (s *Drafts) Follow(p Place, now *config.Document, file Value) {
	d := s.At(p)
	switch {
	case d == nil:
	case d.sent != nil && file == *d.sent, file == d.Was:
		d.Base, d.Was, d.moved = now, file, false
		if d.Clashes() { // The conflict was about another value of the server.
			d.Err, d.Wanted = nil, true
		}
	case d.sent != nil:
	case file == d.Now:
		s.Discard(d)
	default:
		d.moved = true
	}
}

// Keep resolves a conflict in favor of the typed value: it becomes a change of the present file.
func (s *Drafts) Keep(d *Draft, now *config.Document, file Value) {
	d.Base, d.Was, d.moved, d.Err = now, file, false, nil
}

// Discard removes a draft.
func (s *Drafts) Discard(d *Draft) {
	s.list = slices.DeleteFunc(s.list, func(other *Draft) bool { return other == d })
	s.Drafter.Changed()
}

// Apply saves a draft. If an earlier value of the draft is being saved, Apply only marks the draft as wanted. If last
// is set, there is no later chance, so Apply saves at once.
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

// Send saves operations that contain the values of some drafts, and then calls done if it is not nil.
func (s *Drafts) Send(base *config.Document, ops []edit.Op, done func(error), drafts ...*Draft) {
	values, turns := make([]Value, len(drafts)), make([]int, len(drafts))
	for i, d := range drafts {
		d.sends++
		values[i], turns[i] = d.Now, d.sends
		d.sent, d.Err, d.Wanted = &values[i], nil, false
	}
	s.Drafter.Save(base, ops, func(err error) {
		for i, d := range drafts {
			newest := turns[i] == d.sends // otherwise a later call contains a newer value
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
			s.Drafter.Ended(d, err)
		}
		if done != nil {
			done(err)
		}
	})
}

// Rename moves the drafts of a server that was renamed or moved to another toolbox.
func (s *Drafts) Rename(from, to Choice) {
	for _, d := range s.list {
		if d.Server == from {
			d.Server = to
		}
	}
	s.Drafter.Changed()
}

// Remove discards the drafts of a server.
func (s *Drafts) Remove(server Choice) {
	for _, d := range s.Of(server) {
		s.Discard(d)
	}
}
