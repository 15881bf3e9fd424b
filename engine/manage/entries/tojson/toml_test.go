package tojson

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

func TestTOMLKeepsTheOrder(t *testing.T) {
	text := `b = 1
"a" = {z = 1, y = [{x = 1, w = 2}, {v = 3}]}
[servers.n]
c.q = "b"
c.p = 'a'
[[list]]
m = 1
[[list]]
l = 2
m = inf
[servers.a]
`
	want := `{"b":1,"a":{"z":1,"y":[{"x":1,"w":2},{"v":3}]},"servers":{"n":{"c":{"q":"b","p":"a"}},"a":{}},"list":[{"m":1},{"l":2,"m":null}]}`
	if got, err := TOML([]byte(text)); err != nil || string(got) != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// someTOML are texts with and without mistakes.
func someTOML() []string {
	return []string{
		"", "\n# c\n", "a = 1", "a = ", "a = 1 b = 2\n", "a\n", "= 1", "a = 1\na = 2\n", "a = 1\na.b = 2\n",
		"a.b = 1\na.c = 2\n", "a.b = 1\na.b.c = 2\n",
		"[a]\n[a]\n", "[a.b]\n[a]\nc = 1\n", "[a.b]\n[a]\nb = 1\n", "[a.b]\n[a]\nb.c = 1\n", "[a]\nb.c = 1\n[a.b]\n",
		"[a]\nb.c = 1\n[a.b.d]\nx = 1\n", "[a]\nb = 1\n[a.b]\n", "[a]\nb = {}\n[a.b]\n",
		"[a]\nb = {c = 1}\n[a.b.c]\n", "a = {b = 1}\na.c = 1\n", "a = {b = 1, b = 2}\n", "a = {b.c = 1, b.d = 2}\n",
		"a = {b = {c = 1}, b.d = 2}\n", "a = [{b = 1}, {b = 1}]\n", "a = [{b = 1, b = 1}]\n",
		"[[a]]\nb = 1\n[[a]]\nb = 2\n[a.c]\nd = 1\n[[a]]\n[a.c]\n", "[[a]]\n[a]\n", "[a]\n[[a]]\n", "[a.b]\n[[a]]\n",
		"a = []\n[[a]]\n", "[[a.b]]\n[[a.b]]\nc = 1\n", "[[a]]\n[[a.b]]\n[[a.b]]\n[a.b.c]\n", "[a]\n[[a.b]]\n[a.b]\n",
		"a.b = 1\n[a]\n", "a.b = 1\n[[a]]\n", "[]\n", "[a\n", "[[a]\n", "[a.]\n",
		"a = \"x\\u00e9\\n\"\n", "a = \"\\q\"\n", "a = 'C:\\x'\n", "a = \"\"\"\nx\ny\\\n  z\"\"\"\n", "a = '''\nx'''\n",
		"a = \"x\ny\"\n", "\"a b\".'c d' = 1\n", "\"\" = 1\n", "a = \"\xff\"\n", "a = \"\x00\"\n",
		"a = 1_000\n", "a = 1__0\n", "a = 0x1F\n", "a = 0X1F\n", "a = 0o17\n", "a = 0b101\n", "a = 0b2\n", "a = +5\n",
		"a = -0\n", "a = 007\n", "a = 0\n", "a = +0x1\n", "a = 9223372036854775807\n", "a = 9223372036854775808\n",
		"a = -9223372036854775808\n", "a = 0xFFFFFFFFFFFFFFFF\n", "a = 0x7FFF_FFFF_FFFF_FFFF\n",
		"a = 1.5\n", "a = 1e3\n", "a = 1_0.5e+0_6\n", "a = .5\n", "a = 5.\n", "a = 1e400\n", "a = -1.0\n", "a = inf\n",
		"a = -inf\n", "a = nan\n", "a = -nan\n", "a = +nan\n", "a = true\n", "a = truex\n", "a = True\n",
		"a = 3.14159265358979323846\n",
		"a = 1979-05-27\n", "a = 1979-05-27T07:32:00Z\n", "a = 1979-05-27 07:32:00.999999-07:00\n",
		"a = 1979-05-27t07:32:00z\n", "a = 1979-05-27T07:32\n", "a = 07:32:00.5\n", "a = 07:32\n", "a = 1979-13-27\n",
		"a = 1979-02-29\n", "a = 1980-02-29\n", "a = 25:00:00\n", "a = 07:60:00\n", "a = 1979-05-27T07:32:00+25:00\n",
		"a = 1979-5-27\n",
		"a = [1, 'x', [2, []], {}]\n", "a = [1 2]\n", "a = [1,,2]\n", "a = [1, # c\n 2,\n]\n", "a = {b = 1,}\n", "a = [\n",
		"a = {\n", "a = 1\r\nb = 2\r\n", "a = 1\rb = 2\n", "[a] # c\nb = 1 # c\n", "[a] b = 1\n",
		"a = " + strings.Repeat("[", 150) + strings.Repeat("]", 150) + "\n", strings.Repeat("a.", 150) + "a = 1\n",
	}
}

// TOML reads the same as go-toml's decoder. It reports the same mistakes, in the same line or in one nearer to the
// mistake.
func TestTOMLIsWhatItsLibrarySays(t *testing.T) {
	for _, text := range someTOML() {
		judgeTOML(t, text)
	}
}

func FuzzTOML(f *testing.F) {
	for _, text := range someTOML() {
		f.Add(text)
	}
	f.Fuzz(judgeTOML)
}

func judgeTOML(t *testing.T, text string) {
	got, err := TOML([]byte(text))
	want := map[string]any{}
	judged := toml.Unmarshal([]byte(text), &want)
	if (err == nil) != (judged == nil) {
		t.Fatalf("%q: %v, and go-toml says %v", text, err, judged)
	}
	if err != nil {
		at, ok := errors.AsType[*Error](err)
		there, known := errors.AsType[*toml.DecodeError](judged)
		if !ok || at.Line == 0 || at.Column == 0 || at.Message == "" {
			t.Fatalf("%q: %#v", text, err)
		}
		// for a name in a value, go-toml says where the value begins
		if line, _ := there.Position(); known && line > at.Line {
			t.Fatalf("%q: %v in line %d, and go-toml says %v in line %d", text, err, at.Line, judged, line)
		}
		return
	}
	read := jsonc.Parse(got)
	if broken := read.Broken(); broken != nil {
		if broken.Code != jsonc.TooDeep {
			t.Fatalf("%q: %s is not JSON: %v", text, got, broken)
		}
		return
	}
	if !reflect.DeepEqual(plain(want), plain(read.Root.Value())) {
		t.Fatalf("%q is %s, and go-toml says %v", text, got, want)
	}
}

// plain returns a value with numbers as floats, where JSON has them, and without dates, which may be written in
// several ways.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for name, member := range v {
			all[name] = plain(member)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, item := range v {
			all[i] = plain(item)
		}
		return all
	case json.Number:
		f, _ := v.Float64()
		return f
	case int64:
		return float64(v)
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return nil
		}
	case toml.LocalDate, toml.LocalTime, toml.LocalDateTime, time.Time:
		return "a time"
	case string:
		if isTime(v) {
			return "a time"
		}
	}
	return value
}
