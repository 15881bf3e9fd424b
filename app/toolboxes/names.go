package toolboxes

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// maxShortName is how much of a name a menu or a message has, in characters.
const maxShortName = 40

// shortName is a name for menus and sentences, which cannot shorten it to their own width: harmless, in one line, not long.
func shortName(name string) string {
	return kit.Cut(name, maxShortName-1)
}
