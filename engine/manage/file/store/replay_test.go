package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

const base = `{
  "toolboxes": {
    "dev": {
      "mcpServers": {
        "one": {"command": "npx", "args": ["-y", "one"]},
        "two": {"command": "npx", "args": ["-y", "two"]},
        "three": {"url": "https://example.com/mcp"}
      }
    },
    "prod": {"mcpServers": {"x": {"command": "x"}}}
  }
}
`

func TestReplay(t *testing.T) {
	const servers = "/toolboxes/dev/mcpServers/"
	set := func(path, value string) Op {
		return patch(`[{"op": "add", "path": "` + path + `", "value": ` + value + `}]`)
	}
	remove := func(path string) Op { return patch(`[{"op": "remove", "path": "` + path + `"}]`) }
	swap := func(old, new string) Op {
		return OpFunc(func(source []byte) ([]byte, error) {
			return []byte(strings.Replace(string(source), old, new, 1)), nil
		})
	}
	reorder := swap(`"one": {"command": "npx", "args": ["-y", "one"]},
        "two": {"command": "npx", "args": ["-y", "two"]},`, `"two": {"command": "npx", "args": ["-y", "two"]},
        "one": {"command": "npx", "args": ["-y", "one"]},`)
	for _, test := range []struct {
		name       string
		ours, them Op
		clash      string // path and reason; empty if there is no clash
	}{
		{"different toolboxes", set("/toolboxes/new", `{"mcpServers": {}}`), set("/toolboxes/prod/description", `"theirs"`),
			""},
		{"different servers", set(servers+"one/disabled", "true"), set(servers+"two/disabled", "true"), ""},
		{"different fields", set(servers+"one/disabled", "true"), set(servers+"one/callTimeout", "5"), ""},
		{"two new servers", set(servers+"new", `{"command": "x"}`), set(servers+"theirs", `{"command": "x"}`), ""},
		{"a comment", set(servers+"one/disabled", "true"), swap(`"prod":`, "// theirs\n    \"prod\":"), ""},
		{"indentation", set(servers+"one/disabled", "true"), swap("    \"prod\"", "\t\t\"prod\""), ""},
		{"an order and a value", reorder, set(servers+"three/disabled", "true"), ""},
		{"a removal and a value", remove(servers + "one"), set(servers+"two/disabled", "true"), ""},

		{"the same field", set(servers+"one/disabled", "true"), set(servers+"one/disabled", "false"),
			"toolboxes.dev.mcpServers.one.disabled it was added meanwhile"},
		{"the same and more", patch(`[{"op": "add", "path": "` + servers +
			`one/disabled", "value": true}, {"op": "add", "path": "` + servers + `two/disabled", "value": true}]`),
			set(servers+"one/disabled", "true"), "toolboxes.dev.mcpServers.one.disabled the same was done already"},
		{"a server that is gone", set(servers+"one/disabled", "true"), remove(servers + "one"),
			"toolboxes.dev.mcpServers.one.disabled toolboxes.dev.mcpServers.one was removed meanwhile"},
		{"a toolbox that is gone", set(servers+"one/disabled", "true"), remove("/toolboxes/dev"),
			"toolboxes.dev.mcpServers.one.disabled toolboxes.dev was removed meanwhile"},
		{"the removal of what was changed", remove(servers + "one"), set(servers+"one/disabled", "true"),
			"toolboxes.dev.mcpServers.one something in it, toolboxes.dev.mcpServers.one.disabled, was added meanwhile"},
		{"a name that is taken", set(servers+"new", `{"command": "x"}`), set(servers+"new", `{"command": "y"}`),
			"toolboxes.dev.mcpServers.new it was added meanwhile"},
		{"another server of that name", set(servers+"one/disabled", "true"), set(servers+"one/args", `["-y", "other"]`),
			"toolboxes.dev.mcpServers.one it is another server now"},
		{"another address", set(servers+"three/disabled", "true"), set(servers+"three/url", `"https://example.org/mcp"`),
			"toolboxes.dev.mcpServers.three it is another server now"},
		{"another toolbox of that name", set("/toolboxes/prod/description", `"ours"`),
			set("/toolboxes/prod/mcpServers", `{"y": {"command": "x"}}`),
			"toolboxes.prod it is another toolbox now: none of its servers is left"},
		{"the same value and a comment", swap(`"x": {"command": "x"}`, `"x": {"command": "y"} /* ours */`),
			swap(`"x": {"command": "x"}`, `"x": {"command": "y"}`),
			"toolboxes.prod.mcpServers.x.command the same was done already"},
		{"two orders", reorder, swap(`"three": {"url": "https://example.com/mcp"}`, `"zero": {"command": "z"}`), ""},
		{"a whole text over a comment",
			Text{From: []byte(base), To: []byte(strings.Replace(base, `"two"]}`, `"two"]} /* ours */`, 1))},
			swap(`"two"]}`, `"two"]} /* theirs */`), "the same lines were changed in two ways"},
		{"an Op that puts in what it wants", OpFunc(func([]byte) ([]byte, error) {
			return []byte(strings.Replace(base, "https", "http", 1)), nil
		}),
			set("/toolboxes/prod/description", `"theirs"`), "toolboxes.prod.description the edit would change it too now"},
		{"an Op that loses a comment", OpFunc(func([]byte) ([]byte, error) {
			return []byte(strings.Replace(base, "https", "http", 1)), nil
		}),
			swap(`"prod":`, "// theirs\n    \"prod\":"), "a comment that was added meanwhile would be lost: // theirs"},
		{"an Op that breaks the text", OpFunc(func(source []byte) ([]byte, error) {
			if strings.Contains(string(source), "theirs") {
				return []byte("{"), nil
			}
			return []byte(strings.Replace(base, "https", "http", 1)), nil
		}), swap(`"prod":`, "// theirs\n    \"prod\":"), "the result would have syntax errors"},
		{"an Op that goes by number", OpFunc(func(source []byte) ([]byte, error) {
			if strings.Contains(string(source), "theirs") {
				return []byte(strings.Replace(string(source), `"npx", "args": ["-y", "two"]`, `"bunx", "args": ["-y", "two"]`, 1)),
					nil
			}
			return []byte(strings.Replace(string(source), `"npx"`, `"bunx"`, 1)), nil
		}), set("/toolboxes/prod/description", `"theirs"`),
			"toolboxes.dev.mcpServers.one.command the edit would do something else to it now"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := placed(t, base)
			s := p.open()
			theirs, err := test.them.Apply([]byte(base))
			if err != nil || string(theirs) == base {
				t.Fatalf("their edit does nothing: %v", err)
			}
			p.write(string(theirs))
			change, err := s.Edit(t.Context(), "ours", test.ours)
			if test.clash == "" {
				if err != nil {
					t.Fatal(err)
				}
				check(t, "replayed", change.Replayed, true)
				check(t, "file", p.read(), string(change.After.Source))
				want, err := test.ours.Apply(theirs)
				check(t, "result", p.read(), string(want))
				check(t, "error", err, nil)
				check(t, "history", labels(t, s), "3 ours, 2 found in the file, 1 found in the file")
				return
			}
			var conflict *Conflict
			if !errors.As(err, &conflict) {
				t.Fatalf("%v instead of a conflict", err)
			}
			first := conflict.Clash[0]
			check(t, "clash", strings.TrimSpace(first.Path+" "+first.Reason), test.clash)
			check(t, "file", p.read(), string(theirs))
			check(t, "theirs", string(conflict.Theirs.Source), string(theirs))
			ours, _ := test.ours.Apply([]byte(base))
			check(t, "ours", string(conflict.Ours.Source), string(ours))
			check(t, "current", string(s.Current().Source), string(theirs))
			check(t, "nothing pending", s.Snapshot().Pending == nil, true)
			check(t, "history", labels(t, s), "2 found in the file, 1 found in the file")
			check(t, "error says what", strings.Contains(err.Error(), first.Reason), true)
			p.clean()
		})
	}
}

