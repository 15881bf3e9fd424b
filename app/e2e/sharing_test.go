//go:build linux

package e2e

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// A toolbox file that is opened from outside goes to the program in the tray. The program shows it, and adds it only
// after its button was pressed. Then its server works.
func TestToolboxFromAFile(t *testing.T) {
	s := newSession(t, twoToolboxes)
	p := newPanel(t, s)
	s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	s.closeWindow(t, s.hasNoWindow)

	text, err := json.Marshal(map[string]any{"workbenchToolbox": 1, "name": "office", "description": "Letters",
		"mcpServers": map[string]any{"letters": fake(fakeserver.Script{})}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.folder, "office.toolbox.json")
	write(t, path, string(text))
	before := s.read(t)
	opening := s.run(t, path)
	opening.endsWell(t)
	eventually(t, s.hasWindow)
	if s.read(t) != before {
		t.Fatal("the toolbox was added before the user has agreed")
	}
	// Cancel has the focus, and the button beside it is enabled after a moment.
	eventually(t, func() error {
		if strings.Contains(s.read(t), `"office"`) {
			return nil
		}
		s.clickFromCorner(t, 145, 50)
		return soon(func() error {
			if !strings.Contains(s.read(t), `"office"`) {
				return errors.New("the toolbox is not in the file")
			}
			return nil
		})
	})
	if now := s.read(t); !strings.Contains(now, `"description": "Letters"`) || !strings.Contains(now, `"letters"`) {
		t.Errorf("the file is\n%s", now)
	}
	eventually(t, icon.says("● letters   1 tool"))
}
