package environ

import (
	"context"

	"github.com/workbench-mcp/workbench-desktop/engine/process"
)

// Lookup returns a function like os.LookupEnv for the complete environment, with which programs can be
// searched without starting them. Its first call may take as long as [Environ.Complete].
func (e *Environ) Lookup(ctx context.Context) func(name string) (string, bool) {
	return func(name string) (string, bool) {
		env, _ := e.Complete(ctx)
		if !isSet(env, name) {
			return "", false
		}
		return process.Getenv(env, name), true
	}
}
