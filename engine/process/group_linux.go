package process

import (
	"errors"
	"os/exec"

	"golang.org/x/sys/unix"
)

// await waits until the leader has ended, but leaves it in the process table. While it is there, no other
// group can get its number, and a signal to the group cannot reach a stranger. reap removes it.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	for {
		err := unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return cmd.Wait
		}
	}
}