func TestBothReorder(t *testing.T) {
	p := placed(t, `{"toolboxes": {"a": {"mcpServers": {}}, "b": {"mcpServers": {}}, "c": {"mcpServers": {}}}}`)
	s := p.open()
	order := func(names ...string) Text {
		var parts []string
		for _, name := range names {
			parts = append(parts, `"`+name+`": {"mcpServers": {}}`)
		}
		return Text{From: []byte(p.read()), To: []byte(`{"toolboxes": {` + strings.Join(parts, ", ") + `}}`)}
	}
	ours, before := order("c", "a", "b"), s.Current()
	p.write(string(order("b", "a", "c").To))
	var conflict *Conflict
	if _, err := s.Edit(t.Context(), "order", ours); !errors.As(err, &conflict) || conflict.Clash[0].Path != "toolboxes" {
		t.Fatal(err)
	}
	p.write(string(ours.To)) // the order that we want
	if change, err := s.EditFrom(t.Context(), before, "order", ours); err != nil || change.Changed() {
		t.Errorf("changed is %v, error %v, want nothing to do", change.Changed(), err)
	}
}

func TestTheSameWasDone(t *testing.T) {
	p := placed(t, base)
	s := p.open()
	op := patch(`[{"op": "remove", "path": "/toolboxes/prod"}]`)
	theirs, err := op.Apply([]byte(base))
	if err != nil {
		t.Fatal(err)
	}
	p.write(string(theirs))
	change, err := s.Edit(t.Context(), "removed prod", op)
	check(t, "nothing left to do", err == nil && !change.Changed(), true)
	check(t, "file", p.read(), string(theirs))
	check(t, "history", labels(t, s), "2 found in the file, 1 found in the file")
}

