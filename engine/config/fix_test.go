package config

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// corpus returns all configurations of testdata/diagnose by name.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	archives, err := filepath.Glob(filepath.Join("testdata", "diagnose", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives found", err)
	}
	found := map[string][]byte{}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasPrefix(file.Name, "=") {
				continue
			}
			source := append(bytes.TrimRight(file.Data, "\n"), '\n')
			if strings.HasSuffix(file.Name, quotedSuffix) {
				text, err := strconv.Unquote(strings.TrimSpace(string(source)))
				if err != nil {
					t.Fatalf("%s: %v", file.Name, err)
				}
				source = []byte(text)
			}
			found[filepath.Base(path)+"/"+file.Name] = source
		}
	}
	return found
}

// TestFixesHelp applies each fix of the corpus alone: its problem must be gone, and there must be no new
// error.
func TestFixesHelp(t *testing.T) {
	fixes := 0
	for name, source := range corpus(t) {
		document := Parse("config", source)
		for _, d := range document.Diagnostics {
			if d.Fix == nil {
				continue
			}
			fixes++
			checkFix(t, name, document, d)
		}
	}
	if fixes < 100 {
		t.Errorf("only %d fixes in the corpus", fixes)
	}
}

func checkFix(t *testing.T, name string, document *Document, d Diagnostic) {
	t.Helper()
	if d.Fix.Title.IsZero() || len(d.Fix.Changes) == 0 || strings.ContainsAny(d.Fix.Title.String(), "\n\r\x00\x1b") {
		t.Errorf("%s: %+v is not a fix", name, d.Fix)
	}
	source, err := ApplyChanges(document.Source, d.Fix.Changes)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	after := Parse("config", source)
	if after.damage.compare(document.damage) >= 0 {
		t.Errorf("%s: %q does not help against %s:\n%s\nbecame\n%s\n%v", name, d.Fix.Title, d.Format("config"),
			document.Source, source, after.Diagnostics)
	}
	same := func(o Diagnostic) bool { return o.Path == d.Path && o.Message.Equal(d.Message) }
	if countIf(after.Diagnostics, same) >= countIf(document.Diagnostics, same) {
		t.Errorf("%s: after %q there still is %s:\n%s", name, d.Fix.Title, d.Format("config"), source)
	}
	// While a part of the file could not be read, its content is unknown.
	if document.damage.unread == 0 && len(after.Errors()) > len(document.Errors()) {
		t.Errorf("%s: %q makes new errors:\n%s\n%v", name, d.Fix.Title, source, after.Errors())
	}
}

func countIf(diagnostics []Diagnostic, is func(Diagnostic) bool) (n int) {
	for _, d := range diagnostics {
		if is(d) {
			n++
		}
	}
	return n
}

