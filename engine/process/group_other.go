//go:build unix && !linux

package process

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// await waits until the leader has ended. The leader is reaped at once, so in theory its number could be
// given to another group before the rest of this one is gone. Systems assign numbers in order, so that takes
// far longer than the cleanup.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// alive reports whether the group has any process.
func (g *group) alive() bool { return unix.Kill(-g.id, 0) == nil }
