package approval

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/filewatch"
)

// Run calls changed, one call at a time, whenever the record has changed. It returns the error of ctx when that ends.
func (a *Approvals) Run(ctx context.Context, changed func()) error {
	paths := []string{a.here.path}
	if a.account.path != "" {
		paths = append(paths, a.account.path)
	}
	return filewatch.Follow(ctx, changed, paths...)
}
