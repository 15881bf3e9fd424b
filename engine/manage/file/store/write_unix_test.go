//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/workbench-mcp/workbench-desktop/engine/process/anotheruser"
)

func platformRoles() map[string]func() error {
	return map[string]func() error{"fail": failRole, "limit": limitRole}
}

// failRole makes an edit that cannot be saved, and prints the error.
func failRole() error {
	s, err := openAsChild()
	if err != nil {
		return err
	}
	return failing(s)
}

func failing(s *Store) error {
	_, err := s.Edit(context.Background(), "added a", addToolbox("a"))
	var failed *SaveError
	if !errors.As(err, &failed) {
		return fmt.Errorf("the edit ended with %w", err)
	}
	waiting := s.Snapshot().Pending
	if waiting == nil || !strings.Contains(toolboxes(waiting.Document), "a") {
		return errors.New("the edit is not pending")
	}
	fmt.Println(err)
	return nil
}

// limitRole does the same in a process that can write only short files.
func limitRole() error {
	s, err := openAsChild()
	if err != nil {
		return err
	}
	signal.Ignore(unix.SIGXFSZ)
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 64, Max: unix.RLIM_INFINITY}); err != nil {
		return err
	}
	if err := failing(s); err != nil {
		return err
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE,
		&unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}); err != nil {
		return err
	}
	_, err = s.Retry(context.Background())
	return err
}

func TestModeAndOwnerAreKept(t *testing.T) {
	p := placed(t, small)
	if err := os.Chmod(p.file, 0o640); err != nil {
		t.Fatal(err)
	}
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 12345, 23456
		if err := os.Chown(p.file, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	edited(t, p.open(), "added a", addToolbox("a"))
	info, err := os.Stat(p.file)
	if err != nil {
		t.Fatal(err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	check(t, "mode", info.Mode().Perm(), os.FileMode(0o640))
	check(t, "owner", fmt.Sprint(stat.Uid, stat.Gid), fmt.Sprint(uid, gid))
}

// asAnother runs a command as another user, who owns the file and its folder, if this process runs as root,
// since root may do everything.
func (p place) asAnother(cmd *exec.Cmd) {
	p.t.Helper()
	if os.Getuid() != 0 {
		return
	}
	anotheruser.Become(p.t, cmd)
	folder := filepath.Dir(p.file)
	anotheruser.Own(p.t, p.file, folder, filepath.Dir(folder))
	for parent := filepath.Dir(folder); parent != os.TempDir() && len(parent) > 1; parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o755); err != nil {
			p.t.Fatal(err)
		}
	}
}

func TestNoRights(t *testing.T) {
	for _, test := range []struct {
		name         string
		file, folder os.FileMode
		want         string
	}{
		{"read-only file", 0o444, 0o755, "it is read-only; give your user account the right"},
		{"read-only folder", 0o644, 0o555, "to make files in its folder"},
	} {
		t.Run(test.name, func(t *testing.T) {
			anotheruser.MayEnter(t)
			p := placed(t, small)
			cmd := p.process("fail", "")
			p.asAnother(cmd)
			if err := errors.Join(os.Chmod(p.file, test.file), os.Chmod(filepath.Dir(p.file), test.folder)); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(p.file), 0o755) })
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), test.want) || !strings.Contains(string(out), p.file) {
				t.Errorf("%v\n%s", err, out)
			}
			check(t, "file", p.read(), small)
			p.clean()
		})
	}
}

func TestSizeLimit(t *testing.T) {
	p := placed(t, small)
	cmd := p.process("limit", "")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out),
		"the disk is full, or a quota or size limit is reached; free some space") {
		t.Errorf("%v\n%s", err, out)
	}
	check(t, "saved in the end", strings.Contains(p.read(), `"a"`), true)
	p.clean()
	check(t, "history", labels(t, p.open()), "2 added a, 1 found in the file")
}

func TestDiskFull(t *testing.T) {
	p := placed(t, small)
	folder := filepath.Dir(p.file)
	if err := mountSmall(folder); err != nil {
		t.Skipf("only with the right to mount: %v", err)
	}
	t.Cleanup(func() { _ = unmount(folder) })
	p.write(small)
	s := p.open()
	filler := filepath.Join(folder, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, unix.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if err := failing(s); err != nil {
		t.Fatal(err)
	}
	check(t, "file", p.read(), small)
	check(t, "reason", errors.Is(s.Snapshot().Pending.Err, unix.ENOSPC), true)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.clean()
	if _, err := s.Retry(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, "toolboxes", toolboxes(s.Current()), "dev a")

	// The history is on the other disk. If that is full, the file is saved all the same.
	if err := os.RemoveAll(p.history); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.history, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	change, err := s.Edit(t.Context(), "added b", addToolbox("b"))
	check(t, "saved but not recorded", err == nil && change.Unrecorded != nil, true)
}
