package ipc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// maxSocketPath is the room in sockaddr_un, without the zero byte.
const maxSocketPath = 107

// defaultEndpoint is in the folder that the system makes for each user who is logged in, where there is one.
func defaultEndpoint() (string, error) {
	uid := strconv.Itoa(os.Getuid())
	runtime := filepath.Join("/run/user", uid)
	if info, err := os.Lstat(runtime); err == nil && info.IsDir() && ours(info) {
		return filepath.Join(runtime, "workbench", socketName), nil
	}
	home, err := homeFolder()
	if err != nil {
		return "", fmt.Errorf("finding the home folder: %w", err)
	}
	return socketIn(filepath.Join(home, ".workbench", "run"), "/tmp/workbench-"+uid, maxSocketPath)
}

// ours tells whether a file belongs to this user.
func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
