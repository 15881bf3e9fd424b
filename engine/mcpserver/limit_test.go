package mcpserver

import (
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// TestUnknownClientShowsAll checks that the longest answer for a client that nobody has measured is shown whole by
// every client that was measured, whatever it counts.
func TestUnknownClientShowsAll(t *testing.T) {
	for _, c := range client.All() {
		if limitOf(&c) == limitOf(&client.Client{}) {
			continue
		}
		for _, unit := range []string{"a", `"`, "\n", "\x01", "ü", "あ", "😀"} {
			text := strings.Repeat(unit, limitOf(&client.Client{}).Size/sizeOf([]byte(unit), limitOf(&client.Client{}).Unit))
			if size := sizeOf([]byte(text), c.Limit.Unit); size > c.Limit.Size {
				t.Errorf("%s shows %d, and an answer of %q for an unknown client has %d", c.Name, c.Limit.Size, unit, size)
			}
		}
	}
	for _, id := range []string{"", "claude-desktop-2", "my app"} {
		if limitOf(client.Find(id, "an app")) != limitOf(&client.Client{}) {
			t.Errorf("%q is not unknown", id)
		}
	}
}
