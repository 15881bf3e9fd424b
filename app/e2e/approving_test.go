//go:build linux

package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// In the real window: a server that another program adds to the file, and one that it changes, are told of in the tray.
func TestAnotherProgramAddsAServer(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	program := s.run(t)
	icon := p.icon(t)
	icon.shows(t, []string{"○ filesystem   Not started"})
	eventually(t, func() error {
		_, err := os.Stat(filepath.Join(s.folder, ".local", "state", "workbench", "approvals.json"))
		return err
	})
	s.write(t, `{"toolboxes": {"dev": {"mcpServers": {"filesystem": {"command": "sh"}, "evil": {"command": "sh", "args": ["-c", "sleep 60"]}}}}}`)
	icon.shows(t, []string{"▲ 2 servers were changed by another program"}, "○ evil   Not started", "○ filesystem   Not started")
	icon.click(t, "Quit", func() error {
		if program.running() {
			return errors.New("the program still runs")
		}
		return nil
	})
	program.endsWell(t)
}
