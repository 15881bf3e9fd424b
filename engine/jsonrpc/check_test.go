package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// testCheckString compares checkString with the standard library. d begins with a quote.
func testCheckString(t *testing.T, d []byte) {
	t.Helper()
	d = append([]byte("[["), d...)
	want, notUTF8 := -1, false
	if end := skipString(d, 2); json.Valid(d[2:end]) { // a string without an end is not valid
		want, notUTF8 = end, !utf8.Valid(d[2:end])
	}
	c := checker{d: d}
	if got := c.checkString(2); got != want || got >= 0 && c.notUTF8 != notUTF8 {
		t.Fatalf("checkString: %d, not UTF-8: %t, want %d, %t, for %d bytes:\n%q", got, c.notUTF8, want, notUTF8, len(d), d)
	}
}

// pieces are parts of strings that are hard to check, both valid and invalid.
var pieces = []string{
	"plain text", "a", " ", "~", "\x7f", `\n`, `\t\t`, `\"`, `\"\"`, `\\`, `\\\\`, `\/`, `\b\f\r`, `\u00e9`, `\uD83D\uDE00`, `\uDEAD`, `\uabcdef`,
	"ä", "߿", "ࠀ", "–", "中文", "퟿", "\uffff", "😀", "\U0010ffff", strings.Repeat("中", 30), strings.Repeat(`\\`, 40), strings.Repeat("x", 70),
}

// badPieces are not JSON, or not UTF-8.
var badPieces = []string{
	`"`, `"`, "\x00", "\x1f", "\n", `\`, `\a`, `\B`, `\u`, `\u12`, `\u12g4`, `\'`, `\0`, `\ `, `\é`, "\\\x80", "\\\x00",
	"\x80", "\xbf\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xe0\x9f\xbf", "\xe2\x82", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5", "\xff",
}

// TestCheckString checks many strings that are long enough to be checked in blocks, with each piece at each
// place of a block.
func TestCheckString(t *testing.T) {
	for _, piece := range append(append([]string{}, pieces...), badPieces...) {
		for before := range 100 {
			for _, after := range []int{0, 3, 64, 130} {
				testCheckString(t, []byte(`"`+strings.Repeat("x", before)+piece+strings.Repeat("y", after)+`"`))
			}
		}
		testCheckString(t, []byte(`"`+strings.Repeat("x", 150)+piece))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 10_000 {
		d := []byte{'"'}
		for size := 100 + random.IntN(400); len(d) < size; {
			if piece := pieces[random.IntN(len(pieces))]; random.IntN(200) > 0 {
				d = append(d, piece...)
			} else {
				d = append(d, badPieces[random.IntN(len(badPieces))]...)
			}
		}
		testCheckString(t, append(d, `"`+strings.Repeat("\xff\\", random.IntN(80))...)) // the bytes after the string must not matter
	}
}

func FuzzCheckString(f *testing.F) {
	for _, piece := range append(append([]string{}, pieces...), badPieces...) {
		f.Add([]byte(piece), uint8(100), uint8(100))
	}
	f.Fuzz(func(t *testing.T, text []byte, before, after uint8) {
		d := append(bytes.Repeat([]byte("x"), 1+int(before)), text...)
		d = append(append(d, bytes.Repeat([]byte("y"), int(after))...), '"')
		d[0] = '"'
		testCheckString(t, d)
	})
}

// BenchmarkCheckString checks texts of 64 KiB, which are typical answers of tools.
func BenchmarkCheckString(b *testing.B) {
	for _, text := range []struct{ name, sentence string }{
		{"plain", "Forty-two words follow one another without anything that needs a look. "},
		{"lines", `A line of a log file or of a text, with an escaped newline after 80 characters\n`},
		{"source", `\t\treturn fmt.Errorf(\"reading %s: %w\", name, err) // the caller adds the “why” – see below\n`},
		{"chinese", "这是一个用来测量的句子，它很长。"},
		{"short", `short`},
	} {
		count := (64 << 10) / len(text.sentence)
		if text.name == "short" {
			count = 1
		}
		d := fmt.Appendf(nil, `[["%s"`, strings.Repeat(text.sentence, count))
		b.Run(text.name, func(b *testing.B) {
			b.SetBytes(int64(len(d)))
			for b.Loop() {
				c := checker{d: d}
				if c.checkString(2) != len(d) || c.notUTF8 {
					b.Fatal("the string is refused")
				}
			}
		})
	}
}
