package extension

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// TestFolded checks that folded treats the same letters as equal as Unicode's tables do.
func TestFolded(t *testing.T) {
	unicodes := cases.Fold()
	ours, theirs := map[string]string{}, map[string]string{}
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		// The library does not fold the small letters of Cherokee. Unassigned characters stay as they are.
		if !utf8.ValidRune(r) || unicode.Is(unicode.Cherokee, r) ||
			!unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S) || unicode.Is(unicode.Han, r) {
			continue
		}
		// The second name has a combining mark, to check that the order of marks does not matter.
		for _, name := range []string{string(r), string(r) + "\u0301"} {
			got, want := folded(name), norm.NFD.String(unicodes.String(norm.NFD.String(unicodes.String(norm.NFD.String(name)))))
			if first, ok := ours[got]; ok && theirs[want] != first {
				t.Errorf("%q (%U) is the same as %q, and not to Unicode", name, r, first)
			} else if !ok {
				if first, ok := theirs[want]; ok {
					t.Errorf("%q (%U) is not the same as %q, and is to Unicode", name, r, first)
				}
				ours[got], theirs[want] = name, name
			}
		}
	}
	if len(ours) < 20_000 {
		t.Errorf("%d names were compared", len(ours))
	}
}
