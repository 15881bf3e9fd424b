package ipc

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/Microsoft/go-winio"
	"golang.org/x/sys/windows"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// pipeBuffer is the size of the pipe's buffer in each direction, in bytes.
const pipeBuffer = 64 << 10

// mySID returns the user of this process.
func mySID() (*windows.SID, error) {
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, words.NewError("ipc.unknown_user", "Why", err)
	}
	return me.User.Sid, nil
}

func endpointOf(name string) (string, error) {
	sid, err := mySID()
	if err != nil {
		return "", err
	}
	if name == "app" {
		name = "desktop"
	}
	return `\\.\pipe\workbench-` + name + "-" + sid.String(), nil
}

// listen makes the pipe. Only the first process can make it, and it disappears with that process. Only this
// user can open it, and owns it; by the owner, engines recognise a pipe of the same name that somebody else
// made.
func listen(name string) (net.Listener, func(), error) {
	sid, err := mySID()
	if err != nil {
		return nil, nil, err
	}
	if runs(name) {
		return nil, nil, ErrRunning
	}
	user := sid.String()
	listener, err := winio.ListenPipe(name, &winio.PipeConfig{
		SecurityDescriptor: fmt.Sprintf("O:%sD:P(A;;GA;;;%s)", user, user),
		InputBufferSize:    pipeBuffer,
		OutputBufferSize:   pipeBuffer,
	})
	switch {
	case err != nil && runs(name): // it was started at the same moment
		return nil, nil, ErrRunning
	case err != nil:
		return nil, nil, words.NewError("ipc.not_listening", "Why", err)
	}
	return listener, func() {}, nil
}

// runs reports whether an app of this user is listening.
func runs(name string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), dialTime)
	defer cancel()
	conn, err := dial(ctx, name)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

// dial connects to the app of this user. It returns [ErrNotRunning] if there is none.
func dial(ctx context.Context, name string) (net.Conn, error) {
	conn, err := winio.DialPipeContext(ctx, name)
	if err != nil {
		if errors.Is(err, windows.ERROR_FILE_NOT_FOUND) {
			return nil, ErrNotRunning
		}
		return nil, words.NewError("ipc.not_connected", "Why", err)
	}
	if err := checkOwner(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// checkOwner returns an error if the pipe does not belong to this user.
func checkOwner(conn net.Conn) error {
	file, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return fmt.Errorf("%T has no owner to check", conn)
	}
	security, err := windows.GetSecurityInfo(windows.Handle(file.Fd()), windows.SE_KERNEL_OBJECT,
		windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return words.NewError("ipc.unknown_owner", "Why", err)
	}
	owner, _, err := security.Owner()
	if err != nil {
		return words.NewError("ipc.unknown_owner", "Why", err)
	}
	me, err := mySID()
	if err != nil {
		return err
	}
	if !owner.Equals(me) {
		return words.NewError("ipc.pipe_of_other", "Owner", owner)
	}
	return nil
}

// checkPeer accepts every connection, since the pipe's ACL has checked it.
func checkPeer(net.Conn) error { return nil }
