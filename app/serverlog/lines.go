package serverlog

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// line is one line with a number that it keeps when older ones give way.
type line struct {
	status.LogLine
	number int
}

// Where a line is from, as package status says it.
const (
	fromStdout  = "stdout"
	fromMessage = "message"
	fromEngine  = "engine"
)

// word is the source of a line, in words.
func (l line) word() string {
	switch l.Source {
	case fromEngine:
		return lang.L("Workbench")
	case fromStdout:
		return lang.L("Server (unexpected)")
	case fromMessage:
		if l.Level != "" {
			return lang.L("Server, {{.Level}}", map[string]any{"Level": l.Level})
		}
	}
	return lang.L("Server")
}

// grave is how much a line matters, by the level that its sender gave it.
func (l line) grave() fyne.ThemeColorName {
	switch strings.ToLower(l.Level) {
	case "error", "critical", "alert", "emergency", "fatal":
		return theme.ColorWrong
	case "warning", "warn":
		return theme.ColorWorking
	}
	return ""
}

// wordColor is the colour of the word: Workbench's own lines stand back, and what matters stands out.
func (l line) wordColor() fyne.ThemeColorName {
	if color := l.grave(); color != "" {
		return color
	}
	if l.Source == fromEngine {
		return theme.ColorMuted
	}
	return theme.ColorAccent
}

// written is the line as it is copied and saved.
func (l line) written() string {
	return l.Time.Format("2006-01-02 15:04:05.000") + "  " + l.word() + "  " + strings.ReplaceAll(l.Text, "\n", " ")
}

// book holds the lines, finds in them, and knows which of them are shown.
type book struct {
	lines   []line
	next    int // the number of the next line
	search  string
	only    bool // only what matches is shown
	matches []int
	shown   []int // indexes of lines; nil: all
}

// set takes other lines.
func (b *book) set(lines []status.LogLine) {
	b.lines = b.lines[:0]
	b.add(lines)
	b.refind()
}

// slack is how many lines more than MaxLines there may be for a while.
const slack = 500

// add appends lines and gives the number of those that had to give way.
func (b *book) add(lines []status.LogLine) (dropped int) {
	if len(lines) > MaxLines {
		lines = lines[len(lines)-MaxLines:]
	}
	before := len(b.lines)
	for _, l := range lines {
		l.Text = kit.Say(l.Words())
		b.lines = append(b.lines, line{l, b.next})
		b.next++
	}
	// Lines go in bunches, since the others have to move.
	if dropped = len(b.lines) - MaxLines; dropped > slack {
		b.lines = append(b.lines[:0:0], b.lines[dropped:]...)
		b.refind()
		return dropped
	}
	for i := before; i < len(b.lines); i++ {
		b.consider(i)
	}
	return 0
}

// find looks for a text in all lines.
func (b *book) find(text string) {
	b.search = strings.ToLower(strings.TrimSpace(text))
	b.refind()
}

func (b *book) refind() {
	b.matches, b.shown = nil, nil
	if b.search == "" {
		return
	}
	b.shown = []int{}
	for i := range b.lines {
		b.consider(i)
	}
}

// consider takes up a line that matches.
func (b *book) consider(i int) {
	if b.search != "" && b.match(b.lines[i]) {
		b.matches = append(b.matches, i)
		b.shown = append(b.shown, i)
	}
}

func (b *book) match(l line) bool {
	return strings.Contains(strings.ToLower(l.Text), b.search)
}

// filtered reports whether only a part of the lines is shown.
func (b *book) filtered() bool { return b.only && b.search != "" }

// rows is how many lines are shown.
func (b *book) rows() int {
	if b.filtered() {
		return len(b.shown)
	}
	return len(b.lines)
}

// at is the line in a row.
func (b *book) at(row int) line {
	if b.filtered() {
		row = b.shown[row]
	}
	return b.lines[row]
}

// row is where the line with a number is shown, -1 when it is not.
func (b *book) row(number int) int {
	low, high := 0, b.rows()
	for low < high {
		middle := (low + high) / 2
		if b.at(middle).number < number {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low < b.rows() && b.at(low).number == number {
		return low
	}
	return -1
}

// text writes the rows from one to before another.
func (b *book) text(from, to int) string {
	var out strings.Builder
	for row := max(0, from); row < min(to, b.rows()); row++ {
		out.WriteString(b.at(row).written())
		out.WriteByte('\n')
	}
	return out.String()
}
