package process

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"

	"golang.org/x/sys/unix"
)

// await waits until the leader has ended, but leaves it in the process table:
// as long as it is there, nobody else can get its number, and signals to the
// group can't hit a stranger. reap removes it.
func (g *group) await(cmd *exec.Cmd) (reap func() error) {
	for {
		err := unix.Waitid(unix.P_PID, g.id, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return cmd.Wait
		}
	}
}

// alive reports whether anybody but the dead is left in the group. Asking with
// signal 0 would count the leader, who isn't reaped yet, and orphans whom a
// container's first process never reaps. If /proc can't be read the answer is
// yes.
func (g *group) alive() bool {
	folder, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return true
	}
	id := []byte(strconv.Itoa(g.id))
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // ended meanwhile
		}
		// pid (name) state ppid pgrp …; the name may contain anything.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 2 && bytes.Equal(fields[2], id) && fields[0][0] != 'Z' && fields[0][0] != 'X' {
			return true
		}
	}
	return false
}
