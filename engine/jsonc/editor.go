package jsonc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The reasons why an operation is refused, for errors.Is.
var (
	ErrSyntax    = errors.New("the text has syntax errors")
	ErrNotFound  = errors.New("not found")  // the path leads to nothing
	ErrExists    = errors.New("exists")     // there is a member with this name
	ErrWrongType = errors.New("wrong type") // a value on the path is no object or array
	// an object on the path has a name twice, so it is not clear which one is meant
	ErrRepeated = errors.New("duplicate key")
)

// PathError says where an operation was refused. It matches one of the reasons above.
type PathError struct {
	Reason error
	Path   Path  // as far as it could be followed, including the step that failed
	Node   *Node // the value of the wrong type, or the second member of the same name; otherwise nil
}

func (e *PathError) Error() string { return e.Path.String() + ": " + e.Reason.Error() }
func (e *PathError) Unwrap() error { return e.Reason }

// Position says where in its object or array something new is put. Index counts the existing children; in a
// move, without the moved one. If there are comments between its two neighbours, After says that it is put
// directly after the first neighbour.
type Position struct {
	Index int
	After bool
}

// Usual returns the usual place: according to the [Form], else at the end.
func Usual() Position { return Position{Index: -1} }

// Editor changes a text by operations on paths. An operation keeps every byte that it does not name, and
// writes new text in the style of the text beside it. After an error the editor must not be used any more.
type Editor struct {
	original string
	doc      *Document
	form     *Form
	style    *style
}

// NewEditor returns an editor of a text. form describes such texts; it may be nil. The error is [ErrSyntax]
// if the structure of the text is unclear; see [Document.Broken].
func NewEditor(text []byte, form *Form) (*Editor, error) {
	e := &Editor{original: string(text), form: form}
	body := strings.TrimPrefix(e.original, byteOrderMark)
	if form != nil && form.Skeleton != "" && strings.TrimSpace(body) == "" {
		text = []byte(e.original[:len(e.original)-len(body)] + form.Skeleton)
	}
	e.doc = Parse(text)
	if e.doc.Broken() != nil {
		return nil, ErrSyntax
	}
	e.style = newStyle(e.doc.Root, form)
	return e, nil
}

// Text returns the current text.
func (e *Editor) Text() string { return e.doc.text }

// Root returns the current value. Nodes are valid until the next operation.
func (e *Editor) Root() *Node { return e.doc.Root }

// Errors returns the mistakes that do not prevent editing; see [Code.Readable].
func (e *Editor) Errors() []Error { return e.doc.Errors }

// Position returns the line and column of an offset, like [Document.Position].
func (e *Editor) Position(at int) (line, column int) { return e.doc.Position(at) }

// Changes returns the changes from the original text to the current one. [Invert] reverses them.
func (e *Editor) Changes() []Change { return Difference(e.original, e.doc.text) }

// NewLine returns the line end that the text uses.
func (e *Editor) NewLine() string { return e.style.newline }

// Find returns the value at a path. The error is a [PathError].
func (e *Editor) Find(path Path) (*Node, error) {
	n := e.doc.Root
	for i, step := range path {
		if err := e.check(n, path[:i], step); err != nil {
			return nil, err
		}
		if n = n.At(Path{step}); n == nil {
			return nil, &PathError{ErrNotFound, path[:i+1], nil}
		}
	}
	return n, nil
}

// check returns an error if a step cannot lead into a node.
func (e *Editor) check(n *Node, path Path, step Step) error {
	switch {
	case step.isKey() && n.Kind != Object, !step.isKey() && n.Kind != Array:
		return &PathError{ErrWrongType, path, n}
	}
	if second := n.Repeated(); second != nil && (e.form == nil || !e.form.Lenient || n.repeats(step.Key)) {
		return &PathError{ErrRepeated, path.Member(second.Key), second}
	}
	return nil
}

// container returns the value that contains the last step of a path, and whether the whole path leads to
// something.
func (e *Editor) container(path Path) (n *Node, found bool, err error) {
	if n, err = e.Find(path.Parent()); err != nil {
		return nil, false, err
	}
	return n, n.At(path[len(path)-1:]) != nil, e.check(n, path.Parent(), path.Last())
}

// existing is like container for a path that must lead to something, and returns its index.
func (e *Editor) existing(path Path) (n *Node, index int, err error) {
	n, found, err := e.container(path)
	if err == nil && !found {
		err = &PathError{ErrNotFound, path, nil}
	}
	if err != nil {
		return nil, 0, err
	}
	if index = path.Last().Index; index < 0 {
		index = n.index(path.Last().Key)
	}
	return n, index, nil
}

// missing is like container for a path that must not lead to an existing member.
func (e *Editor) missing(path Path) (n *Node, err error) {
	n, found, err := e.container(path)
	if err == nil && found && path.Last().isKey() {
		err = &PathError{ErrExists, path, nil}
	}
	return n, err
}

func (e *Editor) parent(path Path) *Node {
	if len(path) == 0 {
		return nil
	}
	return e.doc.Root.At(path.Parent())
}

// Set sets the value at a path to a value from any text, and adds it at its usual place if it does not exist.
// The unchanged parts of objects and arrays keep their text and comments; comments of the new value are not
// copied.
func (e *Editor) Set(path Path, value *Node) error {
	if len(path) > 0 {
		_, found, err := e.container(path)
		if err != nil {
			return err
		}
		if !found {
			return e.insert(path.Parent(), path.Last(), value, Usual())
		}
	}
	return e.assign(path, value)
}

