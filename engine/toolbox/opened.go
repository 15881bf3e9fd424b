package toolbox

import "github.com/workbench-mcp/workbench-desktop/engine/downstream"

// Progress reports how far opening a toolbox is.
type Progress struct {
	Done, Total int     // servers that have connected or failed, and all
	Fraction    float64 // the part of the time limit that has passed, from 0 to 1
	Message     string
}

// Opened is the result of opening a toolbox.
type Opened struct {
	Toolbox     string
	Description string
	Connected   int
	Servers     []OpenedServer // connected ones, in the order of the file
	Errors      []*Error       // one for each server that could not be connected, in the order of the file
	Pending     []string       // servers still starting at the deadline
}

// OpenedServer is a connected server with the tools that clients may see.
type OpenedServer struct {
	Name         string
	Instructions string // "" if there are none; at most 16 KiB
	Tools        []downstream.Item
	Faults       []downstream.Diagnostic // what is wrong with its lists
}
