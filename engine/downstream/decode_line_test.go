package downstream

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
)

// TestSpoken: what wsl.exe says in UTF-16 is readable, line by line; text in UTF-8 stays as it is.
func TestSpoken(t *testing.T) {
	var said bytes.Buffer
	for _, r := range "\ufeffEs gibt keine Distribution.\r\nÜber wsl --install\r\n" {
		said.Write([]byte{byte(r), byte(r >> 8)})
	}
	scanner := stderrScanner{bufio.NewReader(&said)}
	for _, want := range []string{"Es gibt keine Distribution.", "Über wsl --install"} {
		if got, err := scanner.next(); clean(got, 1000) != want {
			t.Errorf("a line is %q, %v", got, err)
		}
	}
	for _, plain := range []string{"", "a", "größer", "one \x00 zero", "日本語"} {
		if got := decodeLine([]byte(plain)); got != plain {
			t.Errorf("%q becomes %q", plain, got)
		}
	}
	if got := decodeLine([]byte("größer"[:3])); got != "gr" {
		t.Errorf("a line that is cut within a letter becomes %q", got)
	}
	if got := decodeLine([]byte("\xff\xfe")); strings.ContainsRune(got, 0) {
		t.Errorf("a broken line becomes %q", got)
	}
}

func FuzzSpoken(f *testing.F) {
	f.Add([]byte("W\x00S\x00L\x00"))
	f.Fuzz(func(t *testing.T, line []byte) {
		if got := decodeLine(line); len(got) > 3*len(line)+3 {
			t.Errorf("%d bytes become %d", len(line), len(got))
		}
	})
}
