package edit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tailscale/hujson"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/edit"
)

var rounds = flag.Int("rounds", 1000, "how many random documents are edited")

// TestRandomEdits does random operations on random documents and compares the result with that of the oracle.
func TestRandomEdits(t *testing.T) {
	rounds := *rounds
	done := map[string]int{}
	for seed := range rounds {
		r := random{rand.New(rand.NewPCG(uint64(seed), 1))}
		source := []byte(r.write(r.document()))
		for range 6 {
			before := read(t, source)
			op := r.op(before)
			after, ok := checkEdit(t, source, before, op)
			if t.Failed() {
				text, _ := json.Marshal(written{op})
				t.Fatalf("seed %d\n%s\n--- before\n%s\n--- after\n%s", seed, text, source, after)
			}
			if ok {
				done[kind(op)]++
				source = after
			} else {
				done["refused"]++
			}
		}
	}
	t.Log(done)
	for kind, n := range done {
		if n < rounds/50 {
			t.Errorf("%s was tested only %d times", kind, n)
		}
	}
	if len(done) != 15 {
		t.Errorf("not all operations were tested: %v", done)
	}
}

// checkEdit does one operation and checks all properties of the result.
func checkEdit(t *testing.T, source []byte, before *object, op edit.Op) (after []byte, ok bool) {
	t.Helper()
	kept := bytes.Clone(source)
	result, err := edit.Apply(source, op)
	if !bytes.Equal(kept, source) {
		t.Error("the source was changed")
	}
	want, reason := oracle(before, op)
	if reason != nil || err != nil {
		if !errors.Is(err, reason) || reason == nil {
			t.Errorf("got the error %v, want %v", err, reason)
		}
		return nil, false
	}
	after = result
	checkResult(t, source, result, written{op})
	if diff := cmp.Diff(plain(want), plain(read(t, after))); diff != "" {
		t.Errorf("the content is wrong: %s", diff)
	}
	if diff := cmp.Diff(order(want), order(read(t, after))); diff != "" {
		t.Errorf("not the order: %s", diff)
	}
	checkStyle(t, source, after)
	checkUntouched(t, source, after, op)
	checkComments(t, source, after, op)
	checkLines(t, source, after, op)
	return after, true
}

// read reads a document with hujson, which the package under test doesn't use.
func read(t *testing.T, source []byte) *object {
	t.Helper()
	root, err := hujson.Parse(append(bytes.TrimPrefix(bytes.Clone(source), []byte("\ufeff")), '\n'))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return fromTree(root).(*object)
}

func fromTree(v hujson.Value) any {
	switch v := v.Value.(type) {
	case *hujson.Object:
		o := newObject()
		for _, m := range v.Members {
			o.set(m.Name.Value.(hujson.Literal).String(), fromTree(m.Value))
		}
		return o
	case *hujson.Array:
		list := []any{}
		for _, element := range v.Elements {
			list = append(list, fromTree(element))
		}
		return list
	case hujson.Literal:
		if v.Kind() == '"' {
			return v.String()
		}
		return json.RawMessage(v)
	}
	return nil
}

