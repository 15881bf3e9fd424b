package foreign

import (
	"html"
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// clean undoes what web pages and word processors do to text: line ends of other systems, characters that
// only look like spaces, and invisible marks.
func clean(text string) string {
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\ufffd"), "\ufeff")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	if strings.Contains(text, "&quot;") && (!strings.Contains(text, `"`) || pageSource.MatchString(text)) {
		// copied from the source of a web page
		text = html.UnescapeString(text)
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case unicode.IsSpace(r) || r == '\u2800' || r == '\u3164':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r) && r != '\u200d' && r != '\u200c':
			return -1
		}
		return r
	}, text)
}

// pageSource matches JSON in the source of a web page.
var pageSource = lazyregexp.New(`\{\s*&quot;[^&<>]*&quot;\s*:`)

// fence matches the line that begins or ends a code block in Markdown.
var fence = lazyregexp.New("^[ \t>*-]*(?:```|~~~)[ \t]*([A-Za-z0-9_+.-]*)[^`]*$")

// fenced returns the code blocks of a Markdown text. The end of the last one may be missing.
func fenced(text string) []string {
	var blocks []string
	var block []string
	open := false
	for line := range strings.Lines(text) {
		switch {
		case fence.MatchString(strings.TrimRight(line, "\n")):
			if open {
				blocks = append(blocks, strings.Join(block, ""))
			}
			open, block = !open, nil
		case open:
			block = append(block, line)
		}
	}
	if open && len(block) > 0 {
		blocks = append(blocks, strings.Join(block, ""))
	}
	return blocks
}

// unfenced returns the text without the lines that begin and end code blocks, and without the marks around a
// single line of code.
func unfenced(text string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !fence.MatchString(strings.TrimRight(line, "\n")) {
			kept.WriteString(line)
		}
	}
	text = strings.TrimSpace(kept.String())
	if len(text) > 2 && strings.Count(text, "`") == 2 && text[0] == '`' && text[len(text)-1] == '`' {
		text = text[1 : len(text)-1]
	}
	return text
}

// straighten turns typographic quotes and dashes, which word processors insert, back into plain ones.
func straighten(text string) string {
	return strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "‘", `'`, "’", `'`, "‚", `'`,
		"‛", `'`, " —", " --", " –", " --").Replace(text)
}
