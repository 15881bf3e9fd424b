//go:build unix

package ipc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/gofrs/flock"

	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// longestSocketPath returns the size of the path in sockaddr_un without the zero byte, in bytes.
func longestSocketPath() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

func endpointOf(name string) (string, error) {
	folders, err := paths.RunFolders()
	if err != nil {
		return "", err
	}
	return socketIn(folders, name+".sock", longestSocketPath())
}

// socketIn returns the path of the socket in the first folder in which it is not too long.
func socketIn(folders []string, name string, longest int) (string, error) {
	for _, folder := range folders {
		if path := filepath.Join(folder, name); len(path) <= longest {
			return path, nil
		}
	}
	return "", words.NewError("ipc.path_too_long", "Path", filepath.Join(folders[0], name))
}

// listen takes the socket. A lock beside it, which the system releases however the process ends, shows
// whether an app is running. A socket that exists while the lock is free was left by a process that has
// ended, and is removed.
func listen(path string) (net.Listener, func(), error) {
	folder := filepath.Dir(path)
	if err := makeFolder(folder); err != nil {
		return nil, nil, err
	}
	lock := flock.New(strings.TrimSuffix(path, ".sock")+".lock", flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, nil, words.NewError("ipc.not_locked", "Path", lock.Path(), "Why", err)
	}
	if !held {
		return nil, nil, ErrRunning
	}
	release := func() { _ = lock.Close() } // the end of the process would release it too
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		err = os.Remove(path)
		if err != nil {
			release()
			return nil, nil, words.NewError("ipc.old_socket", "Why", err)
		}
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		release()
		return nil, nil, words.NewError("ipc.not_listening", "Why", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = listener.Close()
		release()
		return nil, nil, words.NewError("ipc.not_private", "Path", path, "Why", err)
	}
	return listener, release, nil
}

// makeFolder makes the run folder. If it exists, it makes sure that nobody else has access to it.
func makeFolder(folder string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return words.NewError("ipc.no_folder", "Why", err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return words.NewError("ipc.no_folder", "Why", err)
	}
	if err := checkFolder(folder); err != nil {
		return err
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		return words.NewError("ipc.not_private", "Path", folder, "Why", err)
	}
	return nil
}

// checkFolder returns an error for a run folder that is not ours.
func checkFolder(folder string) error {
	info, err := os.Lstat(folder)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return words.NewError("ipc.is_no_folder", "Folder", folder)
	case !paths.Owned(info):
		return words.NewError("ipc.folder_of_other", "Folder", folder)
	}
	return nil
}

// dial connects to the app, and to nobody else. It returns [ErrNotRunning] when there is none.
func dial(ctx context.Context, path string) (net.Conn, error) {
	if err := checkFolder(filepath.Dir(path)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, ErrNotRunning
		}
		return nil, err
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
			return nil, ErrNotRunning
		}
		return nil, words.NewError("ipc.not_connected", "Why", err)
	}
	if err := checkPeer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// checkPeer returns an error when the process at the other end is not this user's.
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return fmt.Errorf("%T has no peer to check", conn)
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return words.NewError("ipc.unknown_peer", "Why", err)
	}
	var uid int
	var failed error
	if err := raw.Control(func(fd uintptr) { uid, failed = peerUID(int(fd)) }); err != nil {
		return words.NewError("ipc.unknown_peer", "Why", err)
	}
	if failed != nil {
		return words.NewError("ipc.unknown_peer", "Why", failed)
	}
	return allow(uid)
}

// allow returns an error for anybody but ourselves.
func allow(uid int) error {
	if uid != os.Getuid() {
		return words.NewError("ipc.peer_is_other", "User", uid)
	}
	return nil
}
