package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/downstream/fakeserver"
)

// Two AI apps share a server. The tray has it once, and each app in a line of its own.
func TestASharedServerIsOnceInTheTray(t *testing.T) {
	server := fake(fakeserver.Script{})
	server["share"] = true
	s := newSession(t, configured(map[string]any{"memory": server}))
	p := newPanel(t, s)
	s.run(t)
	icon := p.icon(t)
	eventually(t, s.hasWindow)
	for _, client := range []string{"claude-desktop", "cursor"} {
		s.newEngineOf(t, program, "stdio", "--config", s.config, "--link", s.link, "--client", client).open(t, "dev")
	}
	eventually(t, icon.says("Workbench — 1 of 1 server connected"))
	eventually(t, icon.says("Claude Desktop — connected since "))
	eventually(t, icon.says("Cursor — connected since "))
	eventually(t, func() error {
		_, entries, err := icon.menu()
		if err != nil {
			return err
		}
		all := strings.Join(labels(entries), "\n")
		if strings.Count(all, "memory") != 1 || !strings.Contains(all, "● memory   1 tool") {
			return fmt.Errorf("the menu has\n%s", all)
		}
		return nil
	})
}
