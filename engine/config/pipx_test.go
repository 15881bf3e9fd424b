package config

import (
	"strings"
	"testing"
)

// A server that "pipx run" starts can be started with uvx if that certainly runs the same package. The fix changes
// nothing else in the file.
func TestStartWithUvx(t *testing.T) {
	lookup := Lookup{Env: func(string) (string, bool) { return t.TempDir(), true }}
	for entry, want := range map[string]string{
		`"command": "pipx", "args": ["run", "mcp-server-time"]`:                                      `"command": "uvx", "args": ["mcp-server-time"]`,
		`"command": "pipx", "env": {"KEY": "sesame"}, "args": ["run", "a"]`:                          `"command": "uvx", "env": {"KEY": "sesame"}, "args": ["a"]`,
		`"args": ["run", "some.server", "--port", "1"], "command": "pipx"`:                           `"args": ["some.server", "--port", "1"], "command": "uvx"`,
		`"command": "pipx.exe", "args": ["run", "x", "--spec", "y"], "cwd": "."`:                     `"command": "uvx", "args": ["x", "--spec", "y"], "cwd": "."`,
		`"command": "pipx", "args": ["run", "--spec", "git+https://a.example/b", "c"]`:               `"command": "uvx", "args": ["--from", "git+https://a.example/b", "c"]`,
		`"command": "pipx", "args": ["run", "--spec=some-server==1.0", "some", "${HOME}"]`:           `"command": "uvx", "args": ["--from=some-server==1.0", "some", "${HOME}"]`,
		"\"command\": \"pipx\", // why\n  \"args\": [\n    \"run\", // this\n    \"a\" // that\n  ]": "\"command\": \"uvx\", // why\n  \"args\": [\n    // this\n    \"a\" // that\n  ]",

		`"command": "pipx", "args": ["run", "--python", "3.12", "a"]`:                            "",
		`"command": "pipx", "args": ["run", "--spec", "a", "--no-cache", "b"]`:                   "",
		`"command": "pipx", "args": ["run", "--no-cache", "--spec", "a", "b"]`:                   "",
		`"command": "pipx", "args": ["run", "--spec", "--pip-args", "b"]`:                        "",
		`"command": "pipx", "args": ["run", "--spec", "a"]`:                                      "",
		`"command": "pipx", "args": ["run", "--spec="]`:                                          "",
		`"command": "pipx", "args": ["run", "--", "a"]`:                                          "",
		`"command": "pipx", "args": ["run", "a==1.0"]`:                                           "",
		`"command": "pipx", "args": ["run", "a[b]"]`:                                             "",
		`"command": "pipx", "args": ["run", "https://a.example/b.py"]`:                           "",
		`"command": "pipx", "args": ["run", "./b.py"]`:                                           "",
		`"command": "pipx", "args": ["run", "b.py"]`:                                             "",
		`"command": "pipx", "args": ["run", "${HOME}"]`:                                          "",
		`"command": "pipx", "args": ["--quiet", "run", "a"]`:                                     "",
		`"command": "pipx", "args": ["runpip", "a"]`:                                             "",
		`"command": "pipx", "args": ["run"]`:                                                     "",
		`"command": "pipx"`:                                                                      "",
		`"command": "/opt/pipx", "args": ["run", "a"]`:                                           "",
		`"command": "pipx", "args": ["run", "a"], "env": {"PIP_INDEX_URL": "https://a.example"}`: "",
		`"command": "pipx", "args": ["run", "a"], "env": {"pipx_default_python": "3.12"}`:        "",
		`"command": "python", "args": ["-m", "a"]`:                                               "",
		`"command": "python3", "args": ["run", "a"]`:                                             "",
	} {
		source := func(entry string) string {
			return `{"toolboxes": {"a box": {"mcpServers": {"x": {"url": "https://a.example"}, "a.b": {` + entry +
				`}}}}} // end`
		}
		document := Parse("config", []byte(source(entry)))
		if len(document.Errors()) > 0 {
			t.Fatalf("%s: %v", entry, document.Errors())
		}
		found := document.CheckEnvironment(lookup)
		if len(found) != 1 || found[0].Code != ProgramNotFound {
			t.Errorf("%s: %+v", entry, found)
			continue
		}
		fix := found[0].Fix
		if want == "" {
			if fix != nil || strings.Contains(found[0].Hint.String(), "uvx") {
				t.Errorf("%s: a change is offered: %+v, %s", entry, fix, found[0].Hint)
			}
			continue
		}
		if fix == nil || fix.Title.String() != "Start it with uvx" || !fix.Alone ||
			found[0].Hint.String() != "start it with uvx, which runs the same package, or install pipx from "+
				"https://pipx.pypa.io" {
			t.Errorf("%s: the fix is %+v, the hint %s", entry, fix, found[0].Hint)
			continue
		}
		for _, change := range fix.Changes {
			if strings.Contains(change.New, "sesame") || strings.Contains(change.New, "some") {
				t.Errorf("%s: the fix repeats what is in the file: %+v", entry, fix.Changes)
			}
		}
		got, err := ApplyChanges(document.Source, fix.Changes)
		if err != nil || string(got) != source(want) {
			t.Errorf("%s becomes, %v,\n%s, want\n%s", entry, err, got, source(want))
		}
	}
}

// FixAll never makes a fix that changes what is run, because the file may be used on a computer that has pipx.
func TestFixAllLeavesPipx(t *testing.T) {
	source := []byte(`{"toolboxes": {"dev": {"mcpServers": {"a": {"command": "pipx", "args": ["run", "a"] "cwd": "."}}}}}`)
	if fixed := FixAll("config", source); !strings.Contains(string(fixed.Source), `"pipx", "args": ["run", "a"]`) ||
		len(fixed.Applied) != 1 {
		t.Errorf("the file becomes %s", fixed.Source)
	}
}
