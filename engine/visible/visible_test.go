package visible

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestWithout(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"two\nlines\tand a tab", "two\nlines and a tab"},
		{"\x1b]0;title\a\x1b[31mred", "]0;title[31mred"},
		{"a\u0085b\u009bc\x7fd", "abcd"},
		{"txt.\u202eexe", "txt.exe"},
		{"a\u2066b\u2069c\u200fd\u061ce", "abcde"},
		{"zero\u200bwidth\ufeffs\u2060and\u00adsoft", "zerowidthsandsoft"},
		{"a\U000e0000\U000e0001\U000e0061\U000e007fb\U000e01f0", "ab"},
		{"a\u115fb\u3164c\uffa0d\u034fe", "abcde"},
		{"l\u2028i\u2029ne", "line"},
		{"key\u200dword\u200c", "keyword"}, // letters of Latin are not joined
		{"👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f", "👩\u200d💻 ❤\ufe0f\u200d🔥 1\ufe0f"},
		{"می\u200cخواهم क\u094d\u200dष", "می\u200cخواهم क\u094d\u200dष"},
		{"😀\ufe0f\ufe0f\U000e0100\U000e0101x\ufe0f", "😀\ufe0fx"}, // data hidden in variation selectors
		{"葛\U000e0100城", "葛\U000e0100城"},
		{"\u0600\u0661", "\u0600\u0661"}, // a visible sign
		{"grün “ok” – 日本\u00a0語", "grün “ok” – 日本\u00a0語"},
		{"wrong \xff\xfe byte", "wrong \ufffd\ufffd byte"},
	} {
		if got := Without(c.text); got != c.want {
			t.Errorf("Without(%+q) = %+q, want %+q", c.text, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		" a \n b\tc ": "a b c", "a\u2028b": "a b", "plain": "plain", "a  b": "a b", "a\u0085b": "a b", "x\u202ey": "xy",
	} {
		if got := Line(text); got != want {
			t.Errorf("Line(%+q) = %+q, want %+q", text, got, want)
		}
	}
}

// FuzzWriter checks that the output has no hidden characters, that JSON keeps its meaning, and that text
// without hidden characters is not changed.
func FuzzWriter(f *testing.F) {
	for _, text := range []string{"a", "\x1b[2J", "\u202e", "\U000e0041", "👩\u200d💻", "a\u200db\ufe0f", "\r\n\r",
		"x\xffy"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written := func(text string) string {
			var out bytes.Buffer
			if n, err := NewWriter(&out).Write([]byte(text)); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
			return out.String()
		}
		got := written(text)
		if !utf8.ValidString(got) {
			t.Errorf("%+q is not UTF-8", got)
		}
		for _, r := range got {
			if r != '\n' && r != '\t' && Hidden(r) {
				t.Errorf("%+q has %U", got, r)
			}
		}
		if again := written(got); again != got {
			t.Errorf("%+q, and again %+q", got, again)
		}
		clean := !strings.ContainsFunc(text, func(r rune) bool {
			return Hidden(r) && r != '\n' && r != '\t' || r == utf8.RuneError || unicode.In(r, unicode.Variation_Selector) ||
				r == joiner || r == nonJoiner
		})
		if clean && got != text {
			t.Errorf("%+q became %+q", text, got)
		}
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, back string
		if err := json.Unmarshal(encoded, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(written(string(encoded))), &back); err != nil || back != want {
			t.Errorf("%+q came back as %+q, %v", want, back, err)
		}
	})
}
