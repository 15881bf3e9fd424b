package edit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// draft is a file that is being edited.
type draft struct{ *jsonc.Editor }

func newDraft(source []byte) (*draft, error) {
	e, err := jsonc.NewEditor(source, form())
	if err != nil || len(e.Errors()) > 0 || len(source) > config.MaxSize {
		_, problem := config.CheckSyntax(source)
		if problem == nil {
			return nil, fmt.Errorf("%w: the file cannot be read: %w", ErrBug, err)
		}
		return nil, &SyntaxError{*problem}
	}
	d := &draft{e}
	if root := d.Root(); root.Kind != jsonc.Object {
		return nil, d.refuseAt(ErrWrongType, root.Start, words.New("edit.file_no_group", "Kind", config.KindName(byte(root.Kind))))
	}
	return d, nil
}

// do does one operation.
func (d *draft) do(op Op) error {
	if err := op.apply(d); err != nil {
		return err
	}
	if len(d.Text()) > config.MaxSize {
		return refuse(ErrInvalid, words.New("edit.too_large", "Size", config.MaxSize>>20))
	}
	return nil
}

// need returns what has to be at a path.
func (d *draft) need(path jsonc.Path) (*jsonc.Node, error) {
	n, err := d.Find(path)
	return n, d.explain(err, path)
}

// container returns the object at a path, which is made when it is not there.
func (d *draft) container(path jsonc.Path) (*jsonc.Node, error) {
	if err := d.Make(path); err != nil {
		return nil, d.explain(err, path)
	}
	return d.need(path)
}

// explain says in words for people why an operation on a path is refused.
func (d *draft) explain(err error, path jsonc.Path) error {
	var at *jsonc.PathError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &at):
		return fmt.Errorf("%w: %w", ErrBug, err)
	}
	switch at.Reason {
	case jsonc.ErrNotFound:
		return d.missing(path)
	case jsonc.ErrRepeated:
		return d.refuseAt(ErrAmbiguous, at.Node.Name.Start, words.New("edit.twice", "Name", strconv.Quote(at.Node.Key)))
	case jsonc.ErrWrongType:
		if at.Node.Key == "" {
			return d.refuseAt(ErrWrongType, at.Node.Start, words.New("edit.file_no_group", "Kind", config.KindName(byte(at.Node.Kind))))
		}
		return d.refuseAt(ErrWrongType, at.Node.Start, words.New("edit.no_group", "Name", strconv.Quote(at.Node.Key), "Kind", config.KindName(byte(at.Node.Kind))))
	}
	return fmt.Errorf("%w: %w", ErrBug, err)
}

// missing says what of a path is not there.
func (d *draft) missing(path jsonc.Path) error {
	keys := make([]string, len(path))
	for i, step := range path {
		keys[i] = step.Key
	}
	inToolbox := len(path) > 1 && keys[0] == "toolboxes"
	if inToolbox && d.Root().At(path[:2]) == nil {
		return refuse(ErrNotFound, words.New("edit.no_toolbox", "Name", strconv.Quote(keys[1]), "Available", d.available(path[:1])))
	}
	if inToolbox && len(path) > 3 && isServer(path[:4]) && d.Root().At(path[:4]) == nil {
		return refuse(ErrNotFound, words.New("edit.no_server", "Name", strconv.Quote(keys[3]), "Toolbox", strconv.Quote(keys[1]), "Available", d.available(path[:3])))
	}
	return refuse(ErrNotFound, words.New("edit.not_set", "What", describe(path)))
}

// available lists the names that there are at a path, to follow the name that is not there.
func (d *draft) available(path jsonc.Path) words.Text {
	n := d.Root().At(path)
	if n == nil || n.Kind != jsonc.Object {
		return words.Text{}
	}
	return list(n.Keys())
}

// refuseAt is an error with a place in the file.
func (d *draft) refuseAt(reason error, at int, says words.Text) error {
	line, column := d.Position(at)
	return &Error{Reason: reason, Says: says, Line: line, Column: column}
}

// maxValueDepth limits how deep a new value may be nested, so that it fits under what config.Parse allows
// for the file.
const maxValueDepth = 100

