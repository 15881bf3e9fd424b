package locale

import (
	"testing"

	"fyne.io/fyne/v2/lang"
)

func TestCountsHaveSeparators(t *testing.T) {
	voice := Install()
	t.Cleanup(func() { voice.Speak("en") })
	for language, want := range map[string][]string{"en": {"1 problem", "999 problems", "1,004 problems"},
		"de": {"1 Problem", "999 Probleme", "1.004 Probleme"}} {
		voice.Speak(language)
		for i, count := range []int{1, 999, 1004} {
			args := map[string]any{"Count": count}
			if got := lang.N("{{.Count}} problems", count, args); got != want[i] || args["Count"] != count {
				t.Errorf("%s: %q, want %q", language, got, want[i])
			}
		}
	}
}
