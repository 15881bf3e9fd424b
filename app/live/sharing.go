package live

import (
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// InCommon says what AI apps have in common that share a server, which keeps what is given of the app that uses it.
func InCommon(kept config.State) string {
	switch {
	case kept.KeepsNothing():
		return lang.L("Sharing saves memory. The apps notice nothing of each other.")
	case kept == config.StateBrowser:
		return lang.L("Sharing saves memory. The apps then use one browser together.")
	}
	return lang.L("Sharing saves memory. What the server remembers or has open is then common to the apps.")
}

// copied says how often a server runs that could run once, and how much memory that takes.
func copied(copies model.Copies) string {
	return lang.L("Runs {{.Count}} times for {{.Names}}: {{.Processes}} processes, {{.Size}}.",
		map[string]any{"Count": copies.Engines, "Names": Names(copies.Clients), "Processes": copies.Processes,
			"Size": kit.Bytes(int(copies.Bytes))})
}

// Offer says what it would mean that the apps share a server, if it runs several times and could run once. Otherwise
// it returns "".
func Offer(s model.Server) string {
	if s.State != status.Connected || s.Copies.Engines == 0 {
		return ""
	}
	return InCommon(s.Copies.Keeps)
}

// apart says that a server runs for some apps alone although it should be shared, and what can be done about it.
func apart(s model.Server) string {
	names := map[string]any{"Names": Names(s.Apart)}
	if s.Process.Alone.Code == "pool.ended" {
		return lang.L("Runs separately for {{.Names}}, since sharing was interrupted. Restart it to share it again.", names)
	}
	return lang.L("Runs separately for {{.Names}}, since it could not be shared. The log says why.", names)
}
