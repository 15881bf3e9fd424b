package toolboxes

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// maxShortName is the most characters of a name in a menu or a message.
const maxShortName = 40

// shortName shortens a name for a menu or a message, because Fyne does not cut those to fit. The result has no control
// characters.
func shortName(name string) string {
	return kit.Cut(name, maxShortName-1)
}
