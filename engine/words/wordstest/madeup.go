// Package wordstest has a made-up language, in which tests find the words that are not in assets/translations.
package wordstest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// MadeUp returns a Printer for a language in which no letter is one of English.
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

// CheckNoEnglish fails the test for each English word in what was shown in the made-up language. Data are the texts that are
// the same in every language: names, paths, what other programs said.
func CheckNoEnglish(t testing.TB, shown string, data ...string) {
	t.Helper()
	if found := English(shown, data...); len(found) > 0 {
		t.Errorf("these words are not in assets/translations: %q\nin: %s", found, shown)
	}
}

// English returns the words in what was shown that are English and no data.
func English(shown string, data ...string) []string {
	data = slices.Clone(data)
	slices.SortFunc(data, func(a, b string) int { return len(b) - len(a) }) // a name may be part of a path
	for _, known := range data {
		if known != "" {
			shown = strings.ReplaceAll(shown, known, " ")
		}
	}
	return regexp.MustCompile(`[A-Za-z]{2,}`).FindAllString(shown, -1)
}
