package config

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// maxQuoted is how many bytes of the file's text a message repeats.
const maxQuoted = 60

// quote returns text from the file for a message: in double quotes, on one line, without control characters,
// shortened, and without what looks like a secret.
func quote(text string) string { return quoteUpTo(maxQuoted, withoutSecret(text)) }

// quoted is [quote] for a sentence without JSON: the language of the sentence has the quotation marks.
func quoted(text string) words.Text {
	text = quote(text)
	return words.New("format.quoted", "Text", text[1:len(text)-1])
}

// withoutSecret returns text from the file up to the first part that looks like a secret.
func withoutSecret(text string) string {
	if len(text) >= minSecret || strings.ContainsRune(text, '=') {
		if spans := secret.InText(text[:min(len(text), 4*maxQuoted)]); len(spans) > 0 {
			return text[:spans[0].Start] + secret.Masked // the text after it may belong to the secret
		}
	}
	return text
}

// minSecret is the length below which text is not searched for secrets, unless it names one, as in "key=…". No secret
// that is recognised by its form alone is as short.
const minSecret = 12

// quoteUpTo is [quote] with another limit, for text without secrets.
func quoteUpTo(limit int, text string) string {
	cut := ""
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "")
		cut = "…"
	}
	if strings.ContainsFunc(text, func(r rune) bool {
		return !strconv.IsPrint(r) && r != ' ' || r == '"' || r == '\\' || r == utf8.RuneError
	}) {
		quoted, err := json.Marshal(text)
		if err != nil { // a string can always be marshalled
			return strconv.Quote(text)
		}
		return escapeUnprintable(strings.TrimSuffix(string(quoted), `"`)) + cut + `"`
	}
	return `"` + text + cut + `"`
}

// escapeUnprintable escapes characters that encoding/json keeps although they are invisible, such as those
// that change the direction of text.
func escapeUnprintable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strconv.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(visible.Escape(r))
	}
	return b.String()
}