// plain is a document without order.
func plain(v any) any {
	switch v := v.(type) {
	case *object:
		m := map[string]any{}
		for key, value := range v.values {
			m[key] = plain(value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	case json.RawMessage:
		return "raw " + string(v)
	}
	return v
}

// order lists the toolboxes and servers.
func order(root *object) (names []string) {
	boxes := root.object("toolboxes")
	if boxes == nil {
		return nil
	}
	for _, name := range boxes.keys {
		names = append(names, name)
		if servers := boxes.object(name).object("mcpServers"); servers != nil {
			for _, server := range servers.keys {
				names = append(names, name+"/"+server)
			}
		}
	}
	return names
}

// checkStyle checks what an edit must never change.
func checkStyle(t *testing.T, before, after []byte) {
	t.Helper()
	if bytes.HasPrefix(before, []byte("\ufeff")) != bytes.HasPrefix(after, []byte("\ufeff")) {
		t.Error("the byte order mark has changed")
	}
	crlf := func(text []byte) bool {
		n := bytes.Count(text, []byte("\r\n"))
		return n > 0 && n == bytes.Count(text, []byte("\n"))
	}
	if crlf(before) && bytes.Contains(after, []byte("\n")) && !crlf(after) {
		t.Error("there are line ends without \\r now")
	}
	tail := func(text []byte) string {
		root, err := hujson.Parse(append(bytes.TrimPrefix(bytes.Clone(text), []byte("\ufeff")), '\n'))
		if err != nil {
			t.Fatal(err)
		}
		return string(root.BeforeExtra) + "|" + string(root.AfterExtra)
	}
	if tail(before) != tail(after) {
		t.Error("the text around the document has changed")
	}
}

// entries returns the text of all toolboxes and servers by path.
func entries(source []byte) map[string]string {
	body := append(bytes.TrimPrefix(bytes.Clone(source), []byte("\ufeff")), '\n')
	root, err := hujson.Parse(body)
	if err != nil {
		return nil
	}
	found := map[string]string{}
	var walk func(v hujson.Value, path []string)
	walk = func(v hujson.Value, path []string) {
		found[strings.Join(path, "\x00")] = string(body[v.StartOffset:v.EndOffset])
		o, ok := v.Value.(*hujson.Object)
		if !ok || len(path) >= 5 {
			return
		}
		for _, m := range o.Members {
			walk(m.Value, append(path[:len(path):len(path)], m.Name.Value.(hujson.Literal).String()))
		}
	}
	walk(root, nil)
	return found
}

// checkUntouched checks that everything that the operation does not name is unchanged and at its path.
func checkUntouched(t *testing.T, before, after []byte, op edit.Op) {
	t.Helper()
	// The paths that may change, with everything below and above them.
	var paths [][]string
	box := func(name string, rest ...string) { paths = append(paths, append([]string{"toolboxes", name}, rest...)) }
	server := func(toolbox, name string) { box(toolbox, "mcpServers", name) }
	switch op := op.(type) {
	case edit.AddToolbox:
		box(op.Name)
	case edit.RenameToolbox:
		box(op.Name)
		box(op.To)
	case edit.MoveToolbox:
		box(op.Name)
	case edit.DuplicateToolbox:
		box(op.To)
	case edit.RemoveToolbox:
		box(op.Name)
	case edit.AddServer:
		server(op.Toolbox, op.Name)
	case edit.RenameServer:
		server(op.Toolbox, op.Name)
		server(op.Toolbox, op.To)
	case edit.MoveServer:
		server(op.Toolbox, op.Name)
		server(op.ToToolbox, op.Name)
	case edit.DuplicateServer:
		server(op.ToToolbox, op.To)
	case edit.RemoveServer:
		server(op.Toolbox, op.Name)
	case edit.ReplaceServer:
		server(op.Toolbox, op.Name)
	case edit.SetField:
		paths = fieldPaths(op.Target, op.Field)
	case edit.ClearField:
		paths = fieldPaths(op.Target, op.Field)
	case edit.RenameField:
		paths = append(fieldPaths(op.Target, op.Field),
			fieldPaths(op.Target, append(slices.Clone(op.Field[:len(op.Field)-1]), op.To))...)
	}
	now := entries(after)
	for path, text := range entries(before) {
		steps := strings.Split(path, "\x00")
		if path == "" || slices.ContainsFunc(paths, func(p []string) bool {
			n := min(len(p), len(steps))
			return slices.Equal(p[:n], steps[:n])
		}) {
			continue
		}
		if now[path] != text {
			t.Errorf("%q was %q and is %q", steps, text, now[path])
		}
	}
}

func fieldPaths(target edit.Target, field []string) [][]string {
	var path []string
	if target.Toolbox != "" {
		path = append(path, "toolboxes", target.Toolbox)
	}
	if target.Server != "" {
		path = append(path, "mcpServers", target.Server)
	}
	return [][]string{append(slices.Clone(path), field...), append(slices.Clone(path), "type")}
}

var someComment = regexp.MustCompile(`(?:// \d+ "a": \{\[,|/\* \d+\s+,\] \*/|/\* \d+ "x" // \*/)`)

// comments counts the comments that the generator has written.
func comments(text []byte) map[string]int {
	count := map[string]int{}
	for _, comment := range someComment.FindAllString(string(text), -1) {
		count[strings.Join(strings.Fields(comment), "")]++
	}
	return count
}

// checkComments checks that comments are lost only together with what is removed.
func checkComments(t *testing.T, before, after []byte, op edit.Op) {
	t.Helper()
	was, is := comments(before), comments(after)
	switch op := op.(type) {
	case edit.RemoveToolbox, edit.RemoveServer, edit.ClearField, edit.ReplaceServer:
		return
	case edit.SetField:
		if bytes.ContainsAny(op.Value[:1], "[{") || strings.Contains(strings.Join(op.Field, "."), "env") {
			return // there may have been an object in its place
		}
		for comment := range is {
			if was[comment] == 0 {
				t.Errorf("the comment %s is new", comment)
			}
		}
		return
	case edit.DuplicateServer, edit.DuplicateToolbox:
		for comment, n := range was {
			if is[comment] < n {
				t.Errorf("the comment %s is lost", comment)
			}
		}
		return
	}
	if !maps.Equal(was, is) {
		t.Errorf("the comments are not those that were: %s", cmp.Diff(was, is))
	}
}

// checkLines checks that no more lines change than needed.
func checkLines(t *testing.T, before, after []byte, op edit.Op) {
	t.Helper()
	gone, added := 0, 0
	count := map[string]int{}
	for line := range bytes.Lines(before) {
		count[string(line)]++
	}
	for line := range bytes.Lines(after) {
		count[string(line)]--
	}
	for _, n := range count {
		gone += max(n, 0)
		added += max(-n, 0)
	}
	limitGone, limitAdded := 4, 4
	linesAt := func(path []string) int {
		return strings.Count(entries(before)[strings.Join(path, "\x00")], "\n")
	}
	lines := func(toolbox string, rest ...string) int {
		return linesAt(append([]string{"toolboxes", toolbox}, rest...))
	}
	// how many lines of comments and blank lines may come or go with an item
	const around = 20
	switch op := op.(type) {
	case edit.RenameToolbox, edit.RenameServer, edit.RenameField:
		limitGone, limitAdded = 1, 1
	case edit.AddToolbox:
		limitAdded = 12
	case edit.AddServer:
		limitAdded = 60
	case edit.RemoveServer:
		limitGone = lines(op.Toolbox, "mcpServers", op.Name) + around
	case edit.RemoveToolbox:
		limitGone = lines(op.Name) + around
	case edit.MoveServer:
		limitGone = lines(op.Toolbox, "mcpServers", op.Name) + around
		limitAdded = limitGone
	case edit.MoveToolbox:
		limitGone = lines(op.Name) + around
		limitAdded = limitGone
	case edit.DuplicateServer:
		limitAdded = lines(op.Toolbox, "mcpServers", op.Name) + around
	case edit.DuplicateToolbox:
		limitAdded = lines(op.Name) + around
	case edit.ReplaceServer:
		limitGone = lines(op.Toolbox, "mcpServers", op.Name) + 1
		limitAdded = strings.Count(op.Text, "\n") + 1
	case edit.ClearField:
		for _, path := range fieldPaths(op.Target, op.Field) {
			limitGone += linesAt(path) + around
		}
	case edit.SetField:
		limitGone = 2
		for _, path := range fieldPaths(op.Target, op.Field) {
			limitGone += linesAt(path)
		}
		if bytes.ContainsAny(op.Value[:1], "[{") { // comments around removed old values may be lost
			limitGone, limitAdded = limitGone+2*around, 3*around
		}
	}
	if gone > limitGone || added > limitAdded {
		t.Errorf("%d lines were removed and %d added, want at most %d and %d", gone, added, limitGone, limitAdded)
	}
}

// TestServerText checks that taking an entry out and putting it back unchanged changes nothing.
func TestServerText(t *testing.T) {
	for seed := range 500 {
		r := random{rand.New(rand.NewPCG(uint64(seed), 2))}
		root := r.document()
		source := []byte(r.write(root))
		document := config.Parse("config", source)
		sameServerText(t, document, "no toolbox", "no server")
		for _, name := range order(root) {
			toolbox, server, ok := strings.Cut(name, "/")
			if !ok || strings.Contains(server, "/") || strings.Contains(name, "x//y") || name == "/*" {
				continue
			}
			text, err := edit.ServerText(source, toolbox, server)
			if err != nil {
				t.Fatal(err)
			}
			sameServerText(t, document, toolbox, server)
			if _, quick := document.ServerSpan(toolbox, server); !quick {
				t.Errorf("%s is not found in the parsed file:\n%s", name, source)
			}
			result, err := edit.Apply(source, edit.ReplaceServer{Toolbox: toolbox, Name: server, Text: text})
			if err != nil || !bytes.Equal(result, source) {
				t.Fatalf("%v, %v\n%s\n%s", err, result, text, source)
			}
		}
	}
}

// TestNames checks that a name is refused exactly if config.Parse would report it as an error.
func TestNames(t *testing.T) {
	for _, name := range []string{"", " ", "a", " a", "a ", "a b", "\t", "a\nb", "\u00a0", "a\u00a0", "ü", "\x7f",
		"\u2028", "a\u2028b", "__", `"`, "\u0000", "\U0001F9F0"} {
		quoted, _ := json.Marshal(name)
		document := config.Parse("config", fmt.Appendf(nil, `{"toolboxes": {%s: {"mcpServers": {}}}}`, quoted))
		if err := edit.CheckName("toolbox", name); (err == nil) != document.Valid() {
			t.Errorf("%q: %v, but %v", name, err, document.Diagnostics)
		}
	}
}
