package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// approver is [Options.Approve]. A nil approver allows all entries.
type approver func(ctx context.Context, toolbox string, entry *config.Server) error

// allows reports whether an entry may be started.
func (a approver) allows(ctx context.Context, toolbox string, entry *config.Server) bool {
	return a == nil || a(ctx, toolbox, entry) == nil
}

// notApproved is the error for a server that was not started because its entry waits for approval.
type notApproved struct{ error }

func (e notApproved) Text() words.Text { return words.Of(e.error) }

func (e notApproved) Unwrap() error { return e.error }

// sameApproval reports whether replacing entry a by b needs neither an approval nor a restart.
func sameApproval(a, b *config.Server) bool { return a.SameProcess(b) && a.SameApproval(b) }

// toolboxEntry is a server's entry with the name of its toolbox.
type toolboxEntry struct {
	toolbox string
	entry   *config.Server
}

// entryOf returns the entry of a server.
func entryOf(cfg *config.Config, at ServerID) (*config.Server, bool) {
	toolbox, ok := cfg.Toolbox(at.Toolbox)
	if !ok {
		return nil, false
	}
	return toolbox.Server(at.Server)
}
