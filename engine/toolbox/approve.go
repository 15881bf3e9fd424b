package toolbox

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// approver returns nil when an entry may be started in a toolbox, else why not. Nil allows all.
type approver func(ctx context.Context, toolbox string, entry *config.Server) error

// allows reports whether an entry may be started.
func (a approver) allows(ctx context.Context, toolbox string, entry *config.Server) bool {
	return a == nil || a(ctx, toolbox, entry) == nil
}

// notApproved says that a server was not started because its entry waits for a person.
type notApproved struct{ error }

func (e notApproved) Text() words.Text { return words.Of(e.error) }

func (e notApproved) Unwrap() error { return e.error }

// sameApproval reports whether neither a person nor a server has to do anything when one entry takes the place of the
// other. Another program must not change who is asked first and which apps see a server, although no server is
// started again for it.
func sameApproval(a, b *config.Server) bool { return a.SameProcess(b) && a.SameApproval(b) }

// toolboxEntry is an entry with its toolbox.
type toolboxEntry struct {
	toolbox string
	entry   *config.Server
}

// entryOf returns the entry of a server in a configuration.
func entryOf(cfg *config.Config, at ServerID) (*config.Server, bool) {
	toolbox, ok := cfg.Toolbox(at.Toolbox)
	if !ok {
		return nil, false
	}
	return toolbox.Server(at.Server)
}
