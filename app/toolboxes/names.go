package toolboxes

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// maxShortName is the most characters of a name in a menu or a message.
const maxShortName = 40

// shortName returns a name for menus and messages, which cannot be cut at their own width. It has no control characters and only one line.
func shortName(name string) string {
	return kit.Cut(name, maxShortName-1)
}
