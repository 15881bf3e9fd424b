//go:build unix

package main

import (
	"os"
	"os/user"
	"strconv"
	"syscall"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// foreignHome returns an error if the home folder is somebody else's and this program runs as root, as with sudo: what
// it makes there could not be read by its owner afterwards, and then nothing works any more.
func foreignHome(uid int, home string) error {
	info, err := os.Stat(home)
	if uid != 0 || home == "" || err != nil {
		return nil
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return nil
	}
	owner := strconv.Itoa(int(stat.Uid))
	if account, err := user.LookupId(owner); err == nil {
		owner = account.Username
	}
	return words.NewError("command.foreign_home", "Home", home, "Owner", owner)
}
