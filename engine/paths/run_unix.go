//go:build unix

package paths

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// RunFolders returns the folders for sockets, the best first. The next one is for a path that would be too
// long for a socket. They depend only on the user and not on the environment, since clients pass on almost
// none of it.
func RunFolders() ([]string, error) {
	uid := strconv.Itoa(os.Getuid())
	if runtime.GOOS == "linux" { // the system makes a folder for each user who is logged in
		folder := filepath.Join("/run/user", uid)
		if info, err := os.Lstat(folder); err == nil && info.IsDir() && Owned(info) {
			return []string{filepath.Join(folder, "workbench")}, nil
		}
	}
	home, err := SystemHome()
	if err != nil {
		return nil, words.NewError("paths.home_not_found", "Why", err)
	}
	folder := filepath.Join(home, ".workbench", "run")
	if runtime.GOOS == "darwin" {
		if folder, err = (Folders{OS: runtime.GOOS, Home: home}).own("", "run"); err != nil {
			return nil, err
		}
	}
	return []string{folder, "/tmp/workbench-" + uid}, nil
}

// Owned reports whether a file belongs to this user.
func Owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
