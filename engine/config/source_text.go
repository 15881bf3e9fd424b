package config

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
)

// sourceText is the text of a file with its syntax tree. While there are syntax errors, the tree is that of a
// repaired text, whose offsets [sourceText.original] turns into those of the source.
type sourceText struct {
	source   []byte
	isText   bool            // the source is UTF-8
	shift    int             // the length of the byte order mark
	text     *jsonc.Document // the source, with syntax errors repaired as far as possible
	parsed   []byte          // the text of the syntax tree: the source, or the repaired source
	mistakes []jsonc.Error   // syntax errors
	// repaired are the changes that made text from the source, in this order. With them, what follows a mistake can be
	// read.
	repaired   []Change
	unclear    []jsonc.Span // the places of the mistakes in the source
	comments   []jsonc.Span // of the source
	repairCost int          // the cost of trying repairs, as [Document.cost]
}

// original returns the offset in the source of an offset in the repaired text.
func (t *sourceText) original(at int) int {
	for _, c := range slices.Backward(t.repaired) {
		switch {
		case at <= c.Start:
		case at < c.Start+len(c.New):
			at = min(at, c.End)
		default:
			at += (c.End - c.Start) - len(c.New)
		}
	}
	return at
}

// certain reports whether a problem is certainly in the user's text. After syntax errors it may be a result
// of our repairs, and a warning can wait until they are corrected.
func (t *sourceText) certain(severity Severity, start, end int) bool {
	if len(t.mistakes) == 0 {
		return true
	}
	return severity == SeverityError && !slices.ContainsFunc(t.unclear, func(s jsonc.Span) bool {
		return start < max(s.End, s.Start+1) && s.Start < end || start == end && s.Start <= start && start <= s.End
	})
}

// wholeCharacters corrects offsets that are inside a character or outside the source.
func (t *sourceText) wholeCharacters(start, end int) (int, int) {
	start = max(0, min(start, len(t.source)))
	end = max(start, min(end, len(t.source)))
	if t.isText {
		for start < len(t.source) && !utf8.RuneStart(t.source[start]) {
			start++
		}
		for end < len(t.source) && (end < start || !utf8.RuneStart(t.source[end])) {
			end++
		}
	}
	return start, end
}

// pathAt returns the path of the innermost value that has begun before an offset and may continue there.
func (t *sourceText) pathAt(at int) (path *docPath) {
	n := t.text.Root
	source := t.text.Text()
	for n != nil && len(n.Children) > 0 && n.Start < at {
		index := childAt(n, at)
		if index > 0 && (n.Kind == jsonc.Object && nameOf(n.Children[index]).End > at || n.Children[index-1].End == at) {
			index--
		}
		if index < 0 || n.Kind == jsonc.Object && nameOf(n.Children[index]).End > at {
			break
		}
		inner := n.Children[index]
		if inner.End < at && strings.TrimSpace(source[inner.End:at]) != "" {
			break
		}
		if n.Kind == jsonc.Object {
			if t.beginsValue(t.original(inner.First())) {
				break
			}
			path = path.member(inner.Key)
		} else {
			path = path.element(index)
		}
		n = inner
	}
	return path
}

// beginsName reports whether the text at an offset of the source is in the place of a name: after a bracket
// or a comma, and not after a colon.
func (t *sourceText) beginsName(at int) bool {
	switch end := t.endBefore(at); {
	case end == 0 || t.source[end-1] == '{' || t.source[end-1] == ',':
		return true
	case t.source[end-1] == '}' || t.source[end-1] == ']': // a comma may be missing there
		return bytes.IndexByte(t.source[end:at], '\n') >= 0
	}
	return false
}

// beginsValue reports whether the text at an offset of the source, which is a name in the repaired text, is
// in the place of a value: after a colon, or after a closing bracket on the same line, which may be one too
// many.
func (t *sourceText) beginsValue(at int) bool {
	end := t.endBefore(at)
	return end > 0 && (t.source[end-1] == ':' || (t.source[end-1] == '}' || t.source[end-1] == ']') && !t.beginsName(at))
}

// endBefore returns where the last token before an offset of the source ends; 0 if there is none.
func (t *sourceText) endBefore(at int) int {
	for {
		end := len(bytes.TrimRight(t.source[:at], " \t\r\n"))
		if end <= t.shift {
			return 0
		}
		i, isComment := slices.BinarySearchFunc(t.comments, end, func(s jsonc.Span, end int) int {
			return cmp.Compare(s.End, end)
		})
		if !isComment {
			return end
		}
		at = t.comments[i].Start
	}
}

// childAt returns the index of the last child of a node that begins at or before an offset; -1 if there is
// none.
func childAt(n *node, at int) int {
	return sort.Search(len(n.Children), func(i int) bool { return n.Children[i].First() > at }) - 1
}
