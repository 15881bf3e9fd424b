package foreign

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// This file checks that nothing of a foreign entry is lost unsaid: entry and notes together name every member
// that was there.

// TestEveryMemberIsTakenOrNamed reads entries with random members, with all spellings in all groups, and values
// that can be found again.
func TestEveryMemberIsTakenOrNamed(t *testing.T) {
	for seed := range uint64(1000) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		text := g.text()
		judge(t, text)
		if t.Failed() {
			t.Fatalf("of seed %d: %s", seed, text)
		}
	}
}

// FuzzAccount reads any text.
func FuzzAccount(f *testing.F) {
	for seed := range uint64(30) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		f.Add(g.text())
	}
	for _, text := range []string{
		`{"mcpServers":{"a":{"baseUrl":"http://a/mcp","command":"","isActive":false,"x":{"y":1}},"env":{"A":"b"}},"env":{"C":"d"}}`,
		`{"mcp":{"servers":{"a":{"type":"local","command":["a","b"],"environment":{"A":"b"}}},"timeout":5}}`,
		`{"tools":[{"type":"mcp","server_label":"a","server_url":"https://a/mcp","allowed_tools":["x"]},{"type":"f"}]}`,
		`{"toolboxes":{"a":{"mcpServers":{"b":{"command":"c","x":1}},"y":1}},"z":1}`,
		`[{"name":"a","command":"a","name":"b","args":[1,{}]}]`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 1<<12 {
			judge(t, text)
		}
	})
}

// judge checks the account of a text, if it is JSON.
func judge(t *testing.T, text string) {
	t.Helper()
	found, err := Parse(text)
	if err != nil {
		return
	}
	var said strings.Builder
	for _, note := range found.Says() {
		said.WriteString(note.String() + "\n")
	}
	var roots []*jsonc.Node
	for i := range found.Entries {
		e := &found.Entries[i]
		if e.At.Value == nil {
			return // not JSON
		}
		roots = append(roots, e.At.Value)
		for _, m := range members(e.At.Value) {
			judgeMember(t, e, m, m.Key)
		}
		for _, l := range e.Left {
			if !slices.ContainsFunc(e.Notes, func(note words.Text) bool {
				return strings.Contains(note.String(), repeated(l.Path))
			}) && len(e.Left) < maxNamed {
				t.Errorf("no note names %q", l.Path)
			}
		}
	}
	for _, rest := range found.Rest {
		roots = append(roots, rest.Value)
	}
	d := jsonc.Parse([]byte(clean(text)))
	if d.Broken() == nil && strings.Count(text, `"`) < 200 {
		judgeRest(t, d.Root, roots, said.String(), text)
	}
}

// judgeRest checks that what is in no entry is named.
func judgeRest(t *testing.T, n *jsonc.Node, roots []*jsonc.Node, said, text string) (holds bool) {
	t.Helper()
	for _, root := range roots {
		if root != nil && root.Raw() == n.Raw() && (n.Kind >= jsonc.Object || n.Kind == jsonc.String && isAddress(n.Str())) {
			return true
		}
	}
	var beside []*jsonc.Node
	for _, m := range n.Children {
		inner := judgeRest(t, m, roots, said, text)
		holds = holds || inner
		if !inner {
			beside = append(beside, m)
		}
	}
	for _, m := range beside {
		if holds && m.Name.End > 0 && m.Key != "$schema" && m.Key != "inputs" && m.Key != "askFirst" &&
			n.Repeated() == nil && !strings.Contains(said, repeated(m.Key)) {
			t.Errorf("%q stands beside servers, and no note names it:\n%s", m.Key, said)
		}
	}
	return holds
}

