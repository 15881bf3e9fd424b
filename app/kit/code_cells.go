package kit

import (
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// A code text is drawn on a grid, so that the caret is where it seems to be whatever font a character is found in. Every
// character takes one cell, wide ones two, and a tab as many as bring it to the next stop.

// tabStop is how many cells apart the tab stops are.
const tabStop = 4

// unseen stands for characters that cannot be seen or would reorder what stands beside them.
const unseen = '·'

// cells is how many cells a character takes that begins at a cell.
func cells(r rune, at int) int {
	switch {
	case r == '\t':
		return tabStop - at%tabStop
	case r < 0x300:
		return 1
	}
	if isWide(r) {
		return 2
	}
	return 1
}

// cellOf is the cell at which a byte of a line is drawn.
func cellOf(line string, at int) int {
	cell := 0
	for i := 0; i < at; {
		if c := line[i]; c < utf8.RuneSelf && c != '\t' {
			cell++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		cell += cells(r, cell)
		i += size
	}
	return cell
}

// atCell is the byte of a line that is drawn nearest to a place, counted in cells.
func atCell(line string, place float32) int {
	cell := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		wide := cells(r, cell)
		if float32(cell)+float32(wide)/2 > place {
			return i
		}
		cell += wide
		i += size
	}
	return len(line)
}

// codeRun is a part of a line that is drawn as one text.
type codeRun struct {
	cell int // at which it begins
	text string
	odd  bool // it stands for something that cannot be seen
}

// codeRuns takes the part of a line apart that lies between two cells. Only plain letters are drawn together: of others,
// the font may be another one and its letters of another width.
func codeRuns(line string, from, to int) []codeRun {
	var runs []codeRun
	plain := false // the last run may be continued
	cell := 0
	for i := 0; i < len(line) && cell < to; {
		r, size := utf8.DecodeRuneInString(line[i:])
		wide := cells(r, cell)
		start := cell
		cell += wide
		text := line[i : i+size]
		i += size
		if cell <= from {
			continue
		}
		switch {
		case r == '\t':
			plain = false
		case r >= ' ' && r < 0x7f:
			if !plain {
				runs = append(runs, codeRun{cell: start})
			}
			runs[len(runs)-1].text += text
			plain = true
		case hiddenRune(r) || r == utf8.RuneError:
			runs = append(runs, codeRun{cell: start, text: string(unseen), odd: true})
			plain = false
		default:
			runs = append(runs, codeRun{cell: start, text: text})
			plain = false
		}
	}
	return runs
}

func hiddenRune(r rune) bool {
	return visible.Hidden(r) || unicode.Is(unicode.Cf, r) || r != ' ' && unicode.IsSpace(r)
}
