package kit

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Before the first layout there is no width to break lines for. Looking for breaks then measures each text a dozen times for nothing,
// which was half of the first look at the settings.
func TestLinesWithoutAWidthAreNotBroken(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	l := NewLines(3, TextStyle{})
	l.Set("Each of these words would become a line.")
	if test.WidgetRenderer(l); len(l.broken) != 0 {
		t.Errorf("without a width it was broken into %q", l.broken)
	}
	if one := l.lineHeight(); l.Height(0) != one || l.MinSize().Height != one {
		t.Errorf("it is %v high, want %v", l.Height(0), one)
	}
	l.Resize(l.MinSize().AddWidthHeight(120, 0))
	if shown := test.WidgetRenderer(l).Objects(); len(shown) != 3 || len(l.broken) != 3 {
		t.Errorf("with a width it has %d lines: %q", len(shown), l.broken)
	}
}
