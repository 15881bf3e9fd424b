package runtimes

import (
	"cmp"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// LackLabel returns the label of the button that installs a product that a server lacks, opens its web page or cancels
// the installation. It returns "" if there is no such button. A short label leaves out the size.
func LackLabel(l model.Lack, short bool) string {
	switch {
	case l.Runtime.Busy:
		return lang.L("Cancel")
	case l.Runtime.ID != "":
		return Label(l.Runtime, short)
	case l.Page != "":
		return Get(l.Name)
	}
	return ""
}

// Word returns the word for the state of a server that lacks a product, or "" if another word says more: a server that
// was started has a state of its own, unless it is that its program was not found.
func Word(l model.Lack, server status.Server) string {
	unfound := server.Problem != nil && server.Problem.Kind == status.KindProgram
	switch name := cmp.Or(l.Runtime.Name, l.Name); {
	case l.Runtime.Busy:
		return lang.L("Installing…")
	case name == "" || server.State != status.NotStarted && !unfound:
		return ""
	default:
		return lang.L("Needs {{.Name}}", map[string]any{"Name": name})
	}
}

// Get returns the label of a button that installs a product or opens its web page.
func Get(name string) string { return lang.L("Get {{.Name}}", map[string]any{"Name": name}) }

// Label returns the label of the button that installs or updates a runtime. A short label leaves out the size.
func Label(r model.Runtime, short bool) string {
	words := map[string]any{"Name": r.Name, "Size": megabytes(r.Size)}
	switch {
	case r.Outdated:
		return lang.L("Update {{.Name}}", words)
	case short:
		return Get(r.Name)
	}
	return lang.L("Get {{.Name}} (about {{.Size}} MB, for you only)", words)
}

// Absent says that a runtime is not installed.
func Absent(name string) string {
	return lang.L("{{.Name}} is not on this computer yet.", map[string]any{"Name": name})
}

// Doing says how far an installation is.
func Doing(r model.Runtime) string {
	switch r.Progress.Step {
	case runtimes.Downloading:
		done, all := r.Progress.Done, r.Progress.All
		if all == 0 {
			all = max(done, r.Size)
		}
		return lang.L("Downloading {{.Name}}: {{.Done}} of {{.All}} MB",
			map[string]any{"Name": r.Name, "Done": megabytes(done), "All": megabytes(all)})
	case runtimes.Unpacking:
		return lang.L("Installing…")
	}
	return lang.L("Connecting…")
}

func megabytes(bytes int64) string { return kit.Number(float64((bytes + 500_000) / 1_000_000)) }

// share returns how much of an installation is done, from 0 to 1. Unpacking takes about a fifth of the time.
func share(p runtimes.Progress) float64 {
	if p.All == 0 {
		return 0
	}
	part := float64(p.Done) / float64(p.All)
	if p.Step == runtimes.Unpacking {
		return 0.8 + 0.2*part
	}
	return 0.8 * part
}
