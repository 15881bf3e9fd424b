package file

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
)

// summary returns a text that says how many lines were added and removed.
func summary(d code.Difference) string {
	added := lang.N("{{.Count}} lines added", d.Added, map[string]any{"Count": d.Added})
	removed := lang.N("{{.Count}} lines removed", d.Removed, map[string]any{"Count": d.Removed})
	switch {
	case d.Empty():
		return lang.L("Nothing changes")
	case d.Removed == 0:
		return added
	case d.Added == 0:
		return removed
	}
	return kit.Facts(added, removed)
}
