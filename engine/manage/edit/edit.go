package edit

import (
	"errors"
	"fmt"
	"slices"
)

// Result is an edited file.
type Result struct {
	// Source is the file as it is to be written.
	Source []byte

	// Changes make Source out of what the file was, in order and without overlap. None means that
	// nothing is to be done.
	Changes []Change

	before []byte
}

// Inverse returns the changes that make of Source the very bytes of before.
func (r Result) Inverse() []Change { return invert(r.before, r.Changes) }

// Apply does operations one after the other, all or none. The source is not changed; nil or empty, it
// stands for a file that doesn't exist yet, and the result has at least {"toolboxes": {}}.
//
// The errors match one of [ErrNotFound], [ErrExists], [ErrInvalid], [ErrSyntax], [ErrAmbiguous] and
// [ErrWrongType]. Before it returns, Apply compares what the new text says with what it should
// say; when they differ it is an [ErrBug], and the file is better left alone.
func Apply(source []byte, ops ...Op) (Result, error) {
	d, err := newDraft(source)
	if err != nil {
		return Result{}, err
	}
	for i, op := range ops {
		if err := d.do(op); err != nil {
			if len(ops) > 1 {
				err = fmt.Errorf("operation %d: %w", i+1, err)
			}
			return Result{}, err
		}
	}
	return d.result()
}

// do does one operation and checks that it did what it should, and nothing else.
func (d *draft) do(op Op) error {
	want := newModel(d.root)
	if err := op.apply(d); err != nil {
		return err
	}
	op.expect(want)
	return want.check(d.root)
}

func (d *draft) result() (Result, error) {
	r := Result{Source: d.text, Changes: d.made.changes(d.original), before: d.original}
	if len(d.text) > 0 && len(d.original) > 0 && &d.text[0] == &d.original[0] {
		r.Source = append([]byte(nil), d.text...) // the caller's bytes stay the caller's
	}
	after, err := ApplyChanges(d.original, r.Changes)
	if err != nil || string(after) != string(d.text) {
		return Result{}, fmt.Errorf("%w: the changes don't make the text", ErrBug)
	}
	before, err := ApplyChanges(d.text, r.Inverse())
	if err != nil || string(before) != string(d.original) {
		return Result{}, fmt.Errorf("%w: the edit could not be undone", ErrBug)
	}
	return r, nil
}

// Rebase does operations, which were made for base, on what somebody else made of it meanwhile. It is
// refused with [ErrConflict] when the two have changed the same in different ways, or when an operation is no
// longer possible. The Changes are to be made to theirs.
func Rebase(base, theirs []byte, ops ...Op) (Result, error) {
	mine, err := newDraft(base)
	if err != nil {
		return Result{}, err
	}
	d, err := newDraft(theirs)
	if err != nil {
		return Result{}, err
	}
	same := func(op Op) bool {
		return !slices.ContainsFunc(op.touches(), func(p place) bool { return !sameAt(mine, d, p) })
	}
	for _, op := range ops {
		unchanged := same(op)
		if err := mine.do(op); err != nil {
			return Result{}, fmt.Errorf("doing the operation on what it was made for: %w", err)
		}
		if !unchanged {
			if same(op) {
				continue // they have done just that
			}
			return Result{}, refuse(ErrConflict, "cannot %s: it has been changed in the file meanwhile", op)
		}
		if err := d.do(op); err != nil {
			if errors.Is(err, ErrBug) {
				return Result{}, err
			}
			return Result{}, refuse(ErrConflict, "cannot %s any more: %v", op, err)
		}
	}
	return d.result()
}

// sameAt tells whether two files say the same at a place.
func sameAt(a, b *draft, p place) bool {
	x, err := a.find(p)
	if err != nil {
		return false
	}
	y, err := b.find(p)
	if err != nil {
		return false
	}
	if x == nil || y == nil {
		return x == y
	}
	return string(squeeze(x.raw())) == string(squeeze(y.raw()))
}
