package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// NewWrapped returns a text of any length that can be read and copied, all of it: lines are broken at the width that there is, and a character that
// cannot be seen is shown as \u202e. A line that goes on below begins there as far to the right as it began itself.
func NewWrapped(text string) *fyne.Container {
	entry := NewCodeEntry()
	entry.SetReadOnly(true)
	return container.New(&wrappedLayout{entry: entry, text: visible.Escaped(text)}, entry)
}

// wrappedLayout breaks the lines anew when the width changes.
type wrappedLayout struct {
	entry   *CodeEntry
	text    string
	columns int // that the text is broken at
}

func (w *wrappedLayout) MinSize([]fyne.CanvasObject) fyne.Size { return w.entry.MinSize() }

func (w *wrappedLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	cell := w.entry.area.cell().Width
	// The numbers of the lines need more room when there are more of them.
	for range 2 {
		columns := max(20, int((size.Width-w.entry.gutter.MinSize().Width-2*codePad-2)/cell)-1)
		if columns != w.columns {
			w.columns = columns
			w.entry.SetText(wrap(w.text, columns))
		}
	}
	w.entry.Resize(size)
}

// maxHanging is how far to the right a line goes on at most.
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
