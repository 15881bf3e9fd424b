package tojson

import (
	"errors"
	"strings"
	"testing"
)

// TestTextsHaveNoWeight: brackets and stars in the texts and comments of YAML are not lists and aliases.
func TestTextsHaveNoWeight(t *testing.T) {
	markdown := "see [this](there) {now}, **bold**, *slanted* and - [ ] done"
	for name, text := range map[string]string{
		"block":     "a: |\n" + strings.Repeat("  "+markdown+"\n\n", 3000) + "b: 1\n",
		"in a list": "- a: >-\n" + strings.Repeat("    "+markdown+"\n", 3000) + "  b: 1\n",
		"of a list": "a:\n- |2\n" + strings.Repeat("    "+markdown+"\n", 3000) + "- b\n",
		"plain":     strings.Repeat("- text "+markdown+"\n", 1000),
		"quoted": "a: \"" + strings.Repeat(markdown+" \\\" ", 3000) + "\"\nb: '" +
			strings.Repeat("it''s "+markdown, 3000) + "'\n",
		"on lines":     "a: \"x\n" + strings.Repeat("  "+markdown+"\n", 3000) + "  y\"\nb: 1\n",
		"comments":     "# " + strings.Repeat(markdown, 3000) + "\na: 1 # " + strings.Repeat(markdown, 3000) + "\n",
		"after an end": "a: |\n  " + markdown + "\nb: [1, {c: 2}]\n",
	} {
		if heavy([]byte(text)) {
			t.Errorf("%s counts too much", name)
		}
	}
	for name, text := range map[string]string{
		"lists":           "a: " + strings.Repeat("[", maxBrackets+1),
		"objects":         strings.Repeat("- {a: 1}\n", maxBrackets+1),
		"after a text":    "a: |\n  text\nb:\n" + strings.Repeat(" - [x]\n", maxBrackets+1),
		"within others":   "a: [" + strings.Repeat("{b: [c]},\n ", maxBrackets) + "]\n",
		"aliases":         "a: &a [x]\nb: [" + strings.Repeat("*a, ", maxAliases) + "*a]\n",
		"aliases in keys": "a: &a x\n" + strings.Repeat("b: *a\n", maxAliases+1),
	} {
		if _, err := YAML([]byte(text)); !errors.Is(err, ErrHeavy) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
