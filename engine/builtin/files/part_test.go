package files

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzParts checks that the parts of a text are the whole text, with nothing left out or said twice.
func FuzzParts(f *testing.F) {
	f.Add("", 10)
	f.Add("one\ntwo\nthree\n", 5)
	f.Add("Grüße aus 日本語 😀", 4)
	f.Add("\uFEFFa mark \uFEFF within", 10)
	f.Add("no\xfftext\x80\x80\x80\x80\x80\x80", 4)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < utf8.UTFMax || size > 1000 || len(text) > 100*size {
			t.Skip()
		}
		length, whole := int64(len(text)), ""
		for next := int64(0); ; {
			shown, err := part(strings.NewReader(text), length, reading{Offset: next}, size)
			if err != nil {
				t.Fatal(err)
			}
			at := strings.LastIndex(shown, "\n[")
			if at < 0 {
				at = len(shown)
			}
			offset := next
			count, _ := fmt.Sscanf(shown[at:], "\n[%d of %d bytes; go on with offset %d]", new(int), new(int), &offset)
			if count < 3 {
				whole += shown
				break
			}
			if at > size || offset <= next {
				t.Fatalf("the part after %d is %q", next, shown)
			}
			whole, next = whole+shown[:at], offset
		}
		if want := strings.TrimPrefix(text, "\uFEFF"); whole != want {
			t.Errorf("the parts are %q; the text is %q", whole, want)
		}
	})
}
