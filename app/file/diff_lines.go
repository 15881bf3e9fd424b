package file

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"
	"github.com/aymanbagabas/go-udiff"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// diffKind says what a line of a diff is.
type diffKind int

const (
	diffSame diffKind = iota
	diffAdded
	diffRemoved
	diffPlace // says where the lines below it are
)

// diffLine is one line of a diff as shown.
type diffLine struct {
	kind   diffKind
	number int // of the line in the newer text, of a removed one in the older; 0 for none
	text   string
}

// diffOf is what was made of one text by another, for a person to read.
type diffOf struct {
	lines          []diffLine // their texts made plain
	added, removed int
	widest         int // letters of the longest line
	highest        int // number of a line
}

// empty tells whether the texts are the same.
func (d diffOf) empty() bool { return d.added+d.removed == 0 }

// summary says how much it is.
func (d diffOf) summary() string {
	added := lang.N("{{.Count}} lines added", d.added, map[string]any{"Count": d.added})
	removed := lang.N("{{.Count}} lines removed", d.removed, map[string]any{"Count": d.removed})
	switch {
	case d.empty():
		return lang.L("Nothing changes")
	case d.removed == 0:
		return added
	case d.added == 0:
		return removed
	}
	return added + ", " + removed
}

// diffTexts compares two texts that have no secrets in them.
func diffTexts(before, after []byte) diffOf {
	return readDiff(udiff.Unified("before", "after", string(before), string(after)))
}

var (
	hunkHead = lazyregexp.New(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

	// hiddenSecret is what the store puts in the place of a secret: the same digits for the same secret.
	hiddenSecret = lazyregexp.New(`<secret ([0-9a-f]{4})[0-9a-f]{12}>`)
)

// readDiff reads a unified diff. What it does not understand is shown as it is.
func readDiff(unified string) diffOf {
	var d diffOf
	older, newer := 0, 0
	inside := false
	for line := range strings.Lines(unified) {
		line = strings.TrimRight(line, "\r\n")
		if head := hunkHead.FindStringSubmatch(line); head != nil {
			older, _ = strconv.Atoi(head[1])
			newer, _ = strconv.Atoi(head[2])
			inside = true
			d.lines = append(d.lines, diffLine{kind: diffPlace, text: lang.L("Line {{.Line}}", map[string]any{"Line": max(1, newer)})})
			continue
		}
		if !inside || strings.HasPrefix(line, `\`) { // the names, and what is said of the last line break
			continue
		}
		shown := diffLine{}
		if line != "" {
			shown.text = plain(hiddenSecret.ReplaceAllString(line[1:], secret.Masked+" $1"))
		}
		switch {
		case strings.HasPrefix(line, "+"):
			shown.kind, shown.number = diffAdded, newer
			newer++
			d.added++
		case strings.HasPrefix(line, "-"):
			shown.kind, shown.number = diffRemoved, older
			older++
			d.removed++
		default:
			shown.number = newer
			older++
			newer++
		}
		d.lines = append(d.lines, shown)
		d.widest, d.highest = max(d.widest, utf8.RuneCountInString(shown.text)), max(d.highest, shown.number)
	}
	return d
}
