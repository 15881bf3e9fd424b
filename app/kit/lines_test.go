package kit

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Without a width, as before the first layout, a text must not be broken into lines, because that would measure the
// text a dozen times for nothing.
func TestLinesWithoutAWidthAreNotBroken(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	l := NewLines(3, TextStyle{})
	l.Set("Each of these words would become a line.")
	if test.WidgetRenderer(l); len(l.broken) != 0 {
		t.Errorf("without a width, the text was broken into %q", l.broken)
	}
	if one := l.lineHeight(); l.Height(0) != one || l.MinSize().Height != one {
		t.Errorf("the text is %v high, want %v", l.Height(0), one)
	}
	l.Resize(l.MinSize().AddWidthHeight(120, 0))
	if shown := test.WidgetRenderer(l).Objects(); len(shown) != 3 || len(l.broken) != 3 {
		t.Errorf("with a width, the text has %d lines: %q", len(shown), l.broken)
	}
}

func TestLastBreak(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{
		{"two words", 5, "two"},
		{"two words", 3, "two"},
		{"one-word /a/path", 6, ""},
		{"at: /a/path", 6, "at:"},
		{"AI アプリが開くと起動します。", 9, "AI アプリが開く"},
		{"アプリが開きます。次", 8, "アプリが開きま"}, // no break before "。"
		{"当 AI 应用打开此工具箱时启动。", 6, "当 AI 应"},
		{"很长的一个没有空格的句子", 4, "很长的一"},
	} {
		runes := []rune(test.text)
		if got := string(runes[:lastBreak(runes, test.n)]); got != test.want {
			t.Errorf("%q at %d: %q, want %q", test.text, test.n, got, test.want)
		}
	}
}

// A line does not begin with a mark that has a space before it, as in French.
func TestLinesKeepMarksWithTheirWord(t *testing.T) {
	for _, text := range []string{"ne l'approuvez pas : non", "dites « oui » ici"} {
		runes := []rune(text)
		for n := range runes {
			if place := lastBreak(runes, n); place > 0 && bound(runes, place) {
				t.Errorf("%q is broken at %d", text, place)
			}
		}
	}
	if got := lastBreak([]rune("pas : non"), 7); got != 5 {
		t.Errorf("the text is broken at %d, want after the colon", got)
	}
}
