package toolbox

import "github.com/workbench-mcp/workbench-desktop/engine/downstream"

// Progress tells how far opening a toolbox has come.
type Progress struct {
	Done, Total int     // servers that have connected or failed, and all
	Fraction    float64 // of the deadline that has passed, 0 to 1, while a server is still starting
	Message     string
}

// Opened is what opening a toolbox brought.
type Opened struct {
	Toolbox     string
	Description string
	Connected   int
	Servers     []OpenedServer // connected ones, in the order of the file
	Errors      []*Error       // one for each server that could not be connected, in the order of the file
	Pending     []string       // servers still starting when the deadline came
}

// OpenedServer is one connected server with the tools that its filter lets through.
type OpenedServer struct {
	Name         string
	Instructions string // the server's instructions, "" for none; cut at maxInstructions
	Tools        []downstream.Item
	Faults       []downstream.Diagnostic // what is wrong with its lists
}
