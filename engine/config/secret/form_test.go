package secret

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzForm checks that searching only where a token may begin finds the same as the whole pattern.
func FuzzForm(f *testing.F) {
	whole := regexp.MustCompile(tokenForms)
	long := strings.Repeat("aB3", 12)
	f.Add("x sk-" + long + " ghp_" + long + "-----BEGIN RSA PRIVATE KEY-----\nabc\" bearer " + long + ",12345678:" +
		long[:35])
	f.Add("dp.st_" + long + "_sk-" + long + "é" + "sk-" + long)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < shortest {
			return
		}
		var want []Span
		for _, m := range whole.FindAllStringIndex(text, -1) {
			want = append(want, Span{m[0], m[1]})
		}
		if got := ofForm(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	})
}
