package autostart

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
)

// launchdPatience is how long launchd may take to answer.
const launchdPatience = 5 * time.Second

func newSystem(env func(string) string) (system, error) {
	here := paths.Here(env)
	if here.Home == "" {
		return nil, here.NoHome()
	}
	return agents{file: newAgent(here.Home), domain: "gui/" + strconv.Itoa(os.Getuid()),
		ask: func(args ...string) ([]byte, error) {
			ctx, cancel := context.WithTimeout(context.Background(), launchdPatience)
			defer cancel()
			return exec.CommandContext(ctx, "/bin/launchctl", args...).Output()
		}}, nil
}
