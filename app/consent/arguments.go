package consent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

const indent = "    "

// readable returns arguments as text: each name, and its value indented below it, so that no value can look like
// another argument. Strings are shown with their own line breaks; everything else is JSON.
func readable(arguments json.RawMessage) string {
	members, err := jsonrpc.Members(arguments)
	switch {
	case len(arguments) == 0 || err == nil && len(members) == 0:
		return lang.L("No arguments.")
	case err != nil:
		return blanksCounted(value(arguments))
	}
	parts := make([]string, len(members))
	for i, m := range members {
		parts[i] = visible.Map(m.Name, visible.Escape) + "\n" + indent +
			strings.ReplaceAll(value(m.Value), "\n", "\n"+indent)
	}
	return blanksCounted(strings.Join(parts, "\n"))
}

// value returns a value as text.
func value(raw json.RawMessage) string {
	if text, ok := jsonrpc.String(raw); ok && strings.TrimSpace(text) != "" {
		return visible.Escaped(strings.ReplaceAll(text, "\r\n", "\n"))
	}
	var out bytes.Buffer
	if json.Indent(&out, raw, "", indent) != nil {
		return visible.Escaped(string(raw))
	}
	return visible.Escaped(out.String())
}

// maxBlanks is how many blanks in a row are written out, more than the indentation of what can be asked about.
// More of them could push the rest of the arguments out of sight.
const maxBlanks = 200

// blanksCounted returns a text in which long runs of blanks are replaced by their number.
func blanksCounted(text string) string {
	isBlank := func(r rune) bool { return unicode.IsSpace(r) || r == '\u2800' } // the Braille pattern without dots
	var out strings.Builder
	for text != "" {
		start := strings.IndexFunc(text, isBlank)
		if start < 0 {
			start = len(text)
		}
		rest := strings.TrimLeftFunc(text[start:], isBlank)
		blanks := text[start : len(text)-len(rest)]
		out.WriteString(text[:start])
		if n := utf8.RuneCountInString(blanks); n > maxBlanks {
			blanks = "\n" + visible.Mark(fmt.Sprintf("blank ×%d", n)) + "\n"
		}
		out.WriteString(blanks)
		text = rest
	}
	return out.String()
}
