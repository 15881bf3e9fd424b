//go:build linux

// Package clipboard finds out whether the clipboard can be read.
package clipboard

import (
	"os"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// limit is how long the program that holds the clipboard has to answer.
const limit = time.Second

// Answers reports whether the program that holds the clipboard answers. In X, a text that was copied stays in the
// program that it was copied in, and the window would wait for it without an end. window is a window of ours in X: a text
// that was copied there needs no other program. If it is 0, or nobody can be asked, Answers returns true.
func Answers(window uintptr) bool {
	if window == 0 || os.Getenv("DISPLAY") == "" {
		return true
	}
	conn, err := xgb.NewConn()
	if err != nil {
		return true
	}
	defer conn.Close()
	selection, err := xproto.InternAtom(conn, false, uint16(len("CLIPBOARD")), "CLIPBOARD").Reply()
	if err != nil {
		return true
	}
	owner, err := xproto.GetSelectionOwner(conn, selection.Atom).Reply()
	setup := xproto.Setup(conn)
	if err != nil || owner.Owner == 0 || uint32(owner.Owner)&^setup.ResourceIdMask == uint32(window)&^setup.ResourceIdMask {
		return true
	}
	targets, err := xproto.InternAtom(conn, false, uint16(len("TARGETS")), "TARGETS").Reply()
	if err != nil {
		return true
	}
	asking, err := xproto.NewWindowId(conn)
	if err != nil {
		return true
	}
	xproto.CreateWindow(conn, 0, asking, setup.DefaultScreen(conn).Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil)
	xproto.ConvertSelection(conn, asking, selection.Atom, targets.Atom, targets.Atom, xproto.TimeCurrentTime)
	answered := make(chan struct{})
	background.Go(func() {
		for {
			event, err := conn.WaitForEvent()
			if _, ok := event.(xproto.SelectionNotifyEvent); ok || event == nil && err == nil { // or the connection has ended
				close(answered)
				return
			}
		}
	})
	select {
	case <-answered:
		return true
	case <-time.After(limit):
		return false
	}
}