// TestFixAll checks the result for whole documents in testdata/fix: each archive has the document, the
// result, and the remaining diagnostics.
func TestFixAll(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "fix", "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives found", err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out := txtar.Archive{Comment: archive.Comment}
		for i, file := range archive.Files {
			if strings.HasPrefix(file.Name, "=") {
				continue
			}
			fixed := FixAll("config", file.Data)
			checkFixed(t, file.Data, fixed)
			var left strings.Builder
			for _, d := range Parse("config", fixed.Source).Diagnostics {
				left.WriteString(d.Format("config") + "\n")
			}
			got := []txtar.File{{Name: "= fixed", Data: fixed.Source}, {Name: "= left", Data: []byte(left.String())}}
			out.Files = append(append(out.Files, file), got...)
			if *update {
				continue
			}
			for k, part := range got {
				if i+1+k >= len(archive.Files) {
					t.Fatalf("%s: %s: no %q", path, file.Name, part.Name)
				}
				want := strings.TrimRight(string(archive.Files[i+1+k].Data), "\n")
				if diff := cmp.Diff(want, strings.TrimRight(string(part.Data), "\n")); diff != "" {
					t.Errorf("%s: %s, %s (-want +got):\n%s", path, file.Name, part.Name, diff)
				}
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(&out), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkFixed checks what must hold for every result of FixAll.
func checkFixed(t *testing.T, source []byte, fixed Fixed) {
	t.Helper()
	before, after := Parse("config", source), Parse("config", fixed.Source)
	switch {
	case len(fixed.Applied) == 0 && !bytes.Equal(source, fixed.Source):
		t.Error("something was changed that was no fix")
	case len(fixed.Applied) > 0 && after.damage.compare(before.damage) >= 0:
		t.Errorf("%d fixes, and no better:\n%s\nbecame\n%s", len(fixed.Applied), source, fixed.Source)
	case before.damage.unread == 0 && before.damage.syntax == 0 && after.damage.errors > before.damage.errors:
		t.Errorf("more errors than before:\n%s\nbecame\n%s", source, fixed.Source)
	}
	if again := FixAll("config", fixed.Source); len(fixed.Applied) < maxRounds &&
		!bytes.Equal(again.Source, fixed.Source) && len(again.Applied) > 0 && again.Applied[0].Fix != nil {
		// A fix that was refused together with others may help alone, but only once.
		if third := FixAll("config", again.Source); len(third.Applied) >= len(again.Applied)+len(fixed.Applied) {
			t.Errorf("the fixes do not end:\n%s", third.Source)
		}
	}
	if before.tree == nil {
		return // it is not clear what is a comment
	}
	for _, comment := range comments(before.Source) {
		if !bytes.Contains(fixed.Source, comment) {
			t.Errorf("the comment %q is lost:\n%s\nbecame\n%s", comment, source, fixed.Source)
		}
	}
}

// comments returns the comments of a text without syntax errors.
func comments(text []byte) [][]byte {
	var found [][]byte
	for i := 0; i < len(text); {
		n := 1
		switch rest := text[i:]; {
		case rest[0] == '"':
			for n < len(rest) && rest[n] != '"' {
				if rest[n] == '\\' {
					n++
				}
				n++
			}
			n++
		case bytes.HasPrefix(rest, []byte("//")):
			n = bytes.IndexByte(append(rest, '\n'), '\n')
			found = append(found, rest[:n])
		case bytes.HasPrefix(rest, []byte("/*")):
			n = 2 + bytes.Index(rest[2:], []byte("*/")) + 2
			found = append(found, rest[:n])
		}
		i += n
	}
	return found
}

func FuzzFix(f *testing.F) {
	for _, source := range corpus(f) {
		f.Add(source)
	}
	for _, source := range []string{"{'a':'b\"'}", `{"toolboxes":{"a":{"mcpServers":{"b":{"command":"C:\temp\"}}}}}`,
		"{\"a\" //x\n1}", `{"mcpServers":{"mcpServers":{"a":{"url":"x.y"},},},}`,
		`{"toolboxes":{"a":{"mcpServers":{"b":{"command":["a",/*c*/"b",],"enabled":true}}}}}`, `"a":{"command":"x"}`,
		`{"a":1,"a":1}`, "[{'\\''", `{"a":["x"},'b':[{]}`, `{"a":1],"b":2}}//`, `{"toolboxes" {"0" {"00"00000000"}0" A`} {
		f.Add([]byte(source))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		given := bytes.Clone(source)
		fixed := FixAll("config", source)
		if !bytes.Equal(given, source) {
			t.Fatal("the source was changed")
		}
		checkFixed(t, source, fixed)
		// In an odd text, a fix after other syntax errors may need their fixes first.
		document := Parse("config", source)
		for _, d := range document.Diagnostics {
			if d.Fix != nil && document.damage.syntax == 0 {
				checkFix(t, "fuzz", document, d)
			}
		}
	})
}

// TestFixHuge fixes documents that would take forever without limits.
func TestFixHuge(t *testing.T) {
	for name, source := range map[string]string{
		"missing commas": "[" + strings.Repeat("1 ", 1<<17) + "]",
		"duplicates":     `{"toolboxes": {` + strings.Repeat(`"x": {},`, 1<<9) + `}}`,
		"same names": `{"toolboxes": {"a": {"mcpServers": {` +
			strings.Repeat(`"x": {"command": "`+strings.Repeat("y", 100)+`", "args": "-a"},`, 1<<7) + `}}}}`,
		"brackets":  `{"a": [` + strings.Repeat("[},", 1<<17) + "]}",
		"top level": `{` + strings.Repeat(`"toolMode": "auto",`, 1<<10) + `}`,
	} {
		t.Run(name, func(t *testing.T) {
			before := Parse("config", []byte(source))
			if fixed := FixAll("config", []byte(source)); len(fixed.Applied) == 0 ||
				Parse("config", fixed.Source).damage.compare(before.damage) >= 0 {
				t.Errorf("%d problems fixed", len(fixed.Applied))
			}
		})
	}
}

// TestManyWrongEntries: each problem counts as work, so that twenty thousand wrong entries are fixed in steps, each of
// which diagnoses the text no more than three times.
func TestManyWrongEntries(t *testing.T) {
	for name, entry := range map[string]string{"misspelt": `{"comand":"x","arg":5}`,
		"of wrong types": `{"command":["x"],"env":[1],"disabled":"yes"}`} {
		var entries strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&entries, "\"s%d\":%s,\n", i, entry)
		}
		source := []byte(`{"toolboxes":{"a":{"mcpServers":{` + strings.TrimSuffix(entries.String(), ",\n") + `}}}}`)
		before := parse("config", source, checkAll)
		fixed := FixAll("config", source)
		if !fixed.Stopped || len(fixed.Applied) == 0 || fixed.cost > 3*before.cost {
			t.Errorf("%s: %d fixes, %.1f times the work of one diagnosis, stopped: %t", name, len(fixed.Applied),
				float64(fixed.cost)/float64(before.cost), fixed.Stopped)
		}
	}
}

