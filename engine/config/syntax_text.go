package config

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// otherMarks begin a text in other languages and in JSON from word processors.
const otherMarks = "'`\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u2032\u2033\uff02\uff07"

// spaces are characters that look like white space, but are not allowed between tokens in JSON.
const spaces = "\u00a0\u2002\u2003\u2007\u2009\u200b\u202f\u2060\u3000\ufeff"

// wrongToken explains a token that is not allowed anywhere. ok is false for a token that would be allowed in
// another place.
func (m *mistake) wrongToken() (finding, bool) {
	first, size := utf8.DecodeRuneInString(m.text[m.Start:])
	switch word := m.word(); {
	case m.next == 0:
	case m.next == ';':
		return found(semicolon, m.Start, m.Start+1, words.New("config.semicolon"), words.New("config.write_comma"),
			fix(words.New("config.fix.write_comma"), put(m.Start, m.Start+1, ","))), true
	case m.next == '#':
		return found(hashComment, m.Start, m.Start+1, words.New("config.hash_comment"),
				words.New("config.hash_comment.hint"), fix(words.New("config.fix.hash_comment"), put(m.Start, m.Start+1, "//"))),
			true
	case strings.ContainsRune(spaces, first):
		return found(specialSpace, m.Start, m.Start+size,
			words.New("config.special_space", "Code", fmt.Sprintf("%04X", first)),
			words.New("config.special_space.hint"),
			fix(words.New("config.fix.ordinary_space"), put(m.Start, m.Start+size, " "))), true
	case m.afterText() && isWordByte(m.next):
		f := found(quoteInText, m.After-1, m.After, words.New("config.quote_in_text"),
			words.New("config.quote_in_text.hint"))
		f.covers = m.Start + len(lineOf(m.text[m.Start:]))
		begin := strings.LastIndexByte(m.text[:m.After-1], '"') + 1
		if n := nameEnd(m.text[begin : m.After-1]); n > 0 { // it is more likely the first quote of the next text
			f.fixes = append(f.fixes, fix(fixClosingQuote(), put(begin+n, begin+n, `"`)))
		}
		f.fixes = append(f.fixes, fix(words.Text{}, m.quotesWithin()...))
		return f, true
	case strings.ContainsRune(otherMarks, first):
		return m.otherQuotes(), true
	case word == "..." || word == "…" || word == "/" || word == "*/" || word == "--":
		hint := words.New("config.stray_mark.hint")
		if word[0] != '/' && word[0] != '-' && word[0] != '*' {
			hint = words.New("config.ellipsis.hint")
		}
		return found(strayCharacter, m.Start, m.Start+len(word), words.New("config.stray", "Text", quote(word)), hint), true
	}
	return finding{}, false
}

// afterText reports whether a string ends directly before the mistake.
func (m *mistake) afterText() bool {
	return m.After > 0 && m.After == m.Start && m.text[m.After-1] == '"'
}

// isWordByte reports whether a byte can be part of a number, true, false or null, or of an unquoted word.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.'
}

// unknownWord handles a word that is neither a value nor a name.
func (m *mistake) unknownWord() finding {
	word := m.text[m.Start:m.End]
	if m.isName() {
		return m.bareName(word)
	}
	if root := m.of.text.Root; root != nil && root.Kind == jsonc.Invalid {
		return m.noBrace()
	}
	if f, ok := m.otherSpelling(word); ok {
		return f
	}
	r, size := utf8.DecodeRuneInString(word)
	if !isWordByte(word[0]) && !strings.ContainsRune("_$@/.~*%<\\", r) && (r < utf8.RuneSelf || r == utf8.RuneError) {
		return m.stray(size)
	}
	// an address contains a colon, and what looks like a comment
	end := max(m.End, m.Start+len(bareText(m.text[m.Start:])))
	changes := append([]Change{put(m.Start, m.Start, `"`)}, doubleBackslashes(m.text[m.Start:end], m.Start)...)
	if end == len(m.text) || m.text[end] != '"' {
		changes = append(changes, put(end, end, `"`))
	}
	f := found(textWithoutQuotes, m.Start, m.End, words.New("config.text_without_quotes"),
		words.New("config.text_without_quotes.hint"), fix(fixQuotes(), changes...))
	f.covers = end
	if end < len(m.text) && m.text[end] == '"' { // what seems to begin at the other quote follows from this mistake
		f.covers = end + len(lineOf(m.text[end:]))
	}
	return f
}

