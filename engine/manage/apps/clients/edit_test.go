package clients

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func testLaunch() Launch {
	return Launch{Program: `C:\Program Files\Workbench\workbench-desktop.exe`,
		Config: `C:\Users\Ada\.workbench\workbench-config.json`}
}

// roundTrip adds an entry to a text and removes it again: once by the ledger's record and once by structure.
func roundTrip(t *testing.T, c Client, before string) (after string) {
	t.Helper()
	l := testLaunch()
	d, err := c.read([]byte(before))
	if err != nil {
		t.Fatalf("%q: %v", before, err)
	}
	if d, err = d.headed(); err != nil {
		t.Fatalf("%q: %v", before, err)
	}
	before = string(d.source(d.text))
	source, err := d.with(entryFor(c, l, usualName), l)
	if err != nil {
		t.Fatalf("%q: %v", before, err)
	}
	changed, err := c.read(source)
	if err != nil {
		t.Fatal(err)
	}
	if inserted := insertion([]byte(before), source); inserted != "" {
		out, err := changed.without(usualName, inserted, true)
		if err != nil || string(out) != before {
			t.Errorf("by its text: %v\n%q\nwant\n%q", err, out, before)
		}
	}
	out, err := changed.without(usualName, "", true)
	if err != nil {
		t.Errorf("by structure: %v", err)
	}
	restored, err := c.read(out)
	if err != nil || !d.sameBut(restored, usualName) {
		t.Errorf("by structure: %v\n%q\nwant\n%q", err, out, before)
	}
	return string(source)
}

const (
	windowsCommand = `"command": "C:\\Program Files\\Workbench\\workbench-desktop.exe"`
	windowsArgs    = `"args": ["stdio", "--client", "cursor", "--config", "C:\\Users\\Ada\\.workbench\\workbench-config.json"]`
)

func TestJSON(t *testing.T) {
	c := rowOf(t, "cursor")
	// $ stands for the entry on several lines with the given indentation, % for the entry on one line.
	for _, test := range []struct{ before, after, indent, unit, newline string }{
		{"{}", "{\n  \"mcpServers\": {\n    $\n  }\n}", "    ", "  ", "\n"},
		{"{\n}\n", "{\n  \"mcpServers\": {\n    $\n  }\n}\n", "    ", "  ", "\n"},
		{"", "{\n  \"mcpServers\": {\n    $\n  }\n}\n", "    ", "  ", "\n"},
		{`{"mcpServers":{}}`, "{\"mcpServers\":{\n  $\n}}", "  ", "  ", "\n"},
		{`{"mcpServers":{"a":{}}}`, `{"mcpServers":{"a":{}, %}}`, "", "", ""},
		{`{"mcpServers":{"a":{},}}`, `{"mcpServers":{"a":{}, %,}}`, "", "", ""},
		{"\ufeff{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {} // x\r\n\t}\r\n}",
			"\ufeff{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {}, // x\r\n\t\t$\r\n\t}\r\n}", "\t\t", "\t", "\r\n"},
		{"{\n   \"a\": 1,\n   \"mcpServers\": { // mine\n   },\n}",
			"{\n   \"a\": 1,\n   \"mcpServers\": { // mine\n      $\n   },\n}", "      ", "   ", "\n"},
		{"{\n  \"mcpServers\": {\n    \"a\": {}}}", "{\n  \"mcpServers\": {\n    \"a\": {},\n    $}}", "    ", "  ", "\n"},
		{"{ \"mcpServers\": { \"a\": {} /* x */ } }", "{ \"mcpServers\": { \"a\": {} /* x */, % } }", "", "", ""},
	} {
		entry := `"workbench": {` + test.newline + test.indent + test.unit + windowsCommand + `,` + test.newline +
			test.indent + test.unit + windowsArgs + test.newline + test.indent + `}`
		flat := `"workbench": {` + windowsCommand + ", " + windowsArgs + `}`
		want := strings.NewReplacer("$", entry, "%", flat).Replace(test.after)
		if got := roundTrip(t, c, test.before); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", test.before, got, want)
		}
	}
}

