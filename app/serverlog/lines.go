package serverlog

import (
	"cmp"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// line is a line of the log. The number of a line stays the same when older lines are dropped.
type line struct {
	status.LogLine
	number int
}

// The sources of a line, as in package status.
const (
	fromStdout  = "stdout"
	fromMessage = "message"
	fromEngine  = "engine"
)

// word names the source of a line.
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

// levelColor returns the colour for the level that the sender gave the line. It is empty if the line needs no
// attention.
func (l line) levelColor() fyne.ThemeColorName {
	switch strings.ToLower(l.Level) {
	case "error", "critical", "alert", "emergency", "fatal":
		return theme.ColorWrong
	case "warning", "warn":
		return theme.ColorWorking
	}
	return ""
}

// wordColor returns the colour of the source: muted for Workbench's own lines, and striking for errors and warnings.
func (l line) wordColor() fyne.ThemeColorName {
	if color := l.levelColor(); color != "" {
		return color
	}
	if l.Source == fromEngine {
		return theme.ColorMuted
	}
	return theme.ColorAccent
}

// written returns the line as it is copied and saved. The time has the same form in all languages, so that other
// programs can read it.
func (l line) written() string {
	return l.Time.Format("2006-01-02 15:04:05.000") + "  " + l.word() + "  " + strings.ReplaceAll(l.Text, "\n", " ")
}

// lineList holds the lines of the log, searches them and knows which of them are shown.
type lineList struct {
	lines   []line
	next    int    // the number of the next line
	search  string // in lower case; empty for no search
	only    bool   // show only the lines that match
	matches []int  // the indexes of the lines that match
}

// set replaces all lines.
func (list *lineList) set(lines []status.LogLine) {
	list.lines = list.lines[:0]
	list.add(lines)
	list.refind()
}

// slack is how many lines more than MaxLines there may be before the oldest are dropped.
const slack = 500

// add appends lines and returns how many old lines it has dropped.
func (list *lineList) add(lines []status.LogLine) (dropped int) {
	if len(lines) > MaxLines {
		lines = lines[len(lines)-MaxLines:]
	}
	before := len(list.lines)
	for _, l := range lines {
		l.Text = kit.Say(l.Words())
		list.lines = append(list.lines, line{l, list.next})
		list.next++
	}
	// Drop many lines at once, because all others have to be copied.
	if dropped = len(list.lines) - MaxLines; dropped > slack {
		list.lines = append(list.lines[:0:0], list.lines[dropped:]...)
		list.refind()
		return dropped
	}
	for i := before; i < len(list.lines); i++ {
		list.consider(i)
	}
	return 0
}

// find searches all lines for text.
func (list *lineList) find(text string) {
	list.search = strings.ToLower(strings.TrimSpace(text))
	list.refind()
}

func (list *lineList) refind() {
	list.matches = nil
	for i := range list.lines {
		list.consider(i)
	}
}

// consider adds the line with index i to the matches if there is a search and the line matches.
func (list *lineList) consider(i int) {
	if list.search != "" && list.match(list.lines[i]) {
		list.matches = append(list.matches, i)
	}
}

func (list *lineList) match(l line) bool {
	return strings.Contains(strings.ToLower(l.Text), list.search)
}

// filtered reports whether only the matching lines are shown.
func (list *lineList) filtered() bool { return list.only && list.search != "" }

// rows returns how many lines are shown.
func (list *lineList) rows() int {
	if list.filtered() {
		return len(list.matches)
	}
	return len(list.lines)
}

// at returns the line in a row.
func (list *lineList) at(row int) line {
	if list.filtered() {
		row = list.matches[row]
	}
	return list.lines[row]
}

// row returns the row of the line with a number, or -1 if the line is not shown.
func (list *lineList) row(number int) int {
	row, found := sort.Find(list.rows(), func(row int) int { return cmp.Compare(number, list.at(row).number) })
	if !found {
		return -1
	}
	return row
}

// text returns rows as text, beginning with the row from and ending before the row to.
func (list *lineList) text(from, to int) string {
	var out strings.Builder
	for row := max(0, from); row < min(to, list.rows()); row++ {
		out.WriteString(list.at(row).written())
		out.WriteByte('\n')
	}
	return out.String()
}