// bareText returns the unquoted text on this line.
func bareText(rest string) string {
	if n := strings.IndexAny(rest, "\r\n,{}[]\""); n >= 0 {
		rest = rest[:n]
	}
	return strings.TrimRight(rest, " \t")
}

// stray handles a character that has no meaning here.
func (m *mistake) stray(size int) finding {
	hint := words.New("config.here_value")
	if m.inObject(m.Start) {
		hint = words.New("config.here_name")
	}
	return found(strayCharacter, m.Start, m.Start+size,
		words.New("config.stray", "Text", quote(m.text[m.Start:m.Start+size])), hint)
}

// isName reports whether the word is in the place of a member's name.
func (m *mistake) isName() bool {
	if !m.inObject(m.Start) {
		return false
	}
	return !strings.HasSuffix(strings.TrimRight(m.text[:m.After], " \t\r\n"), ":")
}

// bareName handles a name without quotes.
func (m *mistake) bareName(word string) finding {
	r, size := utf8.DecodeRuneInString(word)
	if word == "" || !isWordByte(word[0]) && !strings.ContainsRune("_$@/.~*%<\\", r) &&
		(r < utf8.RuneSelf || r == utf8.RuneError) {
		return m.stray(max(size, 1))
	}
	end, name := m.Start+len(word), m.say(m.Start, word)
	f := found(nameWithoutQuotes, m.Start, end, words.New("config.name_without_quotes", "Name", name),
		words.New("config.write", "Text", name))
	rest := strings.TrimLeft(m.text[end:], " \t\r\n")
	switch {
	case strings.HasPrefix(rest, `"`) &&
		strings.HasPrefix(strings.TrimLeft(rest[1:], " \t"), ":"): // only the first quote is missing
		f.fixes = []Fix{fix(words.New("config.fix.first_quote"), put(m.Start, m.Start, `"`))}
		f.covers = end + len(lineOf(m.text[end:]))
	case strings.HasPrefix(rest, ":") && !strings.Contains(word, `\`):
		f.fixes = []Fix{fix(fixQuotes(), put(m.Start, m.Start, `"`), put(end, end, `"`))}
	}
	return f
}

// otherSpelling handles true, false, null and numbers as other languages write them.
func (m *mistake) otherSpelling(word string) (finding, bool) {
	value := ""
	switch strings.ToLower(word) {
	case "true", "yes", "on":
		value = "true"
	case "false", "no", "off":
		value = "false"
	case "null", "none", "nil", "undefined":
		value = "null"
	}
	if value != "" {
		return found(unknownWord, m.Start, m.End, words.New("config.unknown_word", "Word", quoted(word)),
			words.New("config.unknown_word.hint", "Value", value, "Word", quote(word)),
			fix(fixWrite(value), put(m.Start, m.End, value))), true
	}
	digits := strings.TrimLeft(word, "+-.")
	if digits == "" || digits[0] < '0' || digits[0] > '9' || strings.ContainsFunc(word, func(r rune) bool {
		return r >= utf8.RuneSelf || !isWordByte(byte(r))
	}) {
		return finding{}, false
	}
	f := found(badNumber, m.Start, m.End, words.New("config.bad_number"), words.New("config.bad_number.hint"))
	// A leading zero, two points and the like are more likely to be part of a text.
	switch {
	case word[0] == '+' && json.Valid([]byte(word[1:])):
		f.fixes = []Fix{fix(words.New("config.fix.remove_plus"), Change{Start: m.Start, End: m.Start + 1})}
	case word[0] == '.' && json.Valid([]byte("0"+word)):
		f.fixes = []Fix{fix(words.New("config.fix.write_zero"), put(m.Start, m.Start, "0"))}
	case strings.HasSuffix(word, ".") && json.Valid([]byte(word[:len(word)-1])):
		f.fixes = []Fix{fix(words.New("config.fix.remove_point"), Change{Start: m.End - 1, End: m.End})}
	default:
		f.fixes = []Fix{fix(fixQuotes(), put(m.Start, m.Start, `"`), put(m.End, m.End, `"`))}
	}
	return f, true
}

// otherQuotes handles text in single or typographic quotes.
func (m *mistake) otherQuotes() finding {
	open, size := utf8.DecodeRuneInString(m.text[m.Start:])
	isName := m.isName()
	var message words.Text
	switch {
	case open == '\'' && isName:
		message = words.New("config.name_in_single_quotes")
	case open == '\'':
		message = words.New("config.text_in_single_quotes")
	case open == '`' && isName:
		message = words.New("config.name_in_backticks")
	case open == '`':
		message = words.New("config.text_in_backticks")
	case isName:
		message = words.New("config.name_in_typographic_quotes")
	default:
		message = words.New("config.text_in_typographic_quotes")
	}
	hint := words.New("config.other_quotes.hint", "Mark", string(open))
	from := m.Start + size
	line := lineOf(m.text[from:])
	n, width := closingQuote(line, open)
	if n < 0 {
		return found(otherQuoteMarks, m.Start, from, message, hint)
	}
	if isName { // a value might be secret
		hint = words.New("config.write", "Text", m.say(m.Start, line[:n]))
	}
	changes := append([]Change{put(m.Start, from, `"`), put(from+n, from+n+width, `"`)},
		escapeForeign(line[:n], from, open)...)
	return found(otherQuoteMarks, m.Start, from+n+width, message, hint,
		fix(words.New("config.fix.double_quotes"), changes...))
}

// closingQuote returns where a text that began with another quote mark ends: the offset in the line and the
// length of the closing mark, or -1.
func closingQuote(line string, open rune) (at, width int) {
	closers := map[rune]string{'\'': "'", '`': "`", '\u2018': "\u2019", '\u201a': "\u2018\u2019", '\u201c': "\u201d",
		'\u201e': "\u201c\u201d", '\u00ab': "\u00bb", '\u2039': "\u203a"}[open]
	if closers == "" {
		closers = string(open)
	}
	at = -1
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		switch {
		case r == '\\' && i+1 < len(line):
			_, next := utf8.DecodeRuneInString(line[i+1:])
			i += 1 + next
			continue
		case strings.ContainsRune(closers, r) && r != utf8.RuneError:
			if endsToken(line[i+size:]) {
				return i, size
			}
			if at < 0 {
				at, width = i, size
			}
		// A straight quote at the end comes from editors that correct only one of the two quotes.
		case r == '"' && at < 0 && endsToken(line[i+1:]) && !strings.ContainsAny(line[i+1:], closers):
			return i, size
		}
		i += size
	}
	return at, width
}

