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
type draft struct{ text *jsonc.Editor }

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
	if root := d.text.Root(); root.Kind != jsonc.Object {
		return nil, d.refuseAt(ErrWrongType, root.Start,
			words.New("edit.file_no_group", "Kind", config.KindName(byte(root.Kind))))
	}
	return d, nil
}

// do does one operation.
func (d *draft) do(op Op) error {
	if err := op.apply(d); err != nil {
		return err
	}
	if len(d.text.Text()) > config.MaxSize {
		return refuse(ErrInvalid, words.New("edit.too_large", "Size", config.MaxSize>>20))
	}
	return nil
}

// need returns the value at a path. It is an error if there is none.
func (d *draft) need(path jsonc.Path) (*jsonc.Node, error) {
	n, err := d.text.Find(path)
	return n, d.explain(err, path)
}

// container returns the object at a path, and makes it if it does not exist.
func (d *draft) container(path jsonc.Path) (*jsonc.Node, error) {
	if err := d.text.Make(path); err != nil {
		return nil, d.explain(err, path)
	}
	return d.need(path)
}

// explain returns an error for people that says why an operation on a path is refused.
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
		return d.refuseAt(ErrAmbiguous, at.Node.Name.Start, words.New("edit.twice", "Name", words.Quoted(at.Node.Key)))
	case jsonc.ErrWrongType:
		if at.Node.Key == "" {
			return d.refuseAt(ErrWrongType, at.Node.Start,
				words.New("edit.file_no_group", "Kind", config.KindName(byte(at.Node.Kind))))
		}
		return d.refuseAt(ErrWrongType, at.Node.Start,
			words.New("edit.no_group", "Name", words.Quoted(at.Node.Key), "Kind", config.KindName(byte(at.Node.Kind))))
	}
	return fmt.Errorf("%w: %w", ErrBug, err)
}

// missing returns an error that says which part of a path does not exist.
func (d *draft) missing(path jsonc.Path) error {
	keys := make([]string, len(path))
	for i, step := range path {
		keys[i] = step.Key
	}
	inToolbox := len(path) > 1 && keys[0] == "toolboxes"
	if inToolbox && d.text.Root().At(path[:2]) == nil {
		return refuse(ErrNotFound, words.New("edit.no_toolbox", "Name", words.Quoted(keys[1]), "Available",
			d.available(path[:1])))
	}
	if inToolbox && len(path) > 3 && isServer(path[:4]) && d.text.Root().At(path[:4]) == nil {
		return refuse(ErrNotFound, words.New("edit.no_server", "Name", words.Quoted(keys[3]), "Toolbox",
			words.Quoted(keys[1]), "Available", d.available(path[:3])))
	}
	return refuse(ErrNotFound, words.New("edit.not_set", "What", describe(path)))
}

// available lists the existing names at a path. The text follows the name that does not exist.
func (d *draft) available(path jsonc.Path) words.Text {
	n := d.text.Root().At(path)
	if !n.Is(jsonc.Object) {
		return words.Text{}
	}
	return list(n.Keys())
}

// refuseAt returns an error with a place in the file.
func (d *draft) refuseAt(reason error, at int, says words.Text) error {
	line, column := d.text.Position(at)
	return &Error{Reason: reason, Says: says, Line: line, Column: column}
}

// maxValueDepth limits the nesting of a new value, so that the file stays within the limit of config.Parse.
const maxValueDepth = 100

// parseValue reads the value of an operation. Comments are allowed only in text that is put into the file
// unchanged.
func parseValue(what words.Text, text []byte, comments bool) (*jsonc.Node, error) {
	document := jsonc.Parse(text)
	if len(document.Errors) > 0 {
		_, problem := config.CheckSyntax(text)
		if problem == nil {
			return nil, refuse(ErrInvalid, words.New("edit.no_json", "What", what))
		}
		return nil, refuse(ErrInvalid,
			words.New("edit.no_json_at", "What", what, "Line", problem.Line, "Column", problem.Column, "Why", problem.Message))
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
		return refuse(ErrInvalid, words.New("edit.key_twice", "What", what, "Key", words.Quoted(second.Key)))
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
	return d.explain(d.text.Insert(path.Member(name), value, place), path)
}

// rename renames a member of the object at a path.
func (d *draft) rename(path jsonc.Path, what, from, to string) error {
	err := d.text.Rename(path.Member(from), to)
	if errors.Is(err, jsonc.ErrExists) {
		return already(what, to)
	}
	return d.explain(err, path.Member(from))
}

// remove removes the value at a path.
func (d *draft) remove(path jsonc.Path) error { return d.explain(d.text.Remove(path), path) }

// move moves an existing member to a position in another object, or in the same one.
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
			return refuse(ErrExists, words.New("edit.exists_in_toolbox", "Name", jsonc.Quote(key), "Toolbox",
				jsonc.Quote(to[1].Key)))
		}
	}
	place, err := at.resolve(keys, len(keys))
	if err != nil || same && place.Index == i {
		return err
	}
	if _, err := d.container(to); err != nil {
		return err
	}
	return d.explain(d.text.Move(from.Member(key), to.Member(key), place), to)
}

// duplicate copies an existing member under another name, in the same object or in another.
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
	return d.explain(d.text.Copy(from.Member(key), to.Member(name), place), to)
}

// keysAt returns the names of the members of the value at a path; none if there is no value.
func (d *draft) keysAt(path jsonc.Path) ([]string, error) {
	n, err := d.text.Find(path)
	if errors.Is(err, jsonc.ErrNotFound) {
		return nil, nil
	}
	return n.Keys(), d.explain(err, path)
}

// CopyName returns a name for a copy that is not in taken: name-2, then name-3. A copy of name-2 is name-3.
func CopyName(name string, taken []string) string {
	number := 2
	if dash := strings.LastIndexByte(name, '-'); dash > 0 {
		if last, err := strconv.Atoi(name[dash+1:]); err == nil && last >= 2 && last < 1000 &&
			slices.Contains(taken, name[:dash]) {
			name, number = name[:dash], last+1
		}
	}
	for slices.Contains(taken, name+"-"+strconv.Itoa(number)) {
		number++
	}
	return name + "-" + strconv.Itoa(number)
}
