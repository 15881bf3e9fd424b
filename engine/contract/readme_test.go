package contract

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme keeps the documentation true: there is a section for every schema, with examples, and
// each of them is accepted, or refused with the message that stands below it.
func TestReadme(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	heading := regexp.MustCompile("(?m)^## `([a-z.]+)`")
	example := regexp.MustCompile("(?s)```json\n(.*?)```(?:\n\nRefused:\\s`([^`]*)`\n)?")
	text := string(raw)
	seen := map[string]int{}
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	for i, mark := range marks {
		name, end := text[mark[2]:mark[3]], len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		validate, ok := validators()[name]
		if !ok {
			t.Errorf("README.md documents %s, which no check uses", name)
			continue
		}
		for _, found := range example.FindAllStringSubmatch(text[mark[1]:end], -1) {
			seen[name]++
			got := ""
			if err := validate(json.RawMessage(found[1])); err != nil {
				got = err.Error()
			}
			if got != strings.Join(strings.Fields(found[2]), " ") { // the line may be broken
				t.Errorf("%s: %s\ngot  %q\nwant %q", name, found[1], got, found[2])
			}
		}
	}
	for name := range validators() {
		if seen[name] < 2 {
			t.Errorf("README.md has %d examples of %s, want a good and a bad one", seen[name], name)
		}
	}
}
