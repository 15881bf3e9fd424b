package ipc

import (
	"context"
	"net"
	"time"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Show asks the app that listens on endpoint, where "" means [DefaultEndpoint], to show its window and to
// open the path of a file, or a link; "" opens nothing. It returns [ErrNotRunning] if there is no app.
func Show(ctx context.Context, endpoint, open string) error {
	return show(ctx, endpoint, open, allowForeground)
}

// Running reports whether an app listens on endpoint, where "" means [DefaultEndpoint].
func Running(ctx context.Context, endpoint string) bool {
	conn, err := call(ctx, endpoint)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was said
	return true
}

// show first calls allow with the app's process id, to let the app bring its window to the front.
func show(ctx context.Context, endpoint, open string, allow func(pid int)) error {
	conn, err := call(ctx, endpoint)
	if err != nil {
		return err
	}
	defer conn.Close()
	reader := newLineReader(conn, maxFromApp)
	hello, err := await(reader, typeHello)
	if err != nil {
		return err
	}
	if hello.Pid > 0 {
		allow(hello.Pid)
	}
	if err := (&lineWriter{conn: conn}).write(&message{Type: typeShow, Open: open}); err != nil {
		return words.NewError("ipc.not_shown", "Why", err)
	}
	_, err = await(reader, typeShown)
	return err
}

// Probe asks the app that listens on endpoint, "" meaning [DefaultEndpoint], for the path of its configuration
// file. The path is empty if the app does not say; the error is [ErrNotRunning] if there is none.
func Probe(ctx context.Context, endpoint string) (config string, err error) {
	conn, err := call(ctx, endpoint)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	hello, err := await(newLineReader(conn, maxFromApp), typeHello)
	if err != nil {
		return "", err
	}
	return hello.Config, nil
}

// call connects to the app for one question.
func call(ctx context.Context, endpoint string) (net.Conn, error) {
	if endpoint == "" {
		var err error
		if endpoint, err = DefaultEndpoint(); err != nil {
			return nil, err
		}
	}
	conn, err := dial(ctx, endpoint)
	if err != nil {
		return nil, err
	}
	limit := time.Now().Add(greetTime)
	if deadline, ok := ctx.Deadline(); ok && deadline.Before(limit) {
		limit = deadline
	}
	if err := conn.SetReadDeadline(limit); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// await reads messages until one of the given type.
func await(reader *lineReader, kind string) (*message, error) {
	for {
		m, err := reader.next()
		if err != nil {
			return nil, words.NewError("ipc.app_silent", "Why", err)
		}
		if m.Type == kind {
			return m, nil
		}
	}
}
