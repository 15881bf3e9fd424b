package tojson

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// origin says which part of a TOML text made an object. It decides what may be added to the object.
type origin int

const (
	closed origin = iota // a value: nothing may be added
	dotted               // by a key with dots, [a] b.c = 1 makes b
	parent               // by the header of another table, [a.b] makes a
	headed               // by its own header
	listed               // a list of tables, [[a]]
)

// TOML returns TOML as JSON. Dates and times become strings; inf and nan, which JSON cannot express, become null. The
// error is an [*Error].
func TOML(text []byte) ([]byte, error) {
	root := &value{kind: object, origin: headed}
	r := tomlReader{root: root, table: root}
	r.parser.Reset(text)
	for r.parser.NextExpression() {
		if err := r.expression(r.parser.Expression()); err != nil {
			return nil, r.at(err)
		}
	}
	if err := r.parser.Error(); err != nil {
		return nil, r.at(err)
	}
	return root.text(), nil
}

type tomlReader struct {
	parser unstable.Parser
	root   *value
	table  *value // of the last header
}

// at returns err with its place.
func (r *tomlReader) at(err error) error {
	wrong, ok := errors.AsType[*unstable.ParserError](err)
	if !ok {
		return &Error{Message: err.Error()}
	}
	place := r.parser.Shape(r.parser.Range(wrong.Highlight)).Start
	return &Error{place.Line, place.Column, wrong.Message}
}

func (r *tomlReader) wrong(at *unstable.Node, why string) error {
	return unstable.NewParserError(r.parser.Raw(at.Raw), "%s", why)
}

func (r *tomlReader) expression(e *unstable.Node) error {
	if e.Kind == unstable.KeyValue {
		return r.pair(r.table, e)
	}
	at := r.root
	for key := e.Key(); key.Next(); {
		name := string(key.Node().Data)
		next := at.members[name]
		isNew := next == nil
		if isNew {
			next = &value{kind: object, origin: parent}
			at.put(name, next)
		}
		switch last := key.IsLast(); {
		case next.origin == closed:
			return r.wrong(key.Node(), "key "+name+" already exists as a value")
		case last && e.Kind == unstable.ArrayTable:
			if isNew {
				next.kind, next.origin = list, listed
			}
			if next.origin != listed {
				return r.wrong(key.Node(), "key "+name+" already exists as a table, but should be an array table")
			}
			next.items = append(next.items, &value{kind: object, origin: headed})
		case last && next.origin != parent:
			return r.wrong(key.Node(), "table "+name+" already exists")
		case last:
			next.origin = headed
		}
		if at = next; at.origin == listed {
			at = at.items[len(at.items)-1]
		}
	}
	r.table = at
	return nil
}

// pair adds a key with its value to a table.
func (r *tomlReader) pair(at *value, e *unstable.Node) error {
	for key := e.Key(); key.Next(); {
		name := string(key.Node().Data)
		next := at.members[name]
		if next != nil && (key.IsLast() || next.origin != dotted) {
			return r.wrong(key.Node(), "key "+name+" is already defined")
		}
		if next == nil {
			next = &value{kind: object, origin: dotted}
			if key.IsLast() {
				var err error
				if next, err = r.value(e.Value()); err != nil {
					return err
				}
			}
			at.put(name, next)
		}
		at = next
	}
	return nil
}

func (r *tomlReader) value(n *unstable.Node) (*value, error) {
	text := string(n.Data)
	digits := strings.ReplaceAll(text, "_", "")
	switch n.Kind {
	case unstable.String:
		return of(text), nil
	case unstable.Bool:
		return of(text == "true"), nil
	case unstable.Integer:
		number, err := strconv.ParseInt(digits, 0, 64)
		if err != nil {
			return nil, r.wrong(n, "number is too large to fit in a 64-bit signed integer")
		}
		return of(number), nil
	case unstable.Float:
		if strings.HasSuffix(text, "nan") { // with a sign too
			return null(), nil
		}
		number, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			return nil, r.wrong(n, "number is too large")
		}
		if asWritten.MatchString(text) {
			return &value{json: text}, nil
		}
		return of(number), nil
	case unstable.Array:
		v := &value{kind: list}
		for it := n.Children(); it.Next(); {
			item, err := r.value(it.Node())
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, item)
		}
		return v, nil
	case unstable.InlineTable:
		v := &value{kind: object}
		for it := n.Children(); it.Next(); {
			if err := r.pair(v, it.Node()); err != nil {
				return nil, err
			}
		}
		return v, nil
	}
	if !isTime(text) {
		return nil, r.wrong(n, "impossible date or time")
	}
	return of(text), nil
}

// isTime reports whether text is a valid date or time.
func isTime(text string) bool {
	text = strings.ToUpper(strings.Replace(text, " ", "T", 1))
	if hours := strings.IndexByte(text, ':'); hours >= 0 && hours != len("07") && hours != len("1979-05-27T07") {
		return false // time.Parse also accepts hours of one digit
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02",
		"15:04:05", "15:04",
	} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}