func TestTOMLAndYAML(t *testing.T) {
	for id, texts := range map[string][]string{
		"codex": {
			"", "\n", "# only a comment", "a = 1", "a = 1\r\n[mcp_servers]\r\n", "\ufeffa = 1\n",
			"[mcp_servers]\nfiles.command = 'x'\n",
			"[mcp_servers.\"with.dot\"]\ncommand = \"\"\"\n[mcp_servers.workbench]\n\"\"\"\n",
			"[[profiles]]\nx = {a = 1, b = [1, # c\n2]}\n",
		},
		"goose": {
			"", "# only a comment\n", "a: 1", "a: 1\r\nextensions:\r\n  x:\r\n    type: builtin\r\n", "extensions:\nb: 1\n",
			"extensions: {}\n", "extensions: {} # none\nb: 1\n",
			"extensions:\n    x:\n        enabled: true\n        text: |\n            # not a comment\n          \n# " +
				"after\nb: [1, 2]\n", "---\nextensions:\n  x: {type: builtin}\n", "\ufeffa: 1\n",
			"extensions:\n  x:\n    enabled: true", "extensions:\n x:\n  args:\n  - a\nb: 1\n",
		},
		"continue": {
			"", "# only a comment\n", "{}", "\ufeff\r\n", "a: 1", "a: 1\r\nmcpServers:\r\n  - name: x\r\n    command: y\r\n",
			"mcpServers:\nb: 1\n", "mcpServers: []\n", "mcpServers: [] # none\nb: 1\n",
			"mcpServers:\n- name: x\n  args:\n  - a\n  # inside\n# after\nb: 1\n",
			"mcpServers:\n-\n  name: x\n  command: y\n\n-   command: z\n    name: w",
			"mcpServers:\n    - {name: x, command: y}\n    - uses: a/b\nb: [1, 2]\n",
			"mcpServers:\n  - command: x\n    text: |\n      - name: workbench\n  # last\n",
		},
	} {
		for _, text := range texts {
			t.Run(fmt.Sprintf("%s %.30q", id, text), func(t *testing.T) {
				after := roundTrip(t, rowOf(t, id), text)
				if strings.Contains(text, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
					t.Errorf("mixed line ends: %q", after)
				}
			})
		}
	}
	if got := roundTrip(t, rowOf(t, "codex"), ""); !strings.Contains(got,
		`command = 'C:\Program Files\Workbench\workbench-desktop.exe'`) {
		t.Error(got)
	}
}

