//go:build linux

package e2e

import (
	"testing"

	"github.com/jezek/xgb/xproto"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// A program that holds the clipboard and does not answer, as one that was stopped, does not hold up the window.
func TestClipboardOfAProgramThatDoesNotAnswer(t *testing.T) {
	s := newSession(t, configured(map[string]any{"files": fake(fakeserver.Script{})}))
	program := s.run(t)
	eventually(t, s.hasWindow)
	eventually(t, s.has(colorAccent, 500))
	s.keys(t, "Escape") // gives the window the keyboard
	conn := s.display.conn
	clipboard, err := xproto.InternAtom(conn, false, uint16(len("CLIPBOARD")), "CLIPBOARD").Reply()
	if err != nil {
		t.Fatal(err)
	}
	holder, err := xproto.NewWindowId(conn)
	if err != nil {
		t.Fatal(err)
	}
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	if err := xproto.CreateWindowChecked(conn, 0, holder, root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0,
		nil).Check(); err != nil {
		t.Fatal(err)
	}
	if err := xproto.SetSelectionOwnerChecked(conn, holder, clipboard.Atom, xproto.TimeCurrentTime).Check(); err != nil {
		t.Fatal(err)
	}
	k := &keyboard{s.display}
	k.press("ctrl+f", "ctrl+v")
	k.press("ctrl+q")
	program.endsWell(t)
}
