package environ

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Lookup gives what os.LookupEnv is in the complete environment, for those who look for programs without starting them.
// The first question takes as long as [Environ.Complete].
func (e *Environ) Lookup(ctx context.Context) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		env, _ := e.Complete(ctx)
		if !isSet(env, name) {
			return "", false
		}
		return process.Getenv(env, name), true
	}
}