// TestNothingElseChanges: the last check before a file is written refuses an edit that changes more than our
// entry.
func TestNothingElseChanges(t *testing.T) {
	c := rowOf(t, "cursor")
	read := func(text string) document {
		d, err := c.read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	before := read(`{"a": 1, "mcpServers": {"files": {"n": 12345678901234567890}}}`)
	for text, same := range map[string]bool{
		`{"a": 1, "mcpServers": {"files": {"n": 12345678901234567890}, "workbench": {}}}`: true,
		`{"a": 1, "mcpServers": {"files": {"n": 12345678901234567891}, "workbench": {}}}`: false,
		`{"mcpServers": {"files": {"n": 12345678901234567890}, "workbench": {}}}`:         false,
		`{"a": 1, "mcpServers": {"workbench": {}}}`:                                       false,
		`{"a": 1, "mcpServers": {"files": {"n": 12345678901234567890}, "x": {}}}`:         false,
	} {
		if got := before.sameBut(read(text), usualName); got != same {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, test := range []struct {
		client, text string
		want         error
	}{
		{"cursor", `{"mcpServers": `, ErrUnreadable},
		{"cursor", `[]`, ErrShape},
		{"cursor", `{"mcpServers": []}`, ErrShape},
		{"cursor", `{"mcpServers": null}`, ErrShape},
		{"cursor", `{"mcpServers": {}, "mcpServers": {}}`, ErrShape},
		{"cursor", `{"mcpServers": {}, "mcp\u0053ervers": {}}`, ErrShape},
		{"cursor", `{"mcpServers": {"workbench": {}, "workbench": {}}}`, ErrShape},
		{"cursor", "{\x00}", ErrUnreadable},
		{"cursor", strings.Repeat("[", 100_000), ErrUnreadable},
		{"claude-desktop", "{} // a comment", ErrUnreadable},
		{"claude-desktop", `{"mcpServers": {},}`, ErrUnreadable},
		{"codex", "a = ", ErrUnreadable},
		{"codex", "a = 1\na = 2", ErrUnreadable},
		{"codex", "mcp_servers = []", ErrShape},
		{"codex", "mcp_servers = {}", ErrShape},
		{"goose", "a: [", ErrUnreadable},
		{"goose", "a: 1\na: 2", ErrUnreadable},
		{"goose", "- a", ErrShape},
		{"goose", "extensions: [a]", ErrShape},
		{"goose", "extensions: {a: {type: builtin}}", ErrShape},
		{"goose", "a: &x 1\nb: *x", ErrShape},
		{"goose", "a: 1\n---\nb: 1\n", ErrShape},
		{"continue", "mcpServers: {a: {command: x}}", ErrShape},
		{"continue", "mcpServers: [{name: a, command: x}]", ErrShape},
		{"continue", "mcpServers:\n  - name: workbench\n    command: workbench-desktop\n    args: [stdio]\n  - name: " +
			"workbench\n    command: x\n", ErrShape},
	} {
		c, l := rowOf(t, test.client), testLaunch()
		d, err := c.read([]byte(test.text))
		if err == nil {
			_, err = d.with(entryFor(c, l, usualName), l)
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%s %.40q: %v, want %v", test.client, test.text, err, test.want)
		}
	}
}

// TestUpdate: an old entry of ours gets the new command and keeps what people and clients have added to it.
func TestUpdate(t *testing.T) {
	for id, texts := range map[string][2]string{
		"cline": {`{"mcpServers": {"workbench": {"command": "/old/workbench-desktop", "args": ["stdio"], "autoApprove": ["x"]}}}`, `"autoApprove": ["x"]`},
		"codex": {"[mcp_servers.workbench]\ncommand = '/old/workbench-desktop' # ours\nargs = [\n  \"stdio\", # " +
			"x\n]\n[mcp_servers.workbench.env]\nA = '1'\n", "# ours\n"},
		"goose": {"extensions:\n  workbench:\n    cmd: /old/workbench-desktop\n    args:\n    - stdio\n    timeout: 5\n",
			"    timeout: 5\n"},
		"continue": {"mcpServers:\n  - command: /old/workbench-desktop # ours\n    name: workbench\n    args:\n      - " +
			"stdio\n    env: {A: b}\n  - name: x\n", "    name: workbench\n"},
		"opencode": {`{"mcp": {"workbench": {"type": "local", "command": ["/old/workbench-desktop", "stdio"], "enabled": false}}}`, `"enabled": false`},
	} {
		c, l := rowOf(t, id), testLaunch()
		d, err := c.read([]byte(texts[0]))
		if err != nil {
			t.Fatal(err)
		}
		if name, ours := d.choose(Record{}); name != usualName || !ours {
			t.Errorf("%s: %q, %v", id, name, ours)
		}
		after, err := d.with(entryFor(c, l, usualName), l)
		if err != nil || !strings.Contains(string(after), texts[1]) || strings.Contains(string(after), "old") {
			t.Errorf("%s: %v\n%s", id, err, after)
		}
	}
}

// random writes JSON with comments in all the styles that people use.
type random struct{ *rand.Rand }

func (r random) space(lines bool) string {
	choices := []string{"", " ", "\t", "/* c, { */", " /**/ "}
	if lines {
		choices = append(choices, "\n", "\n  ", "\r\n\t", " // line }\n", "\n// own\n    ")
	}
	return choices[r.IntN(len(choices))]
}

func (r random) object(depth int, names []string, lines bool) string {
	var b strings.Builder
	b.WriteString("{" + r.space(lines))
	for i, name := range names {
		if i > 0 {
			b.WriteString("," + r.space(lines))
		}
		literal, _ := json.Marshal(name)
		b.WriteString(string(literal) + r.space(lines) + ":" + r.space(lines) + r.value(depth+1, name, lines) +
			r.space(lines))
	}
	if len(names) > 0 && r.IntN(3) == 0 {
		b.WriteString("," + r.space(lines))
	}
	b.WriteString("}")
	return b.String()
}

func (r random) value(depth int, name string, lines bool) string {
	if name != "mcpServers" && (depth > 3 || r.IntN(2) == 0) {
		return []string{"1", "12345678901234567890", `"}, \" // {"`, "null", "[ ]", "[1,\n2]", "1.0",
			`"\ud83d\ude00"`}[r.IntN(8)]
	}
	all := []string{"a", "b c", "\u00fc\"", "//", "z"}
	return r.object(depth, all[:r.IntN(len(all))], lines)
}

func TestRandomJSON(t *testing.T) {
	c := rowOf(t, "cursor")
	for seed := range uint64(3000) {
		r := random{rand.New(rand.NewPCG(seed, 1))}
		lines := r.IntN(3) > 0
		names := []string{"x", "mcpServers", "y"}
		if r.IntN(4) == 0 {
			names = names[:r.IntN(2)]
		}
		before := r.space(lines) + r.object(0, names, lines) + r.space(lines)
		if r.IntN(5) == 0 {
			before = byteOrderMark + before
		}
		roundTrip(t, c, before)
		if t.Failed() {
			t.Fatalf("seed %d: %q", seed, before)
		}
	}
}

func fuzz(f *testing.F, id string, seeds ...string) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, before string) {
		c, l := rowOf(t, id), testLaunch()
		d, err := c.read([]byte(before))
		if err != nil {
			return
		}
		name, _ := d.choose(Record{})
		source, err := d.with(entryFor(c, l, name), l)
		if err != nil {
			return
		}
		after, err := c.read(source)
		if d, _ = d.headed(); err != nil || !d.sameBut(after, name) {
			t.Fatalf("%q became %q: %v", before, source, err)
		}
		if again, err := after.with(entryFor(c, l, name), l); err != nil || string(again) != string(source) {
			t.Fatalf("twice: %q, %v", again, err)
		}
		out, err := after.without(name, "", false)
		if err != nil {
			return
		}
		if restored, err := c.read(out); err != nil || !restored.sameBut(d, name) {
			t.Fatalf("%q without is %q", source, out)
		}
	})
}

