// Package live contains the texts about the state of servers and engines.
package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// ClientName returns the name of an engine's client. id is what registration wrote and name what the client calls
// itself; both may be empty. A client that neither of them names is "an AI app".
func ClientName(id, name string) string {
	if called := client.Called(id, name); called != "" {
		return called
	}
	return lang.L("an AI app")
}
