package workbench

import (
	"unicode/utf16"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// defaultLimit is for clients that nobody has measured: each that was measured shows this much (contract.md, section 5).
const defaultLimit = 7_900

// limitOf returns how much of an answer a client shows its model.
func limitOf(c *client.Client) client.Limit {
	if c.Limit.Size == 0 {
		return client.Limit{Size: defaultLimit, Unit: client.EscapedBytes}
	}
	return c.Limit
}

// sizeOf returns the size of a text in a unit.
func sizeOf(text []byte, unit client.Unit) int {
	switch unit {
	case client.Characters:
		n := 0
		for _, c := range string(text) {
			n += max(1, utf16.RuneLen(c))
		}
		return n
	case client.EscapedBytes:
		return len(jsonrpc.AppendString(nil, string(text))) - len(`""`)
	}
	return len(text)
}
