package code

import (
	"slices"
	"strconv"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/app/kit"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/unified"
)

// Difference is a line-by-line comparison of two texts. See [Entry.SetDifference].
type Difference struct {
	Lines          []DifferentLine
	Added, Removed int // how many lines
}

// DifferentLine is a line of a [Difference].
type DifferentLine struct {
	// '+': only in the newer text; '-': only in the older; ' ': in both; '@': not a line of a text, but a heading for the
	// lines below
	Sign   rune
	Number int // the line number in the newer text or, for a removed line, in the older; 0 for a heading
	Text   string
}

// Empty reports whether the texts are the same.
func (d Difference) Empty() bool { return d.Added+d.Removed == 0 }

// maxDifferentLine is how many characters of a line are shown.
const maxDifferentLine = 1000

var hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// hiddenSecret matches the placeholder that package store writes instead of a secret. Equal secrets have equal digits.
var hiddenSecret = lazyregexp.New(`<secret ([0-9a-f]{4})[0-9a-f]{12}>`)

// Compare compares two texts. The caller must have hidden the secrets in them.
func Compare(before, after []byte) Difference {
	return ReadDifference(unified.Diff("before", "after", string(before), string(after)))
}

// ReadDifference parses a unified diff of two texts. The caller must have hidden the secrets in them. Where package
// store has hidden a secret, the difference has dots and four digits.
func ReadDifference(diff string) Difference {
	var d Difference
	diff = hiddenSecret.ReplaceAllString(diff, secret.Masked+" $1")
	older, newer := 0, 0
	inside := false
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if head := hunkHead.FindStringSubmatch(line); head != nil {
			older, _ = strconv.Atoi(head[1])
			newer, _ = strconv.Atoi(head[2])
			inside = true
			d.Lines = append(d.Lines, DifferentLine{Sign: '@',
				Text: lang.L("Line {{.Line}}", map[string]any{"Line": max(1, newer)})})
			continue
		}
		if !inside || strings.HasPrefix(line, `\`) { // the names of the texts, and the remark about a missing line end
			continue
		}
		shown := DifferentLine{Sign: ' ', Number: newer}
		switch {
		case strings.HasPrefix(line, "+"):
			shown.Sign = '+'
			newer++
			d.Added++
		case strings.HasPrefix(line, "-"):
			shown.Sign, shown.Number = '-', older
			older++
			d.Removed++
		default:
			older++
			newer++
		}
		if line != "" {
			shown.Text = kit.Beginning(line[1:], maxDifferentLine)
		}
		d.Lines = append(d.Lines, shown)
	}
	return d
}

// NewDifference returns a view of a difference that can be read and copied.
func NewDifference(d Difference) *Entry {
	e := NewEntry()
	e.SetReadOnly(true)
	e.SetDifference(d)
	return e
}

// SetDifference shows a difference from its start. The line numbers are those of the compared texts.
func (e *Entry) SetDifference(d Difference) {
	if slices.Equal(e.difference, d.Lines) {
		return
	}
	lines := make([]string, len(d.Lines))
	for i, line := range d.Lines {
		lines[i] = line.Text
	}
	e.difference = d.Lines
	e.SetText(strings.Join(lines, "\n"))
	e.Goto(1, 1)
}

// FullHeight returns the height at which all lines are visible, in pixels.
func (e *Entry) FullHeight() float32 { return e.area.MinSize().Height + 2 }

// lineLook is how a line is shown.
type lineLook struct {
	number string      // in the gutter; empty for none
	sign   string      // before the number; empty if the line was neither added nor removed
	state  theme.State // gives the colour of the sign and the background, if there is a sign
	muted  bool        // the text is in a lighter colour
}

// look returns how a line, counted from 0, is shown.
func (e *Entry) look(line int) lineLook {
	if line >= len(e.difference) {
		return lineLook{number: strconv.Itoa(line + 1)}
	}
	different := e.difference[line]
	look := lineLook{number: strconv.Itoa(different.Number), muted: true}
	switch different.Sign {
	case '@':
		look.number = ""
	case '+':
		look.sign, look.state, look.muted = "+", theme.StateConnected, false
	case '-':
		look.sign, look.state, look.muted = "−", theme.StateWrong, false
	}
	return look
}