// judgeMember checks one member of an entry.
func judgeMember(t *testing.T, e *Entry, m *jsonc.Node, path string) {
	t.Helper()
	if leftOut(e, path) {
		return
	}
	switch m.Kind {
	case jsonc.Null:
		return
	case jsonc.Object, jsonc.Array:
		for i, kid := range m.Children {
			inner := path + "." + kid.Key
			if m.Kind == jsonc.Array {
				inner = fmt.Sprintf("%s[%d]", path, i)
			}
			judgeMember(t, e, kid, inner)
		}
		return
	}
	value, _ := scalar(m)
	value = strings.TrimSpace(value)
	switch {
	case value == "", fold(value) == fold(e.Server.Name), strings.ContainsAny(value, "$%{}~\\'\" \t\n*`<>|&;#=:"),
		strings.HasPrefix(value, "-"):
		return // may be written in another way
	case m.Kind == jsonc.True || m.Kind == jsonc.False || m.Kind == jsonc.Number:
		return // has no text that could be found again
	}
	if !strings.Contains(content(e), value) {
		t.Errorf("%q is neither in the entry nor named:\n%s\n%v\n%v", path, JSON(&e.Server), e.Left, e.Notes)
	}
}

// leftOut reports whether a member, or what it is part of, was left out with a reason.
func leftOut(e *Entry, path string) bool {
	return slices.ContainsFunc(e.Left, func(l Left) bool {
		return l.Path == "…" || path == l.Path || strings.HasPrefix(path, l.Path+".") || strings.HasPrefix(path, l.Path+"[")
	})
}

// content returns all texts of an entry.
func content(e *Entry) string {
	var b strings.Builder
	s := e.Server
	Each(&s, func(place Part, value *string) { b.WriteString(place.Name + "\n" + *value + "\n") })
	fmt.Fprintln(&b, s.Name, s.ToolFilters, s.Transport, e.Notes)
	if s.OAuth != nil {
		fmt.Fprintln(&b, s.OAuth.Scope)
	}
	// The names of transports have no other effect than the transport itself.
	b.WriteString("stdio sse http local remote custom mcp url streamable-http streamableHttp")
	return b.String()
}

// generator makes entries.
type generator struct {
	*rand.Rand
	n     int
	names []string
}

func (g *generator) token() string {
	g.n++
	return fmt.Sprintf("v%dq", g.n)
}

func (g *generator) text() string {
	for _, row := range spellings() {
		g.names = append(g.names, strings.Fields(row.names)...)
	}
	entry := g.object(0)
	member := `"command":"` + g.token() + `"`
	if g.IntN(2) == 0 {
		member = `"url":"https://` + g.token() + `.example/mcp"`
	}
	entry = `{` + member + `,` + entry[1:]
	entry = strings.ReplaceAll(entry, ",}", "}")
	switch g.IntN(5) {
	case 0:
		return `{"mcp":{"servers":{"` + g.token() + `":` + entry + `},"` + g.token() + `":` + g.value(1) + `}}`
	case 1:
		return `[` + entry + `]`
	case 2:
		return `{"a":{"mcp_servers":[` + entry + `,` + g.value(1) + `]},"` + g.token() + `":1}`
	}
	return `{"mcpServers":{"` + g.token() + `":` + entry + `,"env":{"A":"b"}},"` + g.token() + `":[]}`
}

// spelledDifferently returns a name as some product may spell it.
func (g *generator) spelledDifferently(name string) string {
	switch g.IntN(4) {
	case 0:
		return strings.ToUpper(name[:1]) + name[1:]
	case 1:
		at := g.IntN(len(name))
		return name[:at] + "_" + name[at:]
	case 2:
		at := g.IntN(len(name))
		return name[:at] + "-" + name[at:]
	}
	return name
}

func (g *generator) object(depth int) string {
	var b strings.Builder
	b.WriteString("{")
	for i := range g.IntN(5) {
		if i > 0 {
			b.WriteString(",")
		}
		name := g.token()
		if g.IntN(5) > 0 {
			name = g.spelledDifferently(g.names[g.IntN(len(g.names))])
		}
		b.WriteString(jsonc.Quote(name) + ":" + g.value(depth+1))
	}
	return b.String() + "}"
}

func (g *generator) value(depth int) string {
	switch kind := g.IntN(10); {
	case kind < 4 || depth > 4:
		return jsonc.Quote(g.token())
	case kind == 4:
		return []string{"true", "false", "null", "5", `""`, "[]", "{}", `"https://x.example/mcp"`, `"stdio"`,
			`"sse"`}[g.IntN(10)]
	case kind < 7:
		list := make([]string, g.IntN(4))
		for i := range list {
			list[i] = g.value(depth + 1)
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	return g.object(depth)
}
