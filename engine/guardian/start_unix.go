//go:build linux || darwin

package guardian

import "syscall"

// apart gives the guardian a session of its own, so that what ends the group of the engine or comes from its terminal passes it by.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
