//go:build unix

package pool

import "syscall"

// apart gives the host its own session, so that a signal to the engine's group, or from its terminal, does not reach
// it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
