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

// pipeBuffer is how many bytes wait in the pipe, each way.
const pipeBuffer = 64 << 10

// mySID returns the user whom this process belongs to.
func mySID() (*windows.SID, error) {
	me, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, words.NewError("ipc.unknown_user", "Why", err)
	}
	return me.User.Sid, nil
}

func defaultEndpoint() (string, error) {
	sid, err := mySID()
	if err != nil {
		return "", err
	}
	return `\\.\pipe\workbench-desktop-` + sid.String(), nil
}

// listen makes the pipe, which only its first maker can, and which goes with its maker. Only this user may open it, and
// owns it, which is how engines know that it is not somebody else's of the same name.
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

// runs reports whether an app of this user listens.
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

// dial connects to the app, and to nobody else. It returns [ErrNotRunning] when there is none.
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

// checkOwner returns an error when the pipe is not this user's.
func checkOwner(conn net.Conn) error {
	file, ok := conn.(interface{ Fd() uintptr })
	if !ok {
		return fmt.Errorf("%T has no owner to check", conn)
	}
	security, err := windows.GetSecurityInfo(windows.Handle(file.Fd()), windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
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

// checkPeer lets everybody in whom the pipe's ACL let through.
func checkPeer(net.Conn) error { return nil }
