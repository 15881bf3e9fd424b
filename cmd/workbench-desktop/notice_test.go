package main

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlainNotice(t *testing.T) {
	for _, c := range []struct{ goos, title, text, wantTitle, wantText string }{
		{"windows", "“memory” stopped working", `dev › memory: C:\a "$(calc)" ` + "`n„x", "'memory' stopped working",
			"dev › memory: C:/a '＄(calc)' 'n'x"},
		{"linux", "“R&D” stopped working", `dev › R&D: <a href="x">y</a>`, "“R&D” stopped working",
			`dev › R&D: <a href="x">y</a>`},
		{"darwin", "“memory” works again", `100 % "of" it \ 'x'`, "“memory” works again", `100 ％ "of" it \ 'x'`},
		{"freebsd", "a", "<b>", "a", "<b>"},
		{"linux", "a\x00\tb\r\nc", "\u202egnp.exe\xff\u00a0x\x1b[31m", "a b c", "gnp.exe x[31m"},
		{"windows", strings.Repeat("ü", 1000), strings.Repeat("x ", 1000), strings.Repeat("ü", longestTitle-1) + "…",
			strings.Repeat("x ", longestNotice/2)[:longestNotice-1] + "…"},
	} {
		if title, text := plainNotice(c.goos, c.title, c.text); title != c.wantTitle || text != c.wantText {
			t.Errorf("on %s %q and %q are shown as %q and %q, want %q and %q", c.goos, c.title, c.text, title, text,
				c.wantTitle, c.wantText)
		}
	}
}

// asPowerShell parses what follows "$title = " in a script as PowerShell does, and returns the text.
func asPowerShell(literal string) (string, error) {
	opened, ok := strings.CutPrefix(literal, `"`)
	if !ok {
		return "", fmt.Errorf("%s is not between quotes", literal)
	}
	for i, r := range opened {
		switch r {
		case '`', '$':
			return "", fmt.Errorf("%s has a command at %d", literal, i)
		case '"', '“', '”', '„', '‟':
			if i+utf8.RuneLen(r) < len(opened) {
				return "", fmt.Errorf("%s ends at %d", literal, i)
			}
			return opened[:i], nil
		}
	}
	return "", fmt.Errorf("%s has no end", literal)
}

// FuzzPlainNotice checks that any text of a server is shown as plain text.
func FuzzPlainNotice(f *testing.F) {
	for _, text := range []string{
		"“memory” stopped working", "a\"; calc; \"", "$(calc)", "${env:PATH}", "`$x", "\\\"", "„x‟",
		"<img src='http://x'/>&lt;", "%@%n%%", "\x00\xff\u2028\u202e", "👩‍💻 é",
		strings.Repeat("“$`\\&<>%", 200),
	} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, title, text string) {
		for _, goos := range []string{"windows", "linux", "darwin"} {
			shownTitle, shown := plainNotice(goos, title, text)
			for _, got := range []string{shownTitle, shown} {
				if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
					t.Errorf("%s: %q", goos, got)
				}
			}
			if utf8.RuneCountInString(shownTitle) > longestTitle || utf8.RuneCountInString(shown) > longestNotice {
				t.Errorf("%s: %d and %d bytes", goos, len(shownTitle), len(shown))
			}
			switch goos {
			case "windows":
				for _, want := range []string{shownTitle, shown} {
					// Fyne writes the script in this way.
					if got, err := asPowerShell(fmt.Sprintf("%q", want)); err != nil || got != want {
						t.Errorf("PowerShell reads %q as %q, %v", want, got, err)
					}
				}
			case "darwin":
				if strings.Contains(shownTitle+shown, "%") {
					t.Errorf("%q, %q", shownTitle, shown)
				}
			}
		}
	})
}
