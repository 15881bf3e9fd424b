package model

import (
	"slices"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/environ"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// Lack is a product that a server needs and this computer does not have. The zero Lack means that nothing is lacking.
// Equal values look the same.
type Lack struct {
	Runtime Runtime // the product, if Workbench can install it or is installing it
	Name    string  // otherwise the name of the product, which the user has to install
	Page    string  // otherwise the web page from which the user gets the product
}

// Lacks returns the product with an ID as a Lack. It returns the zero Lack if Workbench has installed the product, or
// does not know yet whether it can.
func (r Runtimes) Lacks(id string) Lack {
	if one, ok := r.Find(id); ok {
		if one.Installed == "" || one.Busy {
			return Lack{Runtime: one}
		}
		return Lack{}
	}
	if r == nil && slices.Contains(environ.RuntimeIDs(), id) {
		return Lack{}
	}
	product := config.FindProduct(id)
	return Lack{Name: product.Name, Page: product.Page}
}

// NoProgram reports whether a diagnostic says that the program of a server was not found.
func NoProgram(d config.Diagnostic) bool { return d.Code == config.ProgramNotFound }

// Needs returns the ID of the product ([config.Product]) that a server lacks, or "" if the server lacks none that is
// known. problem is why the server does not run, or nil. command starts the server, and warnings are the diagnostics
// about it. If the warning that the program is missing has a fix, Needs returns "", because the fix helps more.
func Needs(problem *status.Problem, command string, warnings []config.Diagnostic) string {
	warned := slices.IndexFunc(warnings, NoProgram)
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
