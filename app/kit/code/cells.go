package code

import (
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/app/kit"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Code is drawn on a grid of cells, so that the caret is in the right place whichever font a character comes from. A
// character takes one cell, or two if it is wide. A tab reaches to the next tab stop.

// tabStop is the distance between tab stops, in cells.
const tabStop = 4

// unseen is drawn for invalid UTF-8, and for characters that cannot be seen or would change the order of the text
// beside them.
const unseen = '·'

// cells returns how many cells a character takes. at is the cell at which it begins.
func cells(r rune, at int) int {
	switch {
	case r == '\t':
		return tabStop - at%tabStop
	case r >= 0x300 && kit.IsWide(r):
		return 2
	}
	return 1
}

// cellOf returns the cell at which a byte of a line is drawn.
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

// atCell returns the byte of a line to which the caret goes. place is a distance from the start of the line in cells,
// such as that of a click.
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
	cell int // the cell at which it begins
	text string
	odd  bool // the text is unseen
}

// codeRuns returns the runs of a line between two cells. Only ASCII characters share a run, because other characters
// may come from a font in which letters have another width.
func codeRuns(line string, from, to int) []codeRun {
	var runs []codeRun
	plain := false // the last run may get more characters
	begin, cell := 0, 0
	for i := 0; i < len(line) && cell < to; {
		r, size := utf8.DecodeRuneInString(line[i:])
		wide := cells(r, cell)
		start := cell
		cell += wide
		i += size
		if cell <= from {
			continue
		}
		ascii := r >= ' ' && r < 0x7f
		switch {
		case r == '\t':
		case ascii && plain:
			runs[len(runs)-1].text = line[begin:i]
		case !ascii && (hiddenRune(r) || r == utf8.RuneError):
			runs = append(runs, codeRun{cell: start, text: string(unseen), odd: true})
		default:
			begin = i - size
			runs = append(runs, codeRun{cell: start, text: line[begin:i]})
		}
		plain = ascii
	}
	return runs
}

func hiddenRune(r rune) bool {
	return visible.Hidden(r) || unicode.Is(unicode.Cf, r) || r != ' ' && unicode.IsSpace(r)
}
