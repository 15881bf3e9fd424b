package pin

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

func tool(name, description string) Definition {
	return Definition{name, json.RawMessage(
		fmt.Sprintf(`{"name":%q,"description":%q,"inputSchema":{"type":"object"}}`, name, description))}
}

func withheld(v Verdict) []string {
	var names []string
	for name := range v.Withheld {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// list makes the store process a list as an engine does, and returns the verdicts before and after it was
// written.
func list(t *testing.T, s *Store, server Hash, version string, trusted bool,
	tools ...Definition) (before, after Verdict) {
	t.Helper()
	record, err := s.Load(server)
	if err != nil {
		t.Fatal(err)
	}
	before = record.Judge(tools, version, trusted)
	if !before.Stale {
		return before, before
	}
	record, err = s.Update(context.Background(), server, func(now *Record) *Record {
		return now.With("a/b", tools, version, trusted)
	})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Load(server); err != nil || string(again.encode()) != string(record.encode()) {
		t.Fatalf("read back: %v\n%s\n%s", err, again.encode(), record.encode())
	}
	return before, record.Judge(tools, version, trusted)
}

func decide(t *testing.T, s *Store, server Hash, approved bool) {
	t.Helper()
	record, err := s.Load(server)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Decide(context.Background(), server, record.Changes(), approved); err != nil {
		t.Fatal(err)
	}
}

func expect(t *testing.T, what string, v Verdict, names ...string) {
	t.Helper()
	if got := withheld(v); !slices.Equal(got, names) {
		t.Errorf("%s: withheld %q, want %q", what, got, names)
	}
}

// A changed definition waits for a person. A definition that was approved before may come back.
func TestChanges(t *testing.T) {
	s, server := Open(filepath.Join(t.TempDir(), "pins")), Hash{1}
	a, a2, a3, b := tool("a", "one"), tool("a", "two"), tool("a", "three"), tool("b", "")
	v, _ := list(t, s, server, "1", false, a)
	expect(t, "first", v)
	if v.New != nil {
		t.Error("tools of a new server are reported as new:", v.New)
	}
	if v, _ = list(t, s, server, "1", false, a); v.Stale {
		t.Error("nothing has changed, and the record is stale")
	}
	v, _ = list(t, s, server, "1", false, a, b)
	expect(t, "a new tool", v)
	if !slices.Equal(v.New, []string{"b"}) {
		t.Error("new:", v.New)
	}
	before, after := list(t, s, server, "1", false, a2, b)
	expect(t, "changed", before, "a")
	expect(t, "changed, written", after, "a")
	if after.Stale || !after.Withheld["a"] {
		t.Error("after the record was written:", after)
	}
	v, _ = list(t, s, server, "1", false, b)
	expect(t, "removed", v)
	v, _ = list(t, s, server, "1", false, b, a)
	expect(t, "back as it was", v)
	list(t, s, server, "1", false, a2, b)
	decide(t, s, server, true)
	v, _ = list(t, s, server, "1", false, a2, b)
	expect(t, "approved", v)
	v, _ = list(t, s, server, "1", false, a, b)
	expect(t, "back to the first", v)
	v, _ = list(t, s, server, "1", false, a2, b)
	expect(t, "to and fro", v)
	v, _ = list(t, s, server, "1", false, a3, b)
	expect(t, "a third", v, "a")
	decide(t, s, server, false)
	_, v = list(t, s, server, "1", false, a3, b)
	expect(t, "kept off", v, "a")
	if v.Withheld["a"] {
		t.Error("the tool waits for an approval although it is kept off")
	}
	if _, v = list(t, s, server, "1", false, tool("a", "four"), b); v.Withheld["a"] {
		t.Error("another change of a tool that is kept off asks")
	}
	if v, _ = list(t, s, server, "1", true, tool("a", "four"), b); v.Withheld != nil ||
		!slices.Equal(v.Changed, []string{"a"}) {
		t.Error("of a trusted server:", v)
	}
	v, _ = list(t, s, server, "1", false, tool("a", "four"), b)
	expect(t, "no longer trusted", v)
}

// A person approves only what was shown.
func TestDecideMeansWhatWasShown(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	list(t, s, server, "1", false, tool("a", "one"), tool("b", "one"))
	list(t, s, server, "1", false, tool("a", "two"), tool("b", "two"))
	record, _ := s.Load(server)
	shown := record.Changes()
	list(t, s, server, "1", false, tool("a", "three"), tool("b", "two"))
	if err := s.Decide(context.Background(), server, shown, true); err != nil {
		t.Fatal(err)
	}
	v, _ := list(t, s, server, "1", false, tool("a", "three"), tool("b", "two"))
	expect(t, "what was not shown", v, "a")
}

// A new version of the program is one question, or none if its tools are the same.
func TestVersion(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	list(t, s, server, "1", false, tool("a", "one"), tool("b", "one"))
	_, v := list(t, s, server, "2", false, tool("a", "one"), tool("b", "one"))
	expect(t, "only the version", v)
	list(t, s, server, "3", false, tool("a", "two"), tool("b", "two"))
	record, _ := s.Load(server)
	if record.Version != "2" || record.Next != "3" || len(record.Changes()) != 2 {
		t.Errorf("version %q, next %q, %d changes", record.Version, record.Next, len(record.Changes()))
	}
	decide(t, s, server, true)
	record, _ = s.Load(server)
	if record.Version != "3" || record.Next != "" {
		t.Errorf("approved: version %q, next %q", record.Version, record.Next)
	}
	v, _ = list(t, s, server, "3", false, tool("a", "two"), tool("b", "two"))
	expect(t, "approved", v)
	if v.Stale {
		t.Error("the record is stale")
	}
}

func TestSum(t *testing.T) {
	const definition = `{"name":"a","description":"x","inputSchema":{"type":"object","properties":{"p":{"type":"string"},"q":{}}},"annotations":{"readOnlyHint":true}}`
	for _, same := range []string{
		`{"annotations":{"readOnlyHint":true},"inputSchema":{"properties":{"q":{},"p":{"type":"string"}},"type":"object"},"description":"\u0078","name":"a"}`,
	} {
		if Sum(json.RawMessage(same)) != Sum(json.RawMessage(definition)) {
			t.Error("is another:", same)
		}
	}
	for _, member := range []string{
		`"name":"b"`, `"title":"x"`, `"description":"y"`, `"inputSchema":{"type":"object"}`,
		`"outputSchema":{"type":"object"}`, `"annotations":{"readOnlyHint":false}`,
		`"_meta":{"n":1}`, `"icons":[]`, `"execution":{"taskSupport":"optional"}`, `"x-unknown":""`,
	} {
		changed := `{` + member + `,` + definition[1:]
		if name, _, _ := strings.Cut(member, ":"); strings.Contains(definition, name) {
			var all map[string]json.RawMessage
			_ = json.Unmarshal([]byte(definition), &all)
			delete(all, strings.Trim(name, `"`))
			rest, _ := json.Marshal(all)
			changed = `{` + member + `,` + string(rest[1:])
		}
		if Sum(json.RawMessage(changed)) == Sum(json.RawMessage(definition)) {
			t.Error("is the same:", member)
		}
	}
}

func TestKeyOf(t *testing.T) {
	server := func() *config.Server {
		return &config.Server{Name: "a", Command: "x", Args: []string{"y"},
			Env: []config.Variable{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}}}
	}
	key := KeyOf(server())
	same := server()
	same.Name, same.ToolFilters, same.Disabled = "b", []string{}, true
	slices.Reverse(same.Env)
	if KeyOf(same) != key {
		t.Error("a new name, filters or another order of variables is another server")
	}
	for name, change := range map[string]func(*config.Server){
		"command": func(s *config.Server) { s.Command = "z" }, "args": func(s *config.Server) { s.Args = []string{"y", ""} },
		"env": func(s *config.Server) { s.Env[0].Value = "3" }, "cwd": func(s *config.Server) { s.Cwd = "/" },
		"url": func(s *config.Server) { s.URL = "https://x" }, "headers": func(s *config.Server) { s.Headers = s.Env },
	} {
		other := server()
		change(other)
		if KeyOf(other) == key {
			t.Error("is the same server with another", name)
		}
	}
}

// What is stored about a hostile server is bounded. Changes beyond the bounds are still noticed.
func TestCaps(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	tools := make([]Definition, 10_000)
	for i := range tools {
		tools[i] = tool(fmt.Sprintf("t%d%s", i, strings.Repeat("n", i%3*150)), strings.Repeat("x", 5000))
	}
	list(t, s, server, "1", false, tools...)
	info, err := os.Stat(s.Path(server))
	if err != nil || info.Size() > maxFile || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	changed := slices.Clone(tools)
	for i := range changed {
		changed[i] = tool(tools[i].Name, strings.Repeat("y", 5000))
	}
	v, after := list(t, s, server, "1", false, changed...)
	if len(v.Withheld) != len(tools) || len(after.Withheld) != len(tools) {
		t.Error(len(v.Withheld), len(after.Withheld), "withheld")
	}
	for round := range 3 { // other names each time
		for i := range tools {
			tools[i] = tool(fmt.Sprintf("r%d-%d", round, i), "")
		}
		list(t, s, server, "1", false, tools...)
	}
	record, _ := s.Load(server)
	if len(record.Tools) > maxTools {
		t.Error(len(record.Tools), "tools are kept")
	}
	for range 20 {
		list(t, s, server, "1", false, tool("f", fmt.Sprint(len(record.Tools))))
		list(t, s, server, "1", true, tool("f", fmt.Sprint(os.Getpid(), len(record.Tools))))
	}
	record, _ = s.Load(server)
	if n := len(record.Tools[0].Approved); n > maxApproved {
		t.Error(n, "hashes are kept of a tool")
	}
}

// A server cannot remove approved tools from the record, however many tools it invents.
func TestNothingIsPushedOut(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	list(t, s, server, "1", false, tool("a", "one"))
	junk := make([]Definition, 9_990)
	for round := range 3 {
		for i := range junk {
			junk[i] = tool(fmt.Sprintf("j%d-%d", round, i), "")
		}
		_, v := list(t, s, server, "1", false, junk...)
		if withheld := max(0, (round+1)*len(junk)+1-maxTools); v.Full != min(withheld, len(junk)) ||
			len(v.Withheld) != v.Full || v.Stale {
			t.Errorf("round %d: %d of %d are beyond, stale is %v", round, v.Full, len(v.Withheld), v.Stale)
		}
	}
	_, v := list(t, s, server, "1", false, tool("a", "evil"))
	expect(t, "changed at last", v, "a")
	if v, _ = list(t, s, server, "1", true, junk...); v.Withheld != nil {
		t.Error("of a trusted server:", len(v.Withheld), "withheld")
	}
	v, _ = list(t, s, server, "1", false, junk...)
	expect(t, "no longer trusted", v)
}

// Engines that write at the same time do not lose each other's changes.
func TestTogether(t *testing.T) {
	folder, server := filepath.Join(t.TempDir(), "deep", "pins"), Hash{1}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := Open(folder) // as another process would
			_, err := s.Update(context.Background(), server, func(now *Record) *Record {
				return now.With("a/b", []Definition{tool(fmt.Sprint("t", i), "")}, "", false)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	record, err := Open(folder).Load(server)
	if err != nil || len(record.Tools) != 8 {
		t.Errorf("%d tools are kept: %v", len(record.Tools), err)
	}
}

// A damaged file does not say what was approved. So every tool waits until a person has decided.
func TestUnreadable(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	for _, text := range []string{"", "{}", `{"format":1}`, "{\"format\":3}\n", "{\"format\":1}\nx\n",
		"{\"format\":1}\n\"a\"\t\t\t\t\t\n", "{\"format\":1}\n\"a\"\t00\t\t\t\t"} {
		if err := os.WriteFile(s.Path(server), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		record, err := s.Load(server)
		if err != nil || !record.Lost || !s.Current(server, record) {
			t.Fatalf("%q is read as %+v: %v", text, record, err)
		}
		if v := record.Judge(nil, "", false); v.Stale {
			t.Errorf("%q: a server without tools makes the record stale", text)
		}
		before, after := list(t, s, server, "1", false, tool("a", ""), tool("b", ""))
		expect(t, text, before, "a", "b")
		expect(t, text, after, "a", "b")
		if !after.Withheld["a"] || after.Stale {
			t.Errorf("%q: %+v", text, after)
		}
		v, _ := list(t, s, server, "1", false, tool("b", ""), tool("c", ""))
		expect(t, "others", v, "b", "c")
		_, v = list(t, s, server, "1", false, tool("a", ""), tool("b", ""))
		expect(t, "back", v, "a", "b")
		decide(t, s, server, true)
		v, _ = list(t, s, server, "1", false, tool("a", ""), tool("b", ""), tool("d", ""))
		expect(t, "approved, and a new one", v)
		v, _ = list(t, s, server, "1", false, tool("a", "two"))
		expect(t, "changed", v, "a")
	}
	if err := os.WriteFile(s.Path(server), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Decide(context.Background(), server, []Change{{Tool: "a"}}, true); err != nil {
		t.Fatal(err)
	}
	if record, err := s.Load(server); err != nil || !record.Lost {
		t.Errorf("a decision about nothing mends the file: %+v, %v", record, err)
	}
	if _, v := list(t, s, server, "1", true, tool("a", "")); v.Withheld != nil || v.Stale {
		t.Errorf("of a trusted server: %+v", v)
	}
	v, _ := list(t, s, server, "1", false, tool("a", ""), tool("b", ""))
	expect(t, "no longer trusted", v)
}

func TestCurrent(t *testing.T) {
	s, server := Open(t.TempDir()), Hash{1}
	if !s.Current(server, nil) {
		t.Error("there is no record, and this is not current")
	}
	list(t, s, server, "1", false, tool("a", "one"))
	record, _ := s.Load(server)
	if s.Current(server, nil) || !s.Current(server, record) {
		t.Error("a record that was read is not current, or none is")
	}
	list(t, s, server, "1", false, tool("a", "two"))
	if s.Current(server, record) {
		t.Error("an old record is current")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add((*Record)(nil).With("a/b", []Definition{tool("a", "one"), tool("b", "two")}, "1", false).encode())
	f.Add((*Record)(nil).With("a/b", []Definition{tool("a", "one")}, "1", false).With("a/b",
		[]Definition{tool("a", "two")}, "2", false).encode())
	f.Fuzz(func(t *testing.T, source []byte) {
		r, err := decode(source)
		if err != nil {
			return
		}
		again, err := decode(r.encode())
		if err != nil || len(again.Tools) != len(r.Tools) {
			t.Fatalf("%v: %s", err, r.encode())
		}
		r.Judge([]Definition{tool("a", "x")}, "1", false)
		r.With("", []Definition{tool("a", "x")}, "1", false)
	})
}

func FuzzSum(f *testing.F) {
	f.Add([]byte(`{"name":"a","inputSchema":{"a":[1,{"b":"\u0041"}]}}`))
	f.Fuzz(func(t *testing.T, definition []byte) {
		sum := Sum(definition)
		if !json.Valid(definition) {
			return
		}
		var b strings.Builder
		for _, r := range string(definition) {
			b.WriteRune(r)
		}
		if b.String() == string(definition) && Sum([]byte(" "+string(definition)+" ")) != sum {
			t.Error("whitespace counts")
		}
	})
}

// benchmarkTools returns 1,000 tools of typical size.
func benchmarkTools() []Definition {
	tools := make([]Definition, 1000)
	for i := range tools {
		tools[i] = Definition{fmt.Sprint("tool_", i),
			json.RawMessage(fmt.Sprintf(`{"name":"tool_%d","description":%q,"inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"The path of the file"},"limit":{"type":"integer","minimum":1},"tags":{"type":"array","items":{"type":"string"}}},"required":["path"]},"annotations":{"readOnlyHint":true}}`,
				i, strings.Repeat("Does something with a file. ", 25)))}
	}
	return tools
}

// BenchmarkPinned measures the cost of a server with 1,000 unchanged tools, which delays the answer.
func BenchmarkPinned(b *testing.B) {
	s, server, tools := Open(b.TempDir()), Hash{1}, benchmarkTools()
	if _, err := s.Update(context.Background(), server, func(now *Record) *Record {
		return now.With("a/b", tools, "1", false)
	}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		record, err := s.Load(server)
		if err != nil {
			b.Fatal(err)
		}
		if v := record.Judge(tools, "1", false); v.Stale || v.Withheld != nil {
			b.Fatal(v)
		}
	}
}

// BenchmarkFirst measures the cost of the first list of 1,000 tools, and of writing it, which does not delay
// the answer.
func BenchmarkFirst(b *testing.B) {
	tools := benchmarkTools()
	for b.Loop() {
		(*Record)(nil).With("a/b", tools, "1", false).encode()
	}
}

// BenchmarkChanged measures a list in which every definition has changed.
func BenchmarkChanged(b *testing.B) {
	tools := benchmarkTools()
	record := (*Record)(nil).With("a/b", tools, "1", false)
	for i := range tools {
		tools[i].Raw = slices.Insert(slices.Clone(tools[i].Raw), 1, []byte(`"title":"x",`)...)
	}
	for b.Loop() {
		if v := record.Judge(tools, "1", false); len(v.Withheld) != 1000 {
			b.Fatal(len(v.Withheld))
		}
	}
}
