//go:build unix && !linux

package process

import (
	"os/exec"

	"golang.org/x/sys/unix"
)

// await waits until the leader has ended. It is reaped at once, so in theory its
// number could be given to another group before the rest of this one is gone;
// systems hand out numbers in turn, and that takes far longer than we do.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	err := cmd.Wait()
	return func() error { return err }
}

// alive reports whether anybody is left in the group.
func (g *group) alive() bool { return unix.Kill(-g.id, 0) == nil }
