package code

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// NewWrapped returns a text of any length that can be read and copied in full. Lines are broken at the available
// width, and invisible characters are shown as escapes such as \u202e. The rest of a broken line is indented like its
// beginning, up to a limit.
func NewWrapped(text string) *fyne.Container {
	text, broken := visible.Escaped(text), 0 // broken is the number of columns at which the text is broken
	entry := NewEntry()
	entry.SetReadOnly(true)
	entry.gutter.Hide() // the lines of a broken text have no numbers that mean anything
	return kit.Arranged(entry.MinSize, func(size fyne.Size) {
		cell := entry.area.cell().Width
		if columns := max(20, int((size.Width-2*codePad-2)/cell)-1); columns != broken {
			broken = columns
			entry.SetText(wrap(text, columns))
		}
		entry.Resize(size)
	}, entry)
}

// maxHanging is the largest indentation of the rest of a broken line, in cells.
const maxHanging = 12

// wrap breaks the lines of a text so that none has more cells than columns.
func wrap(text string, columns int) string {
	var out strings.Builder
	out.Grow(len(text) + len(text)/columns)
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			out.WriteByte('\n')
		}
		if len(line) <= columns && !strings.Contains(line, "\t") {
			out.WriteString(line)
			continue
		}
		hanging := strings.Repeat(" ", min(len(line)-len(strings.TrimLeft(line, " ")), maxHanging, columns/2))
		cell := 0
		for len(line) > 0 {
			r, size := utf8.DecodeRuneInString(line)
			wide := cells(r, cell)
			if cell+wide > columns && cell > len(hanging) {
				out.WriteString("\n" + hanging)
				cell = len(hanging)
				wide = cells(r, cell)
			}
			out.WriteString(line[:size])
			cell += wide
			line = line[size:]
		}
	}
	return out.String()
}
