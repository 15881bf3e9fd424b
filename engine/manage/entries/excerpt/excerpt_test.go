package excerpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/atomicfile"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// servers are the paths that the tests keep.
var servers = [][]string{{"mcpServers"}, {"projects", "*", "mcpServers"}}

// long is a value with everything that a scanner could take for its end.
var long = `[` + strings.Repeat(`{"display":"say \"}]\" \\","n":[1,-2.5e3,true,null,{}]},`, 100_000) + `"end"]`

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadAndReplace(t *testing.T) {
	const entry = `{"command":"node","args":["` +
		"a long argument that is kept, since it is part of an entry: it has more than the bytes that are kept of others, " +
		`which is easy to see"]}`
	for name, parts := range map[string][2]string{
		"one line": {`{"history":` + long + `,"mcpServers":{"a":` + entry, `},"more":` + long + `}`},
		"lines":    {"{\n  \"mcpServers\": {\n    \"a\": " + entry, "\n  },\n  \"history\": " + long + "\n}\n"},
		"comments, a mark": {"\ufeff// \"mcpServers\": {\n{\n  /* } */ \"mcpServers\": {\r\n    \"a\": " + entry,
			"\r\n  }, // {\r\n  \"history\": " + long + ",\n}\n"},
		"of a project": {`{"projects":{"/p":{"history":` + long + `,"mcpServers":{"a":` + entry,
			`}},"/q":{"history":` + long + `}}}`},
		"escaped": {`{"history":` + long + `,"mcp\u0053ervers":{"a":` + entry, `}}`},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := parts[0]+parts[1], parts[0]+`,"b":{"command":"new"}`+parts[1]
			path := put(t, before)
			f, err := Read(path, servers)
			if err != nil {
				t.Fatal(err)
			}
			if f.Whole() || len(f.Text) > 4000 || !bytes.Contains(f.Text, []byte(entry)) || f.Sum() != Sum([]byte(before)) {
				t.Fatalf("whole %v, %d bytes: %.2000s", f.Whole(), len(f.Text), f.Text)
			}
			other := bytes.Replace(f.Text, []byte(entry), []byte(entry+`,"b":{"command":"new"}`), 1)
			if sum, err := f.SumWith(path, other); err != nil || sum != Sum([]byte(after)) {
				t.Errorf("the new sum is %s, %v", sum, err)
			}
			if err := f.Replace(path, other); err != nil {
				t.Fatal(err)
			}
			if got, _ := os.ReadFile(path); string(got) != after {
				t.Errorf("it became %d bytes, want %d", len(got), len(after))
			}
			// The old content is not there any more.
			if err := f.Replace(path, f.Text); !errors.Is(err, atomicfile.ErrChanged) {
				t.Errorf("changed twice: %v", err)
			}
			again, err := Read(path, servers)
			if err == nil {
				err = again.Replace(path, f.Text)
			}
			if got, _ := os.ReadFile(path); err != nil || string(got) != before {
				t.Errorf("it did not become what it was: %v", err)
			}
		})
	}
}

// TestHolesStay: a value that was left out cannot be changed, and one beside it can.
func TestHolesStay(t *testing.T) {
	path := put(t, `{"a":`+long+`,"b":`+long+`}`)
	f, err := Read(path, servers)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(path, bytes.Replace(f.Text, []byte("bytes"), []byte("Bytes"), 1)); !errors.Is(err, ErrHole) {
		t.Errorf("changed a hole: %v", err)
	}
	if err := f.Replace(path, []byte(`{"a":1}`)); !errors.Is(err, ErrHole) {
		t.Errorf("removed a hole: %v", err)
	}
	// What is inserted begins and ends as the holes do.
	hole := string(f.Text[f.holes[0].start:f.holes[0].end])
	if err := f.Replace(path, []byte(`{"a":`+hole+`,"(":`+`"(5"`+`,"b":`+hole+`}`)); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(path); string(got) != `{"a":`+long+`,"(":"(5","b":`+long+`}` {
		t.Error("it became something else")
	}
}

