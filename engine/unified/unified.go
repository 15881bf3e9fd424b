// Package unified compares two texts line by line. It is the only package that writes unified diffs, because the
// library gives hunks after the first one wrong line numbers in the newer text.
package unified

import (
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Whole is a context that is larger than what is shown of any text, so that all lines are in the diff.
const Whole = 1000

// Diff returns a unified diff of two texts, with three lines around each change. It is empty if they are the same.
func Diff(oldName, newName, before, after string) string {
	return Around(oldName, newName, before, after, udiff.DefaultContextLines)
}

// Around is [Diff] with a number of lines around each change.
func Around(oldName, newName, before, after string, context int) string {
	text, err := udiff.ToUnified(oldName, newName, before, udiff.Lines(before, after), context)
	if err != nil {
		panic(err) // the edits belong to these texts
	}
	return renumber(text)
}

// renumber corrects the heads of the hunks. A hunk begins as many lines later in the newer text than in the older one
// as the hunks before it have added. The lines of a text begin with a sign, so no other line begins with "@@".
func renumber(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	later := 0
	named := 0 // how many of the two lines with names were seen; they look like a removed and an added line
	for line := range strings.Lines(text) {
		switch {
		case named < 2:
			named++
		case strings.HasPrefix(line, "@@ "):
			line = moved(line, later)
		case strings.HasPrefix(line, "+"):
			later++
		case strings.HasPrefix(line, "-"):
			later--
		}
		b.WriteString(line)
	}
	return b.String()
}

// moved returns the head of a hunk, "@@ -OLD[,N] +NEW[,N] @@", with NEW as many lines after OLD.
func moved(head string, later int) string {
	parts := strings.Fields(head)
	if len(parts) != 4 {
		return head
	}
	old, _, _ := strings.Cut(strings.TrimPrefix(parts[1], "-"), ",")
	line, err := strconv.Atoi(old)
	_, count, counted := strings.Cut(parts[2], ",")
	if err != nil || line == 0 || count == "0" { // an empty text has no lines
		return head
	}
	parts[2] = "+" + strconv.Itoa(line+later)
	if counted {
		parts[2] += "," + count
	}
	return strings.Join(parts, " ") + "\n"
}
