package clients

import (
	"fmt"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
)

// Next is what is left to do for people after a client was connected, in sentences.
func (c Client) Next() []string {
	var sentences []string
	switch c.Uptake {
	case client.QuitFully:
		if c.Rewriting == client.FromMemory {
			sentences = append(sentences, fmt.Sprintf("Start %s: it reads its file then.", c.Name))
		} else {
			sentences = append(sentences, fmt.Sprintf("If %[1]s is running, quit it fully and start it again; closing its window is not enough.", c.Name))
		}
	case client.NewSession:
		sentences = append(sentences, fmt.Sprintf("Begin a new session in %s: those that run already don't have it.", c.Name))
	case client.Refresh:
		sentences = append(sentences, fmt.Sprintf("If %s is running, press Refresh in its MCP settings, or start it again.", c.Name))
	case client.AtOnce:
		sentences = append(sentences, fmt.Sprintf("%s takes it up by itself.", c.Name))
	}
	if c.Trust != "" {
		sentences = append(sentences, c.Trust)
	}
	return sentences
}