func TestSmallAndOtherFiles(t *testing.T) {
	path := put(t, "not JSON")
	f, err := Read(path, servers)
	if err != nil || !f.Whole() || string(f.Text) != "not JSON" {
		t.Fatalf("%+v, %v", f, err)
	}
	if err := f.Replace(path, []byte("else")); err != nil {
		t.Fatal(err)
	}
	if err := f.Replace(path, []byte("third")); !errors.Is(err, atomicfile.ErrChanged) {
		t.Error(err)
	}
	if _, err := Read(path+"x", nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Read(filepath.Dir(path), servers); !errors.Is(err, atomicfile.ErrIsFolder) {
		t.Error(err)
	}
	big := put(t, strings.Repeat("a = 1\n", MaxText/6+1))
	if _, err := Read(big, nil); !errors.Is(err, atomicfile.ErrTooLarge) {
		t.Errorf("another format: %v", err)
	}
	var wrong *SyntaxError
	if _, err := Read(big, servers); !errors.As(err, &wrong) || *wrong != (SyntaxError{1, 3}) {
		t.Errorf("no JSON: %v", err)
	}
	many := put(t, `{"mcpServers":{`+strings.Repeat(`"a":{"command":"node"},`, MaxText/20)+`"b":{}}}`)
	if _, err := Read(many, servers); !errors.Is(err, atomicfile.ErrTooLarge) {
		t.Errorf("too much that matters: %v", err)
	}
	for _, cut := range []string{`{"a":` + long + `,"b":[}`, `{"a":` + long, `{"a":` + long + `} x`,
		`{"a":` + long + `,"b`, `{"a":` + long + `,"b" 1}`} {
		if _, err := Read(put(t, cut), servers); !errors.As(err, &wrong) || wrong.Line != 1 || wrong.Column < len(long) {
			t.Errorf("%q: %v", cut[max(0, len(cut)-10):], err)
		}
	}
}

// TestLikeTheWholeText compares texts of random values with what remains of them: the kept values are the same, and
// nothing is added or moved.
func TestLikeTheWholeText(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) any
	value = func(depth int) any {
		switch kind := random.IntN(8); {
		case kind == 0 && depth < 5:
			list := make([]any, random.IntN(4))
			for i := range list {
				list[i] = value(depth + 1)
			}
			return list
		case kind <= 3 && depth < 5:
			object := map[string]any{}
			for range random.IntN(5) {
				object[[]string{"mcpServers", "projects", "history", "ü\"\\/", ""}[random.IntN(5)]] = value(depth + 1)
			}
			return object
		case kind == 4:
			return random.Float64()
		case kind == 5:
			return nil
		}
		return strings.Repeat(`a"\}{][,:/*`+"\n", random.IntN(30))
	}
	for range 2000 {
		root := map[string]any{"mcpServers": value(0), "projects": map[string]any{"/p": value(0), "/q": value(1)},
			"history": value(0), "z": strings.Repeat("x", 200)}
		text, err := json.MarshalIndent(root, "", strings.Repeat(" ", random.IntN(2)))
		if err != nil {
			t.Fatal(err)
		}
		s := newScanner(bytes.NewReader(text))
		if err := s.document(servers); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var got map[string]any
		if err := json.Unmarshal(s.out, &got); err != nil {
			t.Fatalf("%v\n%s", err, s.out)
		}
		if !reflect.DeepEqual(got["mcpServers"], decoded(root["mcpServers"])) {
			t.Fatalf("%s\nbecame\n%s", text, s.out)
		}
		at, from := 0, int64(0)
		for _, h := range s.holes {
			if string(s.out[at:h.start]) != string(text[from:h.from]) || h.to-h.from <= maxKept {
				t.Fatalf("%+v\n%s\n%s", h, text, s.out)
			}
			at, from = h.end, h.to
		}
		if string(s.out[at:]) != string(text[from:]) {
			t.Fatalf("the end of\n%s\n%s", text, s.out)
		}
	}
}

// decoded returns a value as it is read from JSON.
func decoded(value any) (again any) {
	text, _ := json.Marshal(value)
	_ = json.Unmarshal(text, &again)
	return again
}

// FuzzRead reads any text in small pieces. What is left of a text that [jsonc] reads without mistakes has none either.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{`{"mcpServers":{"a":{}},"x":[1,{"y":"\"]"}]}`, "{//\n/**/}",
		`{"projects":{"*":{"mcpServers":[]}}}`, `{"a":"` + strings.Repeat("x", 300) + `"}`, "[", `{"a"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := newScanner(bytes.NewReader(text))
		err := s.document(servers)
		whole := jsonc.Parse(text)
		if len(whole.Errors) > 0 || bytes.Contains(text, []byte("[")) && whole.Root.Kind != jsonc.Object {
			return
		}
		if err != nil {
			t.Fatalf("%v: %q", err, text)
		}
		if left := jsonc.Parse(s.out); left.Broken() != nil {
			t.Fatalf("%q became %q: %v", text, s.out, left.Errors)
		}
		file := &File{Text: s.out, holes: s.holes}
		for at := range len(s.out) + 1 {
			in, ok := file.offset(at)
			if ok && at < len(s.out) && in < int64(len(text)) && s.out[at] != text[in] &&
				!slices.ContainsFunc(s.holes, func(h hole) bool { return h.start == at }) {
				t.Fatalf("offset %d is %d in %q", at, in, text)
			}
		}
	})
}