// TestFixAllEnds gives FixAll more problems than it can fix in a reasonable time. It measures the work, which
// does not depend on the computer.
func TestFixAllEnds(t *testing.T) {
	many := func(n int, server string) []byte {
		return []byte("{\"toolboxes\": {\"a\": {\"mcpServers\": {\n" + strings.Repeat(server, n) + "}}}}\n")
	}
	// A step that has begun is finished. It diagnoses the text and tries fixes of the syntax and of the rest;
	// the last fix may exceed the limit.
	step := func(source []byte) int {
		return maxTried + costPerByte*(checkAll+4*len(source)) + costPerProblem*len(source)/16
	}
	for name, source := range map[string][]byte{
		"strings without end":        many(2000, "  \"s\": {\"command\": \"npx},\n"),
		"strings over several lines": many(2000, "  \"s\": {\n    \"command\": \"npx,\n    \"args\": [\"-y\"]\n  },\n"),
		"one name":                   many(10240, "  \"s\": {\"command\": \"npx\"},\n"),
		"one mistake in a huge file": append(many(1, "  \"s\": {\"command\": \"npx\",, },\n"),
			bytes.Repeat([]byte("// x\n"), 3<<20)...),
	} {
		t.Run(name, func(t *testing.T) {
			fixed := FixAll("config", source)
			t.Logf("%d fixes with %d MiB of work", len(fixed.Applied), fixed.cost>>20)
			if len(fixed.Applied) == 0 {
				t.Error("nothing was fixed")
			}
			if fixed.Stopped != (fixed.cost > maxCost) {
				t.Errorf("after work of %d, Stopped is %t", fixed.cost, fixed.Stopped)
			}
			if most := maxCost + step(source); fixed.cost > most {
				t.Errorf("the work was %d, more than %d", fixed.cost, most)
			}
		})
	}
	// A document that a person could have made is fixed completely.
	source := many(100, "  \"s\": {\"command\": \"npx},\n")
	if fixed := FixAll("config", source); len(fixed.Applied) < 100 || fixed.cost > maxCost/4 {
		t.Errorf("%d fixes with work of %d", len(fixed.Applied), fixed.cost)
	}
	var quotes strings.Builder
	for i := range 80 {
		fmt.Fprintf(&quotes, "  's%d': {'command': 'npx', 'args': ['-y', 'a'], 'env': {'A': '1'}},\n", i)
	}
	if fixed := FixAll("config", many(1, quotes.String())); fixed.Stopped || !Parse("config", fixed.Source).Valid() {
		t.Errorf("%d fixes with work of %d, stopped: %t", len(fixed.Applied), fixed.cost, fixed.Stopped)
	}
}
