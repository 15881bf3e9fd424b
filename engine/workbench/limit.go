package workbench

import (
	"unicode/utf16"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
)

// limit is how much of a tool's answer a client shows its model.
type limit struct {
	size int
	unit unit
}

// unit is what a client counts when it cuts an answer.
type unit int

const (
	inBytes        unit = iota // of the text, as UTF-8
	inCharacters               // of the text, as JavaScript counts: those beyond the first 65,536 are two
	inEscapedBytes             // of the text inside JSON, where each quote takes two
)

// defaultLimit is for clients that nobody has measured (contract.md, section 5).
const defaultLimit = 40_000

// orDefault returns the limit, or the one for unknown clients when it is not set.
func (l limit) orDefault() limit {
	if l.size == 0 {
		return limit{defaultLimit, inBytes}
	}
	return l
}

// of returns the size of a text.
func (u unit) of(text []byte) int {
	switch u {
	case inCharacters:
		n := 0
		for _, c := range string(text) {
			n += max(1, utf16.RuneLen(c))
		}
		return n
	case inEscapedBytes:
		return len(jsonrpc.AppendString(nil, string(text))) - len(`""`)
	}
	return len(text)
}
