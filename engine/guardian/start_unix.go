//go:build linux || darwin

package guardian

import "syscall"

// apart gives the guardian its own session, so that a signal to the engine's group, or from its terminal,
// does not reach it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