func FuzzJSON(f *testing.F) {
	fuzz(f, "cursor", `{"mcpServers":{"a":{}}}`, "{\n // c\n \"mcpServers\": { /* x */ },\n}", "\ufeff{}", "",
		`{"mcpServers":{"workbench":{"command":"workbench-desktop","args":["stdio"]},"b":1}}`)
}

func FuzzTOML(f *testing.F) {
	fuzz(f, "codex", "", "a = 1\n[mcp_servers.x]\ncommand = 'x'\n",
		"[mcp_servers.workbench]\ncommand='workbench-desktop'\nargs=['stdio']\n[[x]]\n",
		"mcp_servers.workbench.command = 'a'")
}

func FuzzYAMLList(f *testing.F) {
	fuzz(f, "continue", "", "a: 1\nmcpServers:\n  - name: x\n    command: y\n", "mcpServers: []\n",
		"mcpServers:\n-\n  name: workbench\n  command: workbench-desktop\n  args:\n  - stdio\n- uses: x\nb: |\n  x\n")
}

func FuzzYAML(f *testing.F) {
	fuzz(f, "goose", "", "a: 1\nextensions:\n  x:\n    type: y\n", "extensions: {}\n",
		"extensions:\n  workbench:\n    cmd: workbench-desktop\n    args:\n    - stdio\nb: |\n  x\n")
}
