package kit

import (
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Sentence turns a message of the engine into a sentence with a capital letter and a full stop. The engine writes
// messages so that they can follow a colon.
func Sentence(message string) string { return Ended(Capital(strings.TrimSpace(message))) }

// Capital gives a text a capital letter. A first word with other characters than the letters a to z, such as a quoted
// name, is not changed.
func Capital(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first == "" || strings.IndexFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Ended adds a full stop if the text has no punctuation at its end. Unlike [Sentence], it does not change the first
// letter.
func Ended(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, "…") {
		return text
	}
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune("。！？：", last) {
		return text
	} else if IsWide(last) {
		return text + "。"
	}
	return text + "."
}

// Hint turns a hint into a sentence. If the hint begins with a name that the message quotes, the name is not changed.
func Hint(message words.Text, hint string) string {
	first, _, _ := strings.Cut(hint, " ")
	named := false
	message.MapQuoted(func(name string) string {
		named = named || name == first
		return name
	})
	if named {
		return Ended(hint)
	}
	return Sentence(hint)
}

// ErrorSentence returns an error as a sentence in the language of the window.
func ErrorSentence(err error) string { return Sentence(SayError(err)) }
