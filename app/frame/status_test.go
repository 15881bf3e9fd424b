package frame

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// TestStatusLineHasRoom checks at any width that nothing in the status line overlaps, and that problems are shown in
// full.
func TestStatusLineHasRoom(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	for _, name := range []string{"workbench-config.json",
		"a configuration with a name that is much longer than anybody would like it to be.json"} {
		for _, clients := range []string{"", "Claude Desktop — last seen 10:42",
			"Claude Desktop, Cursor, VS Code, Windsurf, Zed, Claude Code: connected"} {
			for _, saved := range []bool{true, false} {
				s := newStatus(nobody{})
				window := test.NewTempWindow(t, s.Root)
				s.Word.Set("Saved")
				s.File.set(name, theme.ColorMuted)
				s.Problems.Show()
				s.Problems.set("12 problems", theme.ColorWrong)
				s.Clients.Set(clients)
				s.ShowSaved(saved)
				for width := float32(800); width < 1400; width += 150 {
					window.Resize(fyne.NewSize(width, 40))
					s.Root.Refresh()
					end := float32(-1)
					for _, object := range []fyne.CanvasObject{s.saved, s.File, s.Problems, s.Clients, s.Right} {
						if !object.Visible() || object.Size().Width == 0 {
							continue
						}
						if left := object.Position().X; left < end {
							t.Errorf("at %v with %q and %q, %T begins at %v, before the end of the object before it at %v", width, name,
								clients, object, left, end)
						}
						end = object.Position().X + object.Size().Width
					}
					if ends := s.linksEnd() - kit.GapBlock; ends < s.Problems.Position().X || clients != "" &&
						ends > s.Clients.Position().X {
						t.Errorf("at %v, the links end at %v; the problems begin at %v, and the apps at %v", width, ends,
							s.Problems.Position().X, s.Clients.Position().X)
					}
					if end > width || s.Problems.Size().Width < s.Problems.MinSize().Width {
						t.Errorf("at %v, the line ends at %v; the problems have %v", width, end, s.Problems.Size())
					}
				}
			}
		}
	}
}
