package tool_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/builtin/tool"
)

// FuzzPage checks that the parts of a text are the whole text, with nothing left out or said twice.
func FuzzPage(f *testing.F) {
	f.Add("", 10)
	f.Add("one\ntwo\nthree\n", 5)
	f.Add("Grüße aus 日本語 😀", 4)
	f.Add("no\xfftext\x80\x80\x80\x80\x80\x80", 4)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if size < utf8.UTFMax || size > 1000 || len(text) > 100*size {
			t.Skip()
		}
		whole := ""
		for len(whole) < len(text) {
			shown, err := tool.Page(text, len(whole), size)
			if err != nil {
				t.Fatal(err)
			}
			next := 0
			at := max(0, strings.LastIndex(shown, "\n["))
			count, _ := fmt.Sscanf(shown[at:], "\n[%d of %d bytes; go on with offset %d]", new(int), new(int), &next)
			if count == 3 {
				shown = shown[:at]
			}
			if shown == "" || len(shown) > size || next != 0 && next != len(whole)+len(shown) {
				t.Fatalf("the part after %d is %q", len(whole), shown)
			}
			whole += shown
		}
		if whole != text {
			t.Errorf("the parts are %q; the text is %q", whole, text)
		}
	})
}
