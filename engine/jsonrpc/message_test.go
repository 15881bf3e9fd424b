package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		line string
		want Message
		kind Kind
		err  error
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, Message{ID: raw("1"), Method: "tools/list", HasMethod: true},
			Request, nil},
		{` { "jsonrpc" : "2.0" , "id" : "a\u0062" , "method" : "m" , "params" : { "x" : 1 } } `,
			Message{ID: raw(`"a\u0062"`), Method: "m", HasMethod: true, Params: raw(`{ "x" : 1 }`)}, Request, nil},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			Message{Method: "notifications/initialized", HasMethod: true}, Notification, nil},
		{`{"result":{"n":12345678901234567890.10},"id":9007199254740993,"jsonrpc":"2.0"}`,
			Message{ID: raw("9007199254740993"), Result: raw(`{"n":12345678901234567890.10}`)}, Response, nil},
		{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`, Message{ID: raw("null"), Error: raw(`{"code":-32700}`)},
			Response, nil},
		{`{"jsonrpc":"2.0","error":{"code":1}}`, Message{Error: raw(`{"code":1}`)}, Response, nil},
		{`{"jsonrpc":"2.0","id":1,"result":null,"error":null}`, Message{ID: raw("1"), Result: raw("null")}, Response, nil},
		{`{"jsonrpc":"2.0","id":1}`, Message{ID: raw("1")}, Response, nil},
		{`{"jsonrpc":"2.0","id":1,"method":"m","result":1}`,
			Message{ID: raw("1"), Method: "m", HasMethod: true, Result: raw("1")}, Invalid, nil},
		{`{"jsonrpc":"2.0"}`, Message{}, Invalid, nil},
		{`{"jsonrpc":"2.0","\u006dethod":"\u006d","id":1,"id":2}`, Message{ID: raw("2"), Method: "m", HasMethod: true},
			Request, nil},
		{`{"jsonrpc":"2.0","method":""}`, Message{HasMethod: true}, Notification, nil},
		{`{"jsonrpc":"2.0","Method":"x","METHOD":"y","id":1}`, Message{ID: raw("1")}, Response, nil},
		{"{\"jsonrpc\":\"2.0\",\"method\":\"a\xffb\"}", Message{Method: "a\ufffdb", HasMethod: true, BrokenText: true},
			Notification, nil},

		{`{"id":1,"method":"m"}`, Message{ID: raw("1"), Method: "m", HasMethod: true}, Request, ErrVersion},
		{`{"jsonrpc":"1.0","id":"x"}`, Message{ID: raw(`"x"`)}, Response, ErrVersion},
		{`{"jsonrpc":2.0,"id":"x"}`, Message{ID: raw(`"x"`)}, Response, ErrVersion},
		{`{"jsonrpc":"2.0","id":{},"method":"m"}`, Message{Method: "m", HasMethod: true}, Notification, ErrID},
		{`{"jsonrpc":"2.0","id":[1],"result":1}`, Message{Result: raw("1")}, Response, ErrID},
		{`{"jsonrpc":"2.0","id":true,"method":"m"}`, Message{Method: "m", HasMethod: true}, Notification, ErrID},
		{`{"jsonrpc":"2.0","id":1,"method":2}`, Message{ID: raw("1"), HasMethod: true}, Request, ErrMethod},

		{`[]`, Message{}, Invalid, ErrBatch},
		{` [{"jsonrpc":"2.0","id":1,"method":"m"}]`, Message{}, Invalid, ErrBatch},
		{`"x"`, Message{}, Invalid, ErrNotObject},
		{`12`, Message{}, Invalid, ErrNotObject},
		{`null`, Message{}, Invalid, ErrNotObject},
		{``, Message{}, Invalid, ErrSyntax},
		{` `, Message{}, Invalid, ErrSyntax},
		{`Server listening on 3000`, Message{}, Invalid, ErrSyntax},
		{`[INFO] ready`, Message{}, Invalid, ErrSyntax},
		{`{"jsonrpc":"2.0"`, Message{}, Invalid, ErrSyntax},
		{`{"jsonrpc":"2.0",}`, Message{}, Invalid, ErrSyntax},
		{`{"jsonrpc":"2.0"}}`, Message{}, Invalid, ErrSyntax},
		{`{"jsonrpc":"2.0"} {}`, Message{}, Invalid, ErrSyntax},
		{`[] []`, Message{}, Invalid, ErrSyntax},
		{`1 1`, Message{}, Invalid, ErrSyntax},
		{`{1:2}`, Message{}, Invalid, ErrSyntax},
		{`{'a':1}`, Message{}, Invalid, ErrSyntax},
		{`{"a":01}`, Message{}, Invalid, ErrSyntax},
		{"\ufeff{}", Message{}, Invalid, ErrSyntax},
		{"{\"a\":\"\x01\"}", Message{}, Invalid, ErrSyntax},
	}
	for _, test := range tests {
		got, err := Parse([]byte(test.line))
		if !errors.Is(err, test.err) {
			t.Errorf("Parse(%s): error %v, want %v", test.line, err, test.err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Parse(%s): (-want +got)\n%s", test.line, diff)
		}
		if got.Kind() != test.kind {
			t.Errorf("Parse(%s): %v, want %v", test.line, got.Kind(), test.kind)
		}
	}
}

func TestParseDepth(t *testing.T) {
	nested := func(depth int) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + "}")
	}
	if _, err := Parse(nested(9_999)); err != nil {
		t.Errorf("10,000 levels: %v", err)
	}
	for _, depth := range []int{10_000, 5_000_000} {
		if _, err := Parse(nested(depth)); !errors.Is(err, ErrSyntax) {
			t.Errorf("%d levels: error %v, want ErrSyntax", depth+1, err)
		}
	}
	if _, err := Parse(bytes.Repeat([]byte(`{"a":`), 1_000_000)); !errors.Is(err, ErrSyntax) || len(err.Error()) > 200 {
		t.Errorf("endless nesting: error %.300v, want a short ErrSyntax", err)
	}
}

func TestMembersAndElements(t *testing.T) {
	members, err := Members([]byte(` { "b" : [ 1 , 2 ] , "a\n" : 1e400 , "b" : "x" } `))
	if err != nil {
		t.Fatal(err)
	}
	want := []Member{{"b", json.RawMessage(`[ 1 , 2 ]`)}, {"a\n", json.RawMessage(`1e400`)},
		{"b", json.RawMessage(`"x"`)}}
	if diff := cmp.Diff(want, members); diff != "" {
		t.Errorf("members (-want +got)\n%s", diff)
	}
	elements, err := Elements(members[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]json.RawMessage{json.RawMessage("1"), json.RawMessage("2")}, elements); diff != "" {
		t.Errorf("elements (-want +got)\n%s", diff)
	}
	if members, err := Members([]byte("{}")); err != nil || len(members) != 0 {
		t.Errorf("Members({}) = %v, %v", members, err)
	}
	if elements, err := Elements([]byte("[]")); err != nil || len(elements) != 0 {
		t.Errorf("Elements([]) = %v, %v", elements, err)
	}
	for input, want := range map[string]error{"[]": ErrNotObject, "null": ErrNotObject, `"{}"`: ErrNotObject,
		"{": ErrSyntax, "": ErrSyntax, "{}x": ErrSyntax} {
		if _, err := Members([]byte(input)); !errors.Is(err, want) {
			t.Errorf("Members(%s): error %v, want %v", input, err, want)
		}
	}
	for input, want := range map[string]error{"{}": ErrNotArray, "null": ErrNotArray, "": ErrNotArray} {
		if _, err := Elements([]byte(input)); !errors.Is(err, want) {
			t.Errorf("Elements(%s): error %v, want %v", input, err, want)
		}
	}
}

func TestBatch(t *testing.T) {
	for _, array := range []string{`[]`, ` [ ] `, `[1]`, ` [ {"a":"],[\\\""} , [1,[2]],"," ,null ] `} {
		var want []json.RawMessage
		if err := json.Unmarshal([]byte(array), &want); err != nil {
			t.Fatal(err)
		}
		got := slices.Collect(Batch([]byte(array)))
		if !slices.EqualFunc(got, want, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
			t.Errorf("Batch(%s) = %s, want %s", array, got, want)
		}
	}
	for _, other := range []string{"", "{}", "1"} {
		for element := range Batch([]byte(other)) {
			t.Errorf("Batch(%s) has %s", other, element)
		}
	}
	for element := range Batch([]byte("[1,2]")) {
		if string(element) != "1" {
			t.Errorf("went on to %s", element)
		}
		break
	}
}

func TestLookup(t *testing.T) {
	object := []byte(` {"text":"a \"isError\":true, {[ \\", "isError" : false ,"n":{"x":[1,{"y":"]"}]},"is\u0045rror":true , "last": 12 }`)
	for name, want := range map[string]string{"isError": "true", "n": `{"x":[1,{"y":"]"}]}`, "last": "12",
		"text": `"a \"isError\":true, {[ \\"`, "x": "", "": ""} {
		if got := Lookup(object, name); string(got) != want {
			t.Errorf("Lookup(%q) = %s, want %s", name, got, want)
		}
	}
	for _, junk := range []string{"", "[]", "{", `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":"`, `{"a":"\`, `{"a":[`, "{}", "{,}",
		`{"a" 1}`} {
		Lookup([]byte(junk), "a")
		Lookup([]byte(junk), "")
	}
}

func TestAppend(t *testing.T) {
	for in, want := range map[string]string{
		"":               `""`,
		"a<b>&\u2028é":   `"a<b>&` + "\u2028" + `é"`,
		"\"\\\n\x00\x7f": "\"\\\"\\\\\\n\\u0000\x7f\"",
		"\xffa\xc3":      "\"\ufffda\ufffd\"",
	} {
		got := string(AppendString([]byte("x"), in))
		if got != "x"+want {
			t.Errorf("AppendString(%q) = %s, want x%s", in, got, want)
		}
		if !utf8.ValidString(got) || !json.Valid([]byte(got[1:])) {
			t.Errorf("AppendString(%q) = %q isn't a JSON string", in, got)
		}
	}
	got := AppendCompact([]byte("x"), []byte(" { \"a b\" : [ 1.50 ,\t-0 ] ,\r\n \"\\\" \" : \" \\\\\" , \"c\":true } "))
	if want := `x{"a b":[1.50,-0],"\" ":" \\","c":true}`; string(got) != want {
		t.Errorf("AppendCompact = %s, want %s", got, want)
	}
}

// FuzzParse compares with encoding/json, which accepts the same language: both stop at 10,000 levels, and
// both accept invalid UTF-8 in strings.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"n":9007199254740993}}}`,
		`{"jsonrpc":"2.0","id":"init","result":{"content":[{"type":"text","text":"\u00e9\ud800 \"quoted\""}]}}`,
		`{"id":[],"method":{},"jsonrpc":"2.0","\u0069d":null}`,
		"{\"a\":\"\xff\xfe\"}", `[{"a":1},2]`, `{"a":1}{"b":2}`, `{"a":1,}`, `-0.0e+1`, "\ufeff{}", `{"a"`, "",
		strings.Repeat("[", 100), strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		before := bytes.Clone(line)
		message, err := Parse(line)
		if !bytes.Equal(before, line) {
			t.Fatalf("Parse changed its input to %q", line)
		}
		if valid := json.Valid(line); valid == errors.Is(err, ErrSyntax) {
			t.Fatalf("encoding/json says valid=%v, Parse says %v", valid, err)
		}
		if errors.Is(err, ErrSyntax) {
			return
		}
		whole := utf8.Valid(line) && bytes.Equal(WholeCharacters(line), line)
		if message.BrokenText == whole && !errors.Is(err, ErrBatch) && !errors.Is(err, ErrNotObject) {
			t.Fatalf("BrokenText = %v", message.BrokenText)
		}
		for _, value := range []json.RawMessage{message.ID, message.Params, message.Result, message.Error} {
			if value != nil && !json.Valid(value) {
				t.Fatalf("%q isn't a value", value)
			}
		}
		if compact := AppendCompact(nil, line); !equalCompact(compact, line) {
			t.Fatalf("AppendCompact = %q", compact)
		}
		if elements, err := Elements(line); err == nil {
			joined := []byte("[")
			for i, element := range elements {
				if i > 0 {
					joined = append(joined, ',')
				}
				joined = append(joined, element...)
			}
			if joined = append(joined, ']'); !equalCompact(joined, line) {
				t.Fatalf("elements joined: %q", joined)
			}
		} else if !errors.Is(err, ErrNotArray) {
			t.Fatal(err)
		}
		members, err := Members(line)
		if errors.Is(err, ErrNotObject) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		equalMembers(t, line, members)
	})
}

