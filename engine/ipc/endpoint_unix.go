//go:build unix && !linux

package ipc

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
)

// maxSocketPath is the room in sockaddr_un, without the zero byte.
const maxSocketPath = 103

func defaultEndpoint() (string, error) {
	home, err := homeFolder()
	if err != nil {
		return "", fmt.Errorf("finding the home folder: %w", err)
	}
	folder := filepath.Join(home, ".workbench", "run")
	if runtime.GOOS == "darwin" {
		folder = filepath.Join(home, "Library", "Application Support", "Workbench", "run")
	}
	return socketIn(folder, "/tmp/workbench-"+strconv.Itoa(os.Getuid()), maxSocketPath)
}

// ours tells whether a file belongs to this user.
func ours(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
