package app

import (
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/ipc"
)

// A start in the same instant as the end of another one takes its place: the other one accepts, but says nothing more.
func TestStartWhileAnotherEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its pipes end with their process
	}
	link := filepath.Join(t.TempDir(), "app.sock")
	ending, err := net.Listen("unix", link)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range 2 { // whether it runs, and to show its window
			if conn, err := ending.Accept(); err == nil {
				conn.Close()
			}
		}
		ending.Close()
	}()
	hub, err := listen(t.Context(), Options{Files: Files{Link: link}, Logger: slog.New(slog.DiscardHandler)},
		func(string) {}, func(*ipc.Asked) {})
	if err != nil || hub == nil {
		t.Fatalf("got %v, %v", hub, errors.Unwrap(err))
	}
}
