//go:build unix

// Package anotheruser is for tests of what another user of this computer may do. Only root can run a program
// as another user.
package anotheruser

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// nobody is the number of a user and of a group who own nothing.
const nobody = 65534

// MayEnter makes the test create its temporary folders where every user may enter. The usual place may not
// allow that: root may have a private /tmp. Call it before the test makes its first temporary folder.
func MayEnter(t testing.TB) {
	t.Helper()
	for _, folder := range []string{os.TempDir(), "/var/tmp", "/dev/shm"} {
		if open(folder) {
			t.Setenv("TMPDIR", folder)
			return
		}
	}
	t.Skip("no folder for temporary files here lets every user in")
}

// open reports whether every user may enter a folder and all its parents.
func open(folder string) bool {
	for at := folder; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil || !info.IsDir() || info.Mode()&0o001 == 0 {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}

// Own gives files and folders to the other user.
func Own(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Chown(name, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
}

// Become makes cmd, which runs the test's own program, run as the other user, in a folder that this user may
// only read and that it returns. The program is copied there, since the test's own program is in a folder
// that only its user may read.
func Become(t testing.TB, cmd *exec.Cmd) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "other")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path = filepath.Join(folder, "test")
	// The umask may remove permissions.
	if err := errors.Join(os.WriteFile(cmd.Path, program, 0o755), os.Chmod(cmd.Path, 0o755),
		os.Chmod(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd.Dir = folder
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return folder
}
