package runtimes

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// For returns the id of the runtime that provides a command, or "" if no runtime does.
func For(command string) string { return runtimes.For(command) }

// Missing reports whether a diagnostic says that the program of a server was not found.
func Missing(d config.Diagnostic) bool { return d.Code == config.ProgramNotFound }

// Needed returns the runtime that a server needs and that is missing or being installed. Problem is why the server does not run, which may be nil.
// Command starts the server, and warnings are the diagnostics about it.
func Needed(known model.Runtimes, problem *status.Problem, command string, warnings []config.Diagnostic) (model.Runtime, bool) {
	id := ""
	switch {
	case problem != nil && problem.Kind == status.KindProgram:
		id = For(problem.Program)
	case slices.ContainsFunc(warnings, Missing):
		id = For(command)
	}
	one, ok := known.Find(id)
	return one, ok && (one.Installed == "" || one.Busy)
}

// Label returns the label of the button that installs or updates a runtime. A short label leaves out the size.
func Label(r model.Runtime, short bool) string {
	words := map[string]any{"Name": r.Name, "Size": megabytes(r.Size)}
	switch {
	case r.Outdated && short:
		return lang.L("Update {{.Name}}", words)
	case r.Outdated:
		return lang.L("Update {{.Name}} (about {{.Size}} MB)", words)
	case short:
		return lang.L("Get {{.Name}}", words)
	}
	return lang.L("Get {{.Name}} (about {{.Size}} MB, for you only)", words)
}

// Absent says that a runtime is not installed.
func Absent(r model.Runtime) string {
	return lang.L("{{.Name}} is not on this computer yet.", map[string]any{"Name": r.Name})
}

// Doing says how far an installation is.
func Doing(r model.Runtime) string {
	words := map[string]any{"Name": r.Name, "Amount": Amount(r)}
	switch r.Progress.Step {
	case runtimes.Downloading:
		return lang.L("Downloading {{.Name}}: {{.Amount}}", words)
	case runtimes.Unpacking:
		return lang.L("Unpacking {{.Name}}…", words)
	}
	return lang.L("Connecting…")
}

// Amount says how much was downloaded, such as "12 of 57 MB".
func Amount(r model.Runtime) string {
	done, all := r.Progress.Done, r.Progress.All
	if all == 0 {
		all = max(done, r.Size)
	}
	return lang.L("{{.Done}} of {{.All}} MB", map[string]any{"Done": megabytes(done), "All": megabytes(all)})
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
