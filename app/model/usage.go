package model

import "github.com/workbench-mcp/workbench-desktop/engine/usage"

// Usage has the recorded calls of AI apps.
type Usage struct {
	Report *usage.Report // nil before the first read
	Err    error         // why the calls could not be read, or nil
}