// equalCompact compares two spellings of a value after encoding/json has
// compacted them.
func equalCompact(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

func equalMembers(t *testing.T, object []byte, members []Member) {
	t.Helper()
	decoded := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &decoded); err != nil {
		t.Fatal(err)
	}
	last := map[string]json.RawMessage{}
	for _, member := range members {
		last[member.Name] = member.Value
	}
	if diff := cmp.Diff(decoded, last, cmp.Comparer(func(a, b json.RawMessage) bool {
		return bytes.Equal(a, b)
	})); diff != "" {
		t.Fatalf("members (-encoding/json +Members)\n%s", diff)
	}
	for name, value := range last {
		if utf8.ValidString(name) && !strings.Contains(name, "\ufffd") && !bytes.Equal(Lookup(object, name), value) {
			t.Fatalf("Lookup(%q) = %q, want %q", name, Lookup(object, name), value)
		}
	}
}

func benchmarkLines() map[string][]byte {
	text := string(AppendString(nil,
		strings.Repeat("The quick brown fox \"jumps\" over the lazy dog, line after line.\n", 1000)))
	rows := strings.Repeat(`{"id":1234,"name":"some name","tags":["a","b"],"ok":true,"score":0.25},`, 900)
	return map[string][]byte{
		"small":   []byte(`{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"ok"}]}}`),
		"text64k": fmt.Appendf(nil, `{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":%s}]}}`, text),
		"object64": fmt.Appendf(nil, `{"jsonrpc":"2.0","id":12,"result":{"structuredContent":{"rows":[%s]}}}`,
			strings.TrimSuffix(rows, ",")),
	}
}

func BenchmarkParse(b *testing.B) {
	for name, line := range benchmarkLines() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(line); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	for name, line := range benchmarkLines() {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			for b.Loop() {
				if Lookup(line, "result") == nil {
					b.Fatal("not found")
				}
			}
		})
	}
}

func TestString(t *testing.T) {
	for value, want := range map[string]string{`""`: "", `"a"`: "a", `"\u00e9\n"`: "é\n", "\"\xff\"": "\ufffd"} {
		if got, ok := String(json.RawMessage(value)); got != want || !ok {
			t.Errorf("String(%s) = %q, %v, want %q", value, got, ok, want)
		}
	}
	for _, value := range []string{"", "1", "null", "{}", `[""]`} {
		if got, ok := String(json.RawMessage(value)); ok {
			t.Errorf("String(%s) = %q", value, got)
		}
	}
}
