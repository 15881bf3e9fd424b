package edit

import (
	"errors"
	"strings"
	"testing"
)

// wrong is an operation that means to do nothing but replaces some text.
type wrong struct{ from, to string }

func (wrong) Kind() string     { return "wrong" }
func (wrong) String() string   { return "do something wrong" }
func (wrong) expect(m *model)  { m.at(serversPlace("a")) }
func (wrong) touches() []place { return nil }
func (o wrong) apply(d *draft) error {
	at := strings.Index(string(d.text), o.from)
	return d.replace([]Change{{at, at + len(o.from), o.to}})
}

// TestCheck makes mistakes, which must be found before the caller gets to see the text.
func TestCheck(t *testing.T) {
	const source = `{
  "toolboxes": {
    "a": {"mcpServers": {"x": {"command": "1", "n": 1.0, /* c */ "args": [ 1 ]}, "y": {}}}
  },
  "z": "\u0061"
}
`
	for _, test := range []wrong{
		{`"1"`, `"2"`}, {`1.0`, `1.00`}, {`/* c */`, ``}, {`[ 1 ]`, `[1]`}, {`, "y": {}`, ``}, {`"y"`, `"\u0079"`}, {`\u0061`, `a`},
		{`"y": {}`, `"y": {}, "w": {}`}, {`"x": {`, `"x": [{`}, {`]}, "y"`, `]} "y"`}, {`"a": `, `"toolboxes": {}, "a": `}, {source, ``},
		{`"n": 1.0, /* c */ "args"`, `/* c */ "n": 1.0, "args"`}, {source, "[]"}, {`"z"`, `// "z"`},
	} {
		if result, err := Apply([]byte(source), test); !errors.Is(err, ErrBug) {
			t.Errorf("%+v was not found: %v\n%s", test, err, result.Source)
		}
	}
	// It is not about what stands between the members that change.
	if _, err := Apply([]byte(source), wrong{"{\n", "{ // c\n"}); err != nil {
		t.Error(err)
	}
}
