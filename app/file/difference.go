package file

import (
	"fyne.io/fyne/v2/lang"
	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// summary returns a text about the number of changes.
func summary(d kit.Difference) string {
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
	return added + ", " + removed
}

// diffTexts compares two texts without secrets.
func diffTexts(before, after []byte) kit.Difference {
	return readDiff(udiff.Unified("before", "after", string(before), string(after)))
}

// hiddenSecret matches what the store writes instead of a secret: the same digits for the same secret.
var hiddenSecret = lazyregexp.New(`<secret ([0-9a-f]{4})[0-9a-f]{12}>`)

// readDiff parses a unified diff in which the store has hidden the secrets.
func readDiff(unified string) kit.Difference {
	return kit.ReadDifference(hiddenSecret.ReplaceAllString(unified, secret.Masked+" $1"))
}
