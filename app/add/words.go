package add

import (
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// small is the style of what explains something.
func small() kit.TextStyle { return kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }
