package file

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
)

// FuzzVeil checks for any text that masking hides its secrets, that unmasking restores it, and that positions are
// translated correctly.
func FuzzVeil(f *testing.F) {
	f.Add(plainText, "hunter2-hunter2")
	f.Add(`{"toolboxes": {"a": {"mcpServers": {"x": {"args": ["--token", "\u0061bcdefgh", "--key=abcdefgh1"]}}}}} // TOKEN=abcdefghi`, "abcdefgh")
	f.Add("\ufeff{\r\n\"API_KEY\": \"abcdefgh\n\"}", "efgh\n\"")
	f.Fuzz(func(t *testing.T, text, secret string) {
		k := known{secret: true}
		k.learn([]byte(text))
		for _, only := range []bool{false, true} {
			shown, over := k.mask(text, only)
			lifted, _, ok := over.unmask(shown, over.masks)
			if !ok || lifted != text {
				t.Fatalf("%q came back as %q from %q", text, lifted, shown)
			}
			before := 0
			for offset := range len(text) + 1 {
				at := over.shown(offset)
				if at < before || at > len(shown) {
					t.Fatalf("byte %d of %q is at %d of %q", offset, text, at, shown)
				}
				before = at
				line, column := placeAt(text, offset)
				if line < 1 || column < 1 || offsetOf(text, line, column) > len(text) {
					t.Fatalf("byte %d of %q is at %d:%d", offset, text, line, column)
				}
			}
			if before != len(shown) {
				t.Fatalf("the end of %q is at %d of %q", text, before, shown)
			}
			for _, mask := range over.masks {
				if strings.Contains(shown[mask.Start:mask.End], "\n") {
					t.Fatalf("a mask of %q breaks the line", shown)
				}
			}
			if _, ok := over.changes([]code.Change{{Start: 0, End: len(text)}}); ok && len(over.masks) > 0 {
				t.Fatalf("the masks of %q may be replaced", shown)
			}
		}
		strayMask([]byte(secret), text)
	})
}

func FuzzReadDiff(f *testing.F) {
	f.Add("--- a\n+++ b\n@@ -1,2 +1 @@\n a\n-b\n\\ No newline at end of file\n")
	f.Add("@@ -99999999999999999999 +1 @@\n+<secret 0123456789abcdef>")
	f.Fuzz(func(t *testing.T, text string) {
		d := code.ReadDifference(text)
		if d.Added+d.Removed > len(d.Lines) {
			t.Fatalf("%d lines have %d added and %d removed", len(d.Lines), d.Added, d.Removed)
		}
		for _, line := range d.Lines {
			if strings.ContainsAny(line.Text, "\n") {
				t.Fatalf("%q is shown", line.Text)
			}
		}
		placeName(text)
		kit.Sentence(text)
		kit.Capital(text)
	})
}