// SetText replaces the value at a path by a text, unchanged. It must be one value, with comments only inside.
func (e *Editor) SetText(path Path, text string) error {
	n, err := e.Find(path)
	if err != nil {
		return err
	}
	if d := Parse([]byte(text)); d.Broken() != nil || d.Root.Start != 0 || d.Root.End != len(text) {
		return ErrSyntax
	}
	return e.change(e.parent(path), Change{n.Start, n.End, text})
}

// Insert adds a value from any text as a member, or as an element before the one at the index.
func (e *Editor) Insert(path Path, value *Node, at Position) error {
	if _, err := e.missing(path); err != nil {
		return err
	}
	return e.insert(path.Parent(), path.Last(), value, at)
}

// Make adds the missing objects along a path, including the last.
func (e *Editor) Make(path Path) error {
	empty := Parse([]byte("{}")).Root
	for i := range path {
		_, found, err := e.container(path[:i+1])
		if err != nil {
			return err
		}
		if !found {
			if err := e.insert(path[:i], path[i], empty, Usual()); err != nil {
				return err
			}
		}
	}
	n, err := e.Find(path)
	if err != nil {
		return err
	}
	return e.check(n, path, Step{"", -1})
}

// Remove removes the value at a path, with its comments unless the form of the file says otherwise.
func (e *Editor) Remove(path Path) error {
	n, i, err := e.existing(path)
	if err != nil {
		return err
	}
	if e.form != nil && e.form.KeepComments {
		return e.change(n, n.removeBare(i)...)
	}
	return e.change(n, n.remove(i)...)
}

// Rename renames a member and keeps its place.
func (e *Editor) Rename(path Path, name string) error {
	n, i, err := e.existing(path)
	if err != nil || path.Last().Key == name {
		return err
	}
	if n.index(name) >= 0 {
		return &PathError{ErrExists, path.Parent().Member(name), nil}
	}
	kid := n.Children[i]
	return e.change(n, Change{kid.Name.Start, kid.Name.End, Quote(name)})
}

// Move moves a member with its comments to a place in the same or another object, under the same or another
// name.
func (e *Editor) Move(from, to Path, at Position) error {
	n, i, err := e.existing(from)
	if err != nil {
		return err
	}
	name := to.Last().Key
	same := slices.Equal(from.Parent(), to.Parent())
	apart := n.apart()
	if !same || name != from.Last().Key {
		target, err := e.missing(to)
		if err != nil {
			return err
		}
		apart = target.apart()
	}
	if len(to) > len(from) && slices.Equal(from, to[:len(from)]) {
		return &PathError{ErrNotFound, to, nil} // it cannot be moved into itself
	}
	taken := n.take(i, name, false)
	taken.apart = apart
	if err := e.change(n, n.remove(i)...); err != nil {
		return err
	}
	return e.put(to.Parent(), taken, at)
}

// Copy copies a member to another place or another name. The comments around it are not copied, since they
// are about the original.
func (e *Editor) Copy(from, to Path, at Position) error {
	n, i, err := e.existing(from)
	if err != nil {
		return err
	}
	target, err := e.missing(to)
	if err != nil {
		return err
	}
	taken := n.take(i, to.Last().Key, true)
	taken.apart = target.apart()
	return e.put(to.Parent(), taken, at)
}

// insert inserts a value as a member or element.
func (e *Editor) insert(path Path, step Step, value *Node, at Position) error {
	n, form := e.doc.Root.At(path), e.form.at(path)
	name := ""
	if step.isKey() {
		name = Quote(step.Key) + e.style.colonOf(n)
		if at.Index < 0 {
			at = form.usual(n.Keys(), step.Key)
		}
	} else if at.Index < 0 {
		at.Index = step.Index
	}
	return e.put(path, insertion{
		apart: n.Kind == Object && n.apart(),
		write: func(indent, unit string, lines bool) string {
			return name + e.style.print(value, form.member(step.Key), indent, unit, lines)
		},
	}, at)
}

// put adds an insertion to the container at a path.
func (e *Editor) put(path Path, in insertion, at Position) error {
	n := e.doc.Root.At(path)
	if at.Index < 0 || at.Index > len(n.Children) {
		at = Position{len(n.Children), true}
	}
	return e.change(n, n.insert(at.Index, at.After, in, e.style, e.form.at(path))...)
}

// usual returns where a new member is put according to the usual order.
func (f *Form) usual(keys []string, key string) Position {
	if f == nil {
		return Position{len(keys), true}
	}
	rank := slices.Index(f.Order, key)
	if rank < 0 {
		return Position{len(keys), true}
	}
	for _, known := range slices.Backward(f.Order[:rank]) {
		if at := slices.Index(keys, known); at >= 0 {
			return Position{at + 1, true}
		}
	}
	for _, known := range f.Order[rank+1:] {
		if at := slices.Index(keys, known); at >= 0 {
			return Position{at, false}
		}
	}
	return Position{len(keys), true}
}

// change makes changes inside an object or array, or anywhere if within is nil. Only that part of the text is
// parsed again; the places of all other nodes are adjusted.
func (e *Editor) change(within *Node, changes ...Change) error {
	text, err := Apply([]byte(e.doc.text), changes)
	if err != nil {
		return err
	}
	by := len(text) - len(e.doc.text)
	e.doc.text = string(text)
	if within == nil {
		e.doc = Parse(text)
		if e.doc.Broken() != nil {
			return fmt.Errorf("the operation would have broken the text: %w", ErrSyntax)
		}
		return nil
	}
	end := within.End
	within.Children = nil
	e.doc.Root.shift(end, by)
	p := e.doc.parse(within.Start, within.End)
	if slices.ContainsFunc(p.errors, func(err Error) bool { return !err.Code.Readable() }) || p.root.End != within.End {
		return fmt.Errorf("the operation would have broken the text: %w", ErrSyntax)
	}
	within.Children = p.root.Children
	return nil
}
