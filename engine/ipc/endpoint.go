package ipc

import (
	"context"
	"net"
)

// DefaultEndpoint returns the place where this user's app listens and its engines connect: the path of a
// socket, or the name of a pipe on Windows. It depends only on the user and not on the environment, since
// clients pass on almost none of it.
func DefaultEndpoint() (string, error) { return EndpointOf("app") }

// EndpointOf returns such a place for another program of ours. name is part of it.
func EndpointOf(name string) (string, error) { return endpointOf(name) }

// Take listens at an endpoint of [EndpointOf]. Only processes of this user are accepted. It returns [ErrRunning] if
// another process listens there. The caller must call release after it has closed the listener.
func Take(endpoint string) (listener net.Listener, release func(), err error) {
	open, release, err := listen(endpoint)
	if err != nil {
		return nil, nil, err
	}
	return ofUser{open}, release, nil
}

// Reach connects to an endpoint of [EndpointOf]. It returns [ErrNotRunning] if nobody of this user listens there.
func Reach(ctx context.Context, endpoint string) (net.Conn, error) { return dial(ctx, endpoint) }

// ofUser is a listener that accepts only processes of this user.
type ofUser struct{ net.Listener }

// Accept waits for the next process of this user. Others are disconnected.
func (l ofUser) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if checkPeer(conn) == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}
