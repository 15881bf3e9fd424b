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
	ErrNotFound  = errors.New("not found")     // what the path leads to, or something on the way
	ErrExists    = errors.New("exists")        // there is a member of that name
	ErrWrongType = errors.New("wrong type")    // something on the way is no object or array
	ErrRepeated  = errors.New("duplicate key") // an object on the way has a name twice, so it is not clear which is meant
)

// PathError says where an operation is refused, and matches one of the reasons above.
type PathError struct {
	Reason error
	Path   Path  // as far as it could be followed, and the step that could not
	Node   *Node // what is of the wrong type, or the second member of one name; else nil
}

func (e *PathError) Error() string { return e.Path.String() + ": " + e.Reason.Error() }
func (e *PathError) Unwrap() error { return e.Reason }

// Place says where in its object or array something new goes. Index counts what is there already, in a move without what is moved.
// Where there are comments between the two that it comes to stand between, After says that it goes right behind the first.
type Place struct {
	Index int
	After bool
}

// Usual is the place where people would put it: where the [Form] says, else at the end.
func Usual() Place { return Place{Index: -1} }

// Editor changes a text by operations on paths. Every byte that an operation does not name stays, and what is new is written in the
// style of what stands beside it. After an error the editor is not to be used any more.
type Editor struct {
	original string
	doc      *Document
	form     *Form
	style    *style
}

// NewEditor returns an editor of a text. The form says what is known of such texts; it may be nil. The error is [ErrSyntax] when
// the text cannot be edited since it is not clear what is what in it; see [Document.Broken].
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

// Text returns the text as it is now.
func (e *Editor) Text() string { return e.doc.text }

// Root returns the whole value as it is now. Nodes are good until the next operation.
func (e *Editor) Root() *Node { return e.doc.Root }

// Errors returns the mistakes that do not keep the text from being edited; see [Code.Readable].
func (e *Editor) Errors() []Error { return e.doc.Errors }

// Position returns the line and column of a place as [Document.Position] does.
func (e *Editor) Position(at int) (line, column int) { return e.doc.Position(at) }

// Changes returns what makes the text of now out of that of the beginning. [Invert] makes the reverse of it.
func (e *Editor) Changes() []Change { return Difference(e.original, e.doc.text) }

// NewLine returns how the lines of the text end.
func (e *Editor) NewLine() string { return e.style.newline }

// Find returns what a path leads to. The error is a [PathError].
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

// check refuses a node that a step cannot lead into.
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

// container returns what the last step of a path is in, and whether the path leads to something.
func (e *Editor) container(path Path) (n *Node, found bool, err error) {
	if n, err = e.Find(path.Parent()); err != nil {
		return nil, false, err
	}
	return n, n.At(path[len(path)-1:]) != nil, e.check(n, path.Parent(), path.Last())
}

// existing is container for a path that must lead to something, with the index of that.
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

// missing is container for a path that must not lead to a member yet.
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

// Set makes what a path leads to say the same as a value of any text, and adds it in its usual place when it is not there. What stays
// the same in objects and arrays stays untouched, with its comments; those of the value are not taken over.
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

// SetText puts text in the place of the value that a path leads to, as it is. It must be one value, with comments only inside.
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

// Insert adds a value of any text as a member, or as an element before the one that has the index.
func (e *Editor) Insert(path Path, value *Node, at Place) error {
	if _, err := e.missing(path); err != nil {
		return err
	}
	return e.insert(path.Parent(), path.Last(), value, at)
}

// Make adds objects where there is nothing on the way along a path, and at its end.
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

// Remove takes out what a path leads to, with its comments unless the form of the file says otherwise.
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

// Rename gives a member another name, in its place.
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

// Move brings a member with its comments to a place in the same object or in another, under the same name or another.
func (e *Editor) Move(from, to Path, at Place) error {
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

// Copy writes a member once more elsewhere or under another name. The comments around it are about the original, so they stay.
func (e *Editor) Copy(from, to Path, at Place) error {
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

// insert makes a value a member or an element of what a path leads to.
func (e *Editor) insert(path Path, step Step, value *Node, at Place) error {
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

// put adds an insertion to what a path leads to.
func (e *Editor) put(path Path, in insertion, at Place) error {
	n := e.doc.Root.At(path)
	if at.Index < 0 || at.Index > len(n.Children) {
		at = Place{len(n.Children), true}
	}
	return e.change(n, n.insert(at.Index, at.After, in, e.style, e.form.at(path))...)
}

// usual returns where a new member goes: in the order in which people write them.
func (f *Form) usual(keys []string, key string) Place {
	if f == nil {
		return Place{len(keys), true}
	}
	rank := slices.Index(f.Order, key)
	if rank < 0 {
		return Place{len(keys), true}
	}
	for _, known := range slices.Backward(f.Order[:rank]) {
		if at := slices.Index(keys, known); at >= 0 {
			return Place{at + 1, true}
		}
	}
	for _, known := range f.Order[rank+1:] {
		if at := slices.Index(keys, known); at >= 0 {
			return Place{at, false}
		}
	}
	return Place{len(keys), true}
}

// change makes changes within the brackets of an object or array, or anywhere when that is nil. Only that part of the text is read
// again; all other nodes are moved to where they are now.
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
