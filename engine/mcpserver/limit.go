package mcpserver

import (
	"unicode/utf16"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// defaultLimit is the limit for clients that were not measured. All measured clients show at least this much
// (contract.md, section 5).
const defaultLimit = 7_900

// aroundResult is the largest size of an answer without its result, in bytes.
const aroundResult = 4 << 10

// list collects definitions for one message.
type list struct {
	raw  []byte
	most int // largest size, in bytes
	left int // number of definitions that did not fit
}

func newList(most int) *list { return &list{raw: []byte{'['}, most: most - aroundResult} }

// add adds a definition if it fits.
func (l *list) add(definition []byte) {
	if len(l.raw)+len(definition)+len(",]") > l.most {
		l.left++
		return
	}
	if len(l.raw) > 1 {
		l.raw = append(l.raw, ',')
	}
	l.raw = append(l.raw, definition...)
}

// done returns the list as an array. It logs once for each kind that some definitions did not fit.
func (l *list) done(c *catalogue, kind downstream.Kind) []byte {
	if l.left > 0 {
		if _, told := c.logged.LoadOrStore(kind, true); !told {
			c.log.Warn("Definitions are left out: the client does not take a list that large", "method", kind.List().Method,
				"number", l.left, "limit", l.most)
		}
	}
	return append(l.raw, ']')
}

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
