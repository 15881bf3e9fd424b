package pool

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart gives the host no console and its own group.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true,
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
