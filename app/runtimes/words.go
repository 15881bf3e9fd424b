package runtimes

import (
	"slices"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/computer/runtimes"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Missing reports whether a diagnostic says that the program of a server was not found.
func Missing(d config.Diagnostic) bool { return d.Code == config.ProgramNotFound }

// Needs returns the ID of the product ([config.Product]) that a server lacks, or "" if the server lacks none that is
// known. problem is why the server does not run, or nil. command starts the server, and warnings are the diagnostics
// about it. If the warning that the program is missing has a fix, Needs returns "", because the fix helps more.
func Needs(problem *status.Problem, command string, warnings []config.Diagnostic) string {
	warned := slices.IndexFunc(warnings, Missing)
	switch {
	case warned >= 0 && warnings[warned].Fix != nil:
		return ""
	case problem != nil && problem.Kind == status.KindProgram:
		return config.ProductOf(problem.Program).ID
	case warned >= 0:
		return config.ProductOf(command).ID
	}
	return ""
}

// Lack is a product that a server needs and this computer does not have. The zero Lack means that nothing is lacking.
// Equal values look the same.
type Lack struct {
	Runtime model.Runtime // the product, if Workbench can install it or is installing it
	Name    string        // otherwise the name of the product, which the user has to install
	Page    string        // otherwise the web page from which the user gets the product
}

// Lacks returns the product with an ID as a Lack. It returns the zero Lack if Workbench has installed the product, or
// does not know yet whether it can.
func Lacks(known model.Runtimes, id string) Lack {
	if one, ok := known.Find(id); ok {
		if one.Installed == "" || one.Busy {
			return Lack{Runtime: one}
		}
		return Lack{}
	}
	if known == nil && slices.Contains(environ.RuntimeIDs(), id) {
		return Lack{}
	}
	product := config.FindProduct(id)
	return Lack{Name: product.Name, Page: product.Page}
}

// Label returns the label of the button that installs the product, opens its web page or cancels the installation. It
// returns "" if there is no such button. A short label leaves out the size.
func (l Lack) Label(short bool) string {
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
