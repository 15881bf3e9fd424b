package clients

import (
	"errors"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// jsonSyntax is JSON with or without comments. strict is the name of the client if it does not accept comments, and
// otherwise "".
type jsonSyntax struct{ strict string }

func (s jsonSyntax) parse(text []byte) (*jsonc.Document, error) {
	d := jsonc.Parse(text)
	if wrong := d.Broken(); wrong != nil {
		switch wrong.Code {
		case jsonc.TooDeep:
			return nil, unreadable(words.New("clients.too_deep"))
		case jsonc.TooManyValues:
			return nil, unreadable(words.New("clients.too_many_values"))
		}
		line, column := d.Position(wrong.Start)
		var why words.Text
		if _, wrong := config.CheckSyntax(text); wrong != nil {
			line, column, why = wrong.Line, wrong.Column, wrong.Message.Map(secret.Mask)
		}
		return nil, unreadable(words.New("clients.not_json", "Line", line, "Column", column, "Why", why))
	}
	if extra := firstExtra(d); s.strict != "" && extra >= 0 {
		line, _ := d.Position(extra)
		return nil, unreadable(words.New("clients.not_strict", "Line", line, "Client", s.strict))
	}
	return d, nil
}

// firstExtra returns the offset of the first thing that strict JSON does not allow, or -1.
func firstExtra(d *jsonc.Document) int {
	first := -1
	if len(d.Comments) > 0 {
		first = d.Comments[0].Start
	}
	var look func(n *jsonc.Node)
	look = func(n *jsonc.Node) {
		for _, kid := range n.Children {
			look(kid)
		}
		if last := len(n.Children) - 1; last >= 0 {
			if comma, ok := n.Children[last].Comma(); ok && (first < 0 || comma < first) {
				first = comma
			}
		}
	}
	look(d.Root)
	return first
}

func (s jsonSyntax) decode(text []byte) (map[string]any, error) {
	if blank(text) {
		return map[string]any{}, nil
	}
	d, err := s.parse(text)
	if err != nil {
		return nil, err
	}
	object, ok := d.Root.Value().(map[string]any)
	if !ok {
		return nil, misshapen(words.New("clients.no_object"))
	}
	return object, nil
}

func blank(text []byte) bool { return strings.Trim(string(text), " \t\r\n") == "" }

// check returns an error if a name on the path occurs twice, or if a value on the path is no object.
func (s jsonSyntax) check(text []byte, path []string, name string) error {
	_, err := s.edit(text, path, name, func(*jsonc.Editor, jsonc.Path) error { return nil })
	return err
}

// edit changes the text by operations on the entry with a name, at the end of a path.
func (s jsonSyntax) edit(text []byte, path []string, name string,
	change func(e *jsonc.Editor, entry jsonc.Path) error) ([]byte, error) {
	editor, err := jsonc.NewEditor(text, fileForm(path, name, newline(text)))
	if err != nil {
		_, err = s.parse(text)
		return nil, err
	}
	entry := jsonc.Keys(path...).Member(name)
	if _, err = editor.Find(entry); errors.Is(err, jsonc.ErrNotFound) {
		err = nil
	}
	if err == nil {
		err = change(editor, entry)
	}
	var where *jsonc.PathError
	switch {
	case errors.Is(err, jsonc.ErrRepeated) && errors.As(err, &where):
		return nil, misshapen(words.New("clients.twice", "Name", words.Quoted(where.Path.Key())))
	case errors.Is(err, jsonc.ErrWrongType) && errors.As(err, &where):
		return nil, misshapen(words.New("clients.no_group", "Key", words.Quoted(where.Path.String())))
	}
	return []byte(editor.Text()), err
}

// fileForm describes how clients' files are written: our entry on lines of its own, each of its lists on one
// line.
func fileForm(path []string, name, newline string) *jsonc.Form {
	form := &jsonc.Form{Each: &jsonc.Form{Inline: true}}
	for _, key := range slices.Backward(append(slices.Clone(path), name)) {
		form = &jsonc.Form{Members: map[string]*jsonc.Form{key: form}}
	}
	form.Lenient, form.Plain, form.KeepComments = true, true, true
	form.Skeleton = "{" + newline + "}" + newline
	return form
}

func (s jsonSyntax) insert(text []byte, path []string, e entry) ([]byte, error) {
	return s.edit(text, path, e.name, func(editor *jsonc.Editor, at jsonc.Path) error {
		if err := editor.Make(at.Parent()); err != nil {
			return err
		}
		if err := editor.Insert(at, e.node(), jsonc.Usual()); err != nil || e.raw == "" {
			return err
		}
		return editor.SetText(at, e.raw)
	})
}

// node returns the entry as JSON.
func (e entry) node() *jsonc.Node {
	var members []string
	for _, field := range e.fields {
		members = append(members, jsonc.Quote(field.Name)+":"+inline(field.Value, jsonc.Quote))
	}
	return jsonc.Parse([]byte("{" + strings.Join(members, ",") + "}")).Root
}

func (s jsonSyntax) update(text []byte, path []string, e entry) ([]byte, error) {
	return s.edit(text, path, e.name, func(editor *jsonc.Editor, at jsonc.Path) error {
		value := e.node()
		for _, field := range e.slots {
			old, err := editor.Find(at.Member(field.Name))
			if err != nil { // the entry is written in another form
				return editor.Set(at, value)
			}
			text := inline(field.Value, jsonc.Quote)
			if jsonc.Equal(old, jsonc.Parse([]byte(text)).Root) {
				continue
			}
			if err := editor.SetText(at.Member(field.Name), text); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s jsonSyntax) remove(text []byte, path []string, name string, emptied bool) ([]byte, error) {
	return s.edit(text, path, name, func(editor *jsonc.Editor, at jsonc.Path) error {
		for emptied && len(at) > 1 {
			if holder, err := editor.Find(at.Parent()); err != nil || len(holder.Children) > 1 {
				break
			}
			at = at.Parent() // the object would become empty
		}
		return editor.Remove(at)
	})
}
