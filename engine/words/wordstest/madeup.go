// Package wordstest has an invented language, with which tests find words that are not in
// assets/translations.
package wordstest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// MadeUp returns a Printer for a language that has none of the letters of English.
func MadeUp() words.Printer { return words.Altered(Alter) }

// Alter changes the letters of a template outside its actions, for [words.Altered].
func Alter(template string) string {
	var b strings.Builder
	for template != "" {
		text, rest, _ := strings.Cut(template, "{{")
		b.WriteString(strings.Map(encircle, text))
		action, after, found := strings.Cut(rest, "}}")
		if found {
			b.WriteString("{{" + action + "}}")
		}
		template = after
	}
	return b.String()
}

func encircle(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'ⓐ'
	case r >= 'A' && r <= 'Z':
		return r - 'A' + 'Ⓐ'
	}
	return r
}

// CheckNoEnglish fails the test for each English word in text that was shown in the invented language. data
// are texts that are the same in every language: names, paths, output of other programs.
func CheckNoEnglish(t testing.TB, shown string, data ...string) {
	t.Helper()
	if found := English(shown, data...); len(found) > 0 {
		t.Errorf("these words are not in assets/translations: %q\nin: %s", found, shown)
	}
}

// English returns the English words in a shown text that are not part of data.
func English(shown string, data ...string) []string {
	data = slices.Clone(data)
	// longest first, since a name may be part of a path
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) })
	for _, known := range data {
		if known != "" {
			shown = strings.ReplaceAll(shown, known, " ")
		}
	}
	return regexp.MustCompile(`[A-Za-z]{2,}`).FindAllString(shown, -1)
}
