package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
)

// InCommon says what AI apps have in common that share a server, which keeps what is given of the app that uses it.
func InCommon(kept config.State) string {
	switch {
	case kept.KeepsNothing():
		return lang.L("This saves memory. The apps notice nothing of each other.")
	case kept == config.StateBrowser:
		return lang.L("This saves memory. The apps then use one browser together.")
	}
	return lang.L("This saves memory. What the server remembers or has open is then common to the apps.")
}