func TestEditFrom(t *testing.T) {
	p := placed(t, base)
	s := p.open()
	seen := s.Current()
	p.write(strings.Replace(base, `"x"`, `"y"`, 1))
	if err := s.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	op := patch(`[{"op": "remove", "path": "/toolboxes/prod"}]`)
	var conflict *Conflict
	if _, err := s.EditFrom(t.Context(), seen, "removed prod", op); !errors.As(err, &conflict) {
		t.Fatalf("%v: the removed entry is not the one that the user saw", err)
	}
	if _, err := s.EditFrom(t.Context(), s.Current(), "removed prod", op); err != nil {
		t.Fatal(err)
	}
}

func FuzzReplay(f *testing.F) {
	f.Add(base, base, strings.Replace(base, "one", "four", 1))
	f.Add(`{"a": 1}`, `{"a": 1, "b": [1, {"c": "\u0041"}]}`, "{\"a\": 1 // x\n}")
	f.Add("\ufeff{}", "{} // \"<secret 0123456789abcdef>\"", `{"a": {"a": {"a": {}}}, "a": 1}`)
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		result, clashes := replay([]byte(base), []byte(ours), []byte(theirs),
			[]Op{Text{From: []byte(base), To: []byte(ours)}})
		if len(clashes) > 0 {
			return
		}
		for comment, count := range comments(theirs) {
			if comments(base)[comment] < count && comments(string(result))[comment] < count {
				t.Errorf("the comment %q is lost", comment)
			}
		}
		if broken(result) {
			t.Errorf("the result is broken: %q", result)
		}
	})
}

// comments returns how often each comment occurs in a text.
func comments(text string) map[string]int {
	found := map[string]int{}
	document := jsonc.Parse([]byte(text))
	for _, span := range document.Comments {
		found[strings.TrimSpace(document.Slice(span))]++
	}
	return found
}
