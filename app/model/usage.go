package model

import "github.com/workbench-mcp/workbench-desktop/engine/usage"

// Usage has the recorded calls of AI apps.
type Usage struct {
	Report *usage.Report // nil before it was read
	Err    error         // why it could not be; the report is empty then
}
