package tojson

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

func TestYAML(t *testing.T) {
	for text, want := range map[string]string{
		"":                                           `null`,
		"# c\n":                                      `null`,
		"---\n---\na: 1\n":                           `null`,
		"a: 1\n---\nb: 2\n":                          `{"a":1}`,
		"b: 1\r\na: [x, 'y', \"z\\n\"]\r\n":          `{"b":1,"a":["x","y","z\n"]}`,
		"a:\n  - b: 1\n    c: 2\n  -\n":              `{"a":[{"b":1,"c":2},null]}`,
		"a: |\n  x\n  y\nb: >\n  x\n  y\n":           `{"a":"x\ny\n","b":"x y\n"}`,
		"1: a\ntrue: b\nnull: c\n? d\n: e\n":         `{"1":"a","true":"b","null":"c","d":"e"}`,
		"[0x1F, 0o17, 1_000, -1.5, 1.0e+3, .inf]":    `[31,15,1000,-1.5,1000,null]`,
		"[1.10, -0.50, 1.0]":                         `[1.10,-0.50,1.0]`,
		"a: \"\\x01\\U0001F600\"\n":                  `{"a":"\u0001😀"}`,
		"a: &x {b: 1}\nc: *x\nd: [*x]\n":             `{"a":{"b":1},"c":{"b":1},"d":[{"b":1}]}`,
		"a: &x [*x, 1]\nb: *x\n":                     `{"a":[null,1],"b":[null,1]}`,
		"a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3\n": `{"a":{"b":1,"c":2},"d":{"b":3,"c":2}}`,
		"a: &x {b: 1}\nc: &y {b: 2, d: 3}\ne:\n  f: 4\n  <<: [*x, *y]\n":        `{"a":{"b":1},"c":{"b":2,"d":3},"e":{"f":4,"b":1,"d":3}}`,
		"a: !!str 5\nb: !!int \"5\"\nc: !secret x\nd: !!map {e: 1}\nf: !!str ~": `{"a":"5","b":5,"c":"x","d":{"e":1},"f":""}`,
	} {
		if got, err := YAML([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
	for text, line := range map[string]int{"a: 1\nb: *x\n": 2, "a: 1\n b: 2\n": 1, "a: 1\na: 2\n": 2, "a: [\n": 1,
		"a: \"x\n": 1} {
		_, err := YAML([]byte(text))
		if at, ok := errors.AsType[*Error](err); !ok || at.Line != line || at.Column == 0 || at.Message == "" ||
			strings.Contains(at.Message, "\n") {
			t.Errorf("%q: %#v", text, err)
		}
	}
	if got, err := YAML([]byte(strings.Repeat("- ", 2000) + "a")); err != nil || jsonc.Parse(got).Broken() == nil {
		t.Errorf("a deep text: %v", err)
	}
}

// FuzzYAML compares YAML with go-yaml's decoder for texts that this can turn into JSON.
func FuzzYAML(f *testing.F) {
	for _, text := range []string{
		"a: 1\nb:\n  - x\n  - {y: z}\n",
		"mcpServers:\n  - name: x\n    command: y\n    args: [a, 'b', \"c\"]\n    env:\n      A: |\n        x\n",
		"extensions:\n  x:\n    type: stdio\n    enabled: true\n    timeout: 300\n",
		"? a\n: b\n", "- - a\n  - b\n", "a: >-\n  x\n", "--- a\n", "a: ~\n", "a: 0x10\n", "a: 1.0\n", "a: 2024-01-01\n",
		"a: 'x''y'\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		// The library reads \r in its own way. TestYAML has the results for tags, merges and references.
		if strings.ContainsAny(text, "\r!&*<") || strings.Count(text, "[")+strings.Count(text, "{") > 100 {
			return
		}
		got, err := func() (data []byte, err error) {
			defer func() {
				if recover() != nil {
					err = errors.New("not made for this")
				}
			}()
			return YAML([]byte(text))
		}()
		if err == nil && jsonc.Parse(got).Broken() != nil && jsonc.Parse(got).Broken().Code != jsonc.TooDeep {
			t.Fatalf("%q is %s", text, got)
		}
		judged, wrong := func() (data []byte, err error) {
			defer func() {
				if recover() != nil {
					err = errors.New("not made for this")
				}
			}()
			return yaml.YAMLToJSON([]byte(text))
		}()
		want := jsonc.Parse(judged)
		if wrong != nil || want.Broken() != nil || strings.Contains(text, "---") {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v, and go-yaml says %s", text, err, judged)
		}
		if read := jsonc.Parse(got); read.Broken() == nil &&
			!reflect.DeepEqual(plain(read.Root.Value()), plain(want.Root.Value())) {
			t.Fatalf("%q is %s, and go-yaml says %s", text, got, judged)
		}
	})
}
