package clients

import (
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Next returns what people still have to do after a client was connected.
func (c Client) Next() []words.Text {
	var next []words.Text
	switch c.Uptake {
	case client.QuitFully:
		if c.Rewriting == client.FromMemory {
			next = append(next, c.Say("clients.next_start"))
		} else {
			next = append(next, c.Say("clients.next_restart"))
		}
	case client.NewSession:
		next = append(next, c.Say("clients.next_session"))
	case client.Refresh:
		next = append(next, c.Say("clients.next_refresh"))
	case client.AtOnce:
		next = append(next, c.Say("clients.next_nothing"))
	}
	if c.Trust != "" {
		next = append(next, c.Say(c.Trust))
	}
	return next
}
