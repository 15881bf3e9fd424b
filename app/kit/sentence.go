package kit

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sentence makes a sentence of a message of the engine, which writes them to follow a colon: it begins with a capital letter and
// ends with a full stop. A message that begins with a name of the file, quoted or not a plain word, begins as it is.
func Sentence(message string) string {
	message = strings.TrimSpace(message)
	first, _, _ := strings.Cut(message, " ")
	if first != "" && strings.IndexFunc(first, func(r rune) bool { return r < 'a' || r > 'z' }) < 0 {
		message = strings.ToUpper(first[:1]) + message[1:]
	}
	return Ended(message)
}

// Ended ends a text that ends openly with a full stop. Its beginning is left alone: it may be the name of a program.
func Ended(text string) string {
	text = strings.TrimSpace(text)
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, "…") {
		return text
	}
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune("。！？：", last) {
		return text
	} else if isWide(last) {
		return text + "。"
	}
	return text + "."
}

// Hint makes a sentence of what to do about something. It may begin with a name that is quoted in the message, which is left as it
// is.
func Hint(message, hint string) string {
	first, _, _ := strings.Cut(hint, " ")
	if strings.Contains(message, strconv.Quote(first)) {
		return Ended(hint)
	}
	return Sentence(hint)
}

// ErrorSentence says an error as a sentence, in the language of the window.
func ErrorSentence(err error) string { return Sentence(SayError(err)) }