// parseValue reads a value that an operation brings. Comments are only allowed in text that is put
// into the file as it is.
func parseValue(what words.Text, text []byte, comments bool) (*jsonc.Node, error) {
	document := jsonc.Parse(text)
	if len(document.Errors) > 0 {
		_, problem := config.CheckSyntax(text)
		if problem == nil {
			return nil, refuse(ErrInvalid, words.New("edit.no_json", "What", what))
		}
		return nil, refuse(ErrInvalid, words.New("edit.no_json_at", "What", what, "Line", problem.Line, "Column", problem.Column, "Why", problem.Message))
	}
	if !comments && !json.Valid(text) {
		return nil, refuse(ErrInvalid, words.New("edit.comments", "What", what))
	}
	return document.Root, checkValue(what, document.Root, 0)
}

func checkValue(what words.Text, n *jsonc.Node, depth int) error {
	if depth > maxValueDepth {
		return refuse(ErrInvalid, words.New("edit.value_too_deep", "What", what))
	}
	if second := n.Repeated(); second != nil {
		return refuse(ErrInvalid, words.New("edit.key_twice", "What", what, "Key", strconv.Quote(second.Key)))
	}
	for _, kid := range n.Children {
		if err := checkValue(what, kid, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// addNamed adds a toolbox or a server to the object at a path.
func (d *draft) addNamed(path jsonc.Path, what, name string, value *jsonc.Node, at Position) error {
	object, err := d.container(path)
	if err != nil {
		return err
	}
	keys := object.Keys()
	if slices.Contains(keys, name) {
		return already(what, name)
	}
	place, err := at.resolve(keys, len(keys))
	if err != nil {
		return err
	}
	return d.explain(d.Insert(path.Member(name), value, place), path)
}

// rename gives the member of an object at a path another name.
func (d *draft) rename(path jsonc.Path, what, from, to string) error {
	err := d.Rename(path.Member(from), to)
	if errors.Is(err, jsonc.ErrExists) {
		return already(what, to)
	}
	return d.explain(err, path.Member(from))
}

// remove takes out what a path leads to.
func (d *draft) remove(path jsonc.Path) error { return d.explain(d.Remove(path), path) }

// move brings a member that is there from one object to a position in another, or in the same.
func (d *draft) move(from, to jsonc.Path, key string, at Position) error {
	same := slices.Equal(from, to)
	if same && (at.Before == key || at.After == key) {
		return nil
	}
	keys, err := d.keysAt(from)
	if err != nil {
		return err
	}
	i := slices.Index(keys, key)
	keys = slices.Delete(keys, i, i+1)
	if !same {
		if keys, err = d.keysAt(to); err != nil {
			return err
		}
		if slices.Contains(keys, key) {
			return refuse(ErrExists, words.New("edit.exists_in_toolbox", "Name", jsonc.Quote(key), "Toolbox", jsonc.Quote(to[1].Key)))
		}
	}
	place, err := at.resolve(keys, len(keys))
	if err != nil || same && place.Index == i {
		return err
	}
	if _, err := d.container(to); err != nil {
		return err
	}
	return d.explain(d.Move(from.Member(key), to.Member(key), place), to)
}

// duplicate writes a member that is there once more under another name, in the same object or in another.
func (d *draft) duplicate(from, to jsonc.Path, what, key, name string, at Position) error {
	keys, err := d.keysAt(to)
	if err != nil {
		return err
	}
	if slices.Contains(keys, name) {
		return already(what, name)
	}
	usual := len(keys)
	if slices.Equal(from, to) {
		usual = slices.Index(keys, key) + 1 // below the original
	}
	place, err := at.resolve(keys, usual)
	if err != nil {
		return err
	}
	if _, err := d.container(to); err != nil {
		return err
	}
	return d.explain(d.Copy(from.Member(key), to.Member(name), place), to)
}

// keysAt returns the names of the members of what is at a path; none when there is nothing.
func (d *draft) keysAt(path jsonc.Path) ([]string, error) {
	n, err := d.Find(path)
	if errors.Is(err, jsonc.ErrNotFound) {
		return nil, nil
	}
	return n.Keys(), d.explain(err, path)
}

// CopyName returns a name for a copy that is not among the names there are: name-2, name-3. The copy of name-2 is name-3.
func CopyName(name string, taken []string) string {
	number := 2
	if dash := strings.LastIndexByte(name, '-'); dash > 0 {
		if last, err := strconv.Atoi(name[dash+1:]); err == nil && last >= 2 && last < 1000 && slices.Contains(taken, name[:dash]) {
			name, number = name[:dash], last+1
		}
	}
	for slices.Contains(taken, name+"-"+strconv.Itoa(number)) {
		number++
	}
	return name + "-" + strconv.Itoa(number)
}