// escapeForeign changes text in other quotes so that it is right in double quotes.
func escapeForeign(text string, base int, open rune) []Change {
	var changes []Change
	for _, c := range doubleBackslashes(text, base) {
		if i := c.Start - base; i+1 < len(text) && rune(text[i+1]) == open && open < utf8.RuneSelf { // \' needs no backslash
			c = Change{Start: base + i, End: base + i + 1}
		}
		changes = append(changes, c)
	}
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			changes = append(changes, put(base+i, base+i, `\`))
		case '\t':
			changes = append(changes, put(base+i, base+i+1, `\t`))
		}
	}
	return changes
}

// textStart returns the offset of the quote that begins the string with the mistake.
func (m *mistake) textStart() int {
	line := strings.LastIndexByte(m.text[:m.Start], '\n') + 1
	begin, inside := m.Start, false
	for i := line; i < m.Start; i++ {
		switch {
		case inside && m.text[i] == '\\':
			i++
		case m.text[i] == '"':
			inside = !inside
			begin = i
		}
	}
	return begin
}

func fixBackslashes() words.Text { return words.New("config.fix.backslashes") }

// saysBackslash returns the finding for a backslash that begins no known escape sequence.
func (m *mistake) saysBackslash(at, end int, changes []Change) finding {
	return found(singleBackslash, at, end, words.New("config.single_backslash"),
		words.New("config.single_backslash.hint"), fix(fixBackslashes(), changes...))
}

// badEscape handles backslashes that begin no known escape sequence. All of them in a string are one problem.
func (m *mistake) badEscape() finding {
	if m.Code == jsonc.LoneSurrogate {
		return found(halfCharacter, m.Start, m.End,
			words.New("config.half_character", "Escape", `"`+strings.ToLower(m.text[m.Start:m.End])+`"`),
			words.New("config.half_character.hint"))
	}
	begin := m.textStart() + 1
	inside := m.text[begin:]
	inside = inside[:textLength(inside)]
	f := m.saysBackslash(m.Start, m.End, doubleBackslashes(inside, begin))
	if m.text[m.Start+1] == 'u' && !windowsPath(inside) {
		f.rule = badEscape
		f.message, f.hint = words.New("config.bad_escape"), words.New("config.bad_escape.hint")
	}
	f.covers = begin + len(inside)
	return f
}

// badCharacterInText handles a tab or another control character in a string, or a line separator in a
// comment.
func (m *mistake) badCharacterInText() finding {
	r, _ := utf8.DecodeRuneInString(m.text[m.Start:])
	switch r {
	case '\u2028', '\u2029':
		return found(lineSeparator, m.Start, m.End, words.New("config.line_separator"),
			words.New("config.line_separator.hint"),
			fix(words.New("config.fix.remove_invisible"), put(m.Start, m.End, " ")))
	case '\t':
		return found(controlInText, m.Start, m.End, words.New("config.tab_in_text"), words.New("config.tab_in_text.hint"),
			fix(fixWrite(`\t`), put(m.Start, m.End, `\t`)))
	}
	return found(controlInText, m.Start, m.End, words.New("config.control_in_text", "Code", fmt.Sprintf("%04X", r)),
		words.New("config.control_in_text.hint"),
		fix(words.New("config.fix.remove_character"), Change{Start: m.Start, End: m.End}))
}

// unclosedText handles a text without a closing quote on its line.
func (m *mistake) unclosedText() finding {
	end := m.Start + len(lineOf(m.text[m.Start:]))
	inside := m.text[m.Start+1 : end]
	if n := textLength(inside); n < len(inside) { // "C:\folder\" without a second backslash
		backslash := m.Start + n
		f := m.saysBackslash(backslash, backslash+1, doubleBackslashes(inside[:n], m.Start+1))
		f.covers = end
		return f
	}
	message, hint := words.New("config.unclosed_text"), words.New("config.unclosed_text.hint")
	if end == len(m.text) {
		message, hint = words.New("config.unclosed_text_at_end"), words.New("config.unclosed_text_at_end.hint")
	}
	f := found(unclosedText, m.Start, end, message, hint)
	f.covers = end
	add := func(at int) {
		f.fixes = append(f.fixes, fix(fixClosingQuote(), put(at, at, `"`)))
	}
	if n := nameEnd(inside); m.isName() && n > 0 {
		add(m.Start + 1 + n)
		return f
	}
	comma := m.Start + len(strings.TrimSuffix(m.text[m.Start:end], ","))
	// Closing brackets at the end of the line are probably not part of the text.
	if inner := m.Start + len(strings.TrimRight(m.text[m.Start:comma], " \t}],")); inner < comma {
		add(inner)
	}
	add(comma)
	return f
}

func fixClosingQuote() words.Text { return words.New("config.fix.closing_quote") }

// quotesWithin adds a backslash before the quote that seems to end a text, and before the following quotes up
// to the one that can be the last.
func (m *mistake) quotesWithin() []Change {
	line := lineOf(m.text[m.After:])
	changes := []Change{put(m.After-1, m.After-1, `\`)}
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			if endsToken(line[i+1:]) {
				return changes
			}
			changes = append(changes, put(m.After+i, m.After+i, `\`))
		}
	}
	return nil
}

// nameEnd returns the length of a name in a text that lacks the closing quote after the name, or 0.
func nameEnd(text string) int {
	n := strings.IndexByte(text, ':')
	if n <= 0 || n+1 < len(text) && strings.IndexByte(" \t{[\"", text[n+1]) < 0 {
		return 0
	}
	return len(strings.TrimRight(text[:n], " \t"))
}
