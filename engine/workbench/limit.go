package workbench

import (
	"fmt"
	"unicode/utf16"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/downstream"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// defaultLimit is for clients that nobody has measured: each that was measured shows this much (contract.md, section 5).
const defaultLimit = 7_900

// defaultMost is how large a message may be for a client of which nothing else is known, in bytes. The SDKs for
// TypeScript close the connection at 10 MiB, and count what they have read together with the message.
const defaultMost = 10<<20 - 64<<10

// most returns how large a message to the client may be.
func (s *Server) most() int {
	if most := s.client.Load().MaxMessage; most > 0 {
		return most
	}
	return defaultMost
}

// fits reports whether a message to the client may have a size.
func (s *Server) fits(size int) bool { return size <= s.most() }

// aroundResult is what an answer has besides its result, in bytes, for results that are made to fit.
const aroundResult = 4 << 10

// tooLarge says that an answer is not passed on, and what to do.
func (s *Server) tooLarge(size int) string {
	return fmt.Sprintf("The answer has %d bytes, and the AI app takes at most %d in one message. "+
		"Ask for less of it: a part, a page, a smaller picture, or a file that it is written to", size, s.most())
}

// list collects definitions for one message to the client.
type list struct {
	raw  []byte
	most int
	left int // how many did not fit
}

func (s *Server) newList() *list { return &list{raw: []byte{'['}, most: s.most() - aroundResult} }

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

// done returns the list. It logs once in a session that some definitions of a kind did not fit.
func (l *list) done(s *Server, kind downstream.Kind) []byte {
	if l.left > 0 {
		if _, told := s.toldUnfit.LoadOrStore(kind, true); !told {
			s.log.Warn("Definitions are left out: the client does not take a list that large", "method", kind.List().Method, "number", l.left, "limit", l.most)
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
