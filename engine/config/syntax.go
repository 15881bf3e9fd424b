package config

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// mistake is a syntax error that is being explained to people who may not know JSON. Its place is where the
// change must be made, which is often before the place where a parser notices it. No message repeats a value,
// since it might be secret.
type mistake struct {
	jsonc.Error
	d    *diagnoser
	text string // the whole file
	next byte   // the byte at Start; 0 at the end
}

// finding is what a rule reports about a mistake.
type finding struct {
	rule          Rule
	start, end    int
	message, hint words.Text

	// fixes are tried in this order. A fix without a title is not offered; it only makes the rest of the text
	// readable.
	fixes []Fix

	covers int // if there is no fix, other mistakes before this offset follow from this one and are not reported
}

// maxTried is how many bytes are parsed to try fixes of syntax errors: some milliseconds.
const maxTried = 2 << 20

// syntax reports the syntax errors. Most fixes also repair the text: the rest is then understood better, and
// mistakes that only followed from this one disappear.
func (d *diagnoser) syntax() {
	budget := maxTried
	done := 0 // the text before this offset is done
	for {
		i := slices.IndexFunc(d.text.Errors, func(e jsonc.Error) bool {
			return e.Start >= done && (e.Start < len(d.text.Text()) || done == 0 || e.After > done)
		})
		if i < 0 {
			return
		}
		m := mistake{Error: d.text.Errors[i], d: d, text: d.text.Text()}
		if m.Start < len(m.text) {
			m.next = m.text[m.Start]
		}
		f := m.explain()
		said := d.say(f.rule, f.start, f.end, d.pathAt(f.start).known(), f.message, f.hint)
		fix, text := d.bestFix(f.fixes, &budget)
		if text == nil || len(text.Errors) > 0 {
			if guess, guessed := d.bestFix(m.guesses(), &budget); guess != nil && len(guessed.Errors) == 0 && guessed.Root.Kind == jsonc.Object {
				fix, text = guess, guessed
			}
		}
		if fix == nil {
			d.unclear = append(d.unclear, jsonc.Span{Start: d.original(m.After), End: d.original(max(m.End, f.covers))})
			done = max(m.Start+1, f.covers)
			continue
		}
		if said != nil && !fix.Title.IsZero() {
			if changes, ok := d.inSource(fix.Changes); ok {
				said.Fix = &Fix{Title: fix.Title, Changes: changes}
			}
		}
		d.text = text
		done += d.repair(fix.Changes, done)
	}
}

// manyChanges is the number of changes from which a fix counts as one place in [diagnoser.certain], and not
// as several. Such a fix is about one text.
const manyChanges = 16

// repair records changes made to the text. It returns by how many bytes the text has grown before place.
func (d *diagnoser) repair(changes []Change, place int) (before int) {
	if n := len(changes); n > manyChanges {
		d.unclear = append(d.unclear, jsonc.Span{Start: d.original(changes[0].Start), End: d.original(changes[n-1].End)})
	} else {
		for _, c := range changes {
			d.unclear = append(d.unclear, jsonc.Span{Start: d.original(c.Start), End: d.original(c.End)})
		}
	}
	grown := 0
	for _, c := range changes {
		d.repaired = append(d.repaired, put(c.Start+grown, c.End+grown, c.New))
		more := len(c.New) - (c.End - c.Start)
		if grown += more; c.Start < place+before {
			before += more
		}
	}
	return before
}

// bestFix returns the first fix that leaves no syntax error, else the first that leaves fewer, with the
// resulting text. It returns nil if no fix helps.
func (d *diagnoser) bestFix(fixes []Fix, budget *int) (best *Fix, fixed *jsonc.Document) {
	before, size := len(d.text.Errors), len(d.text.Text())
	unread, _ := badSyntax(d.text.Errors, size)
	for i := range fixes {
		if *budget <= 0 {
			break
		}
		*budget -= size
		d.tried += size
		sortChanges(fixes[i].Changes)
		changed, err := ApplyChanges([]byte(d.text.Text()), fixes[i].Changes)
		if err != nil || len(bytes.TrimSpace(changed)) == 0 {
			continue
		}
		after := jsonc.Parse(changed)
		nowUnread, count := badSyntax(after.Errors, len(changed))
		if count == 0 {
			return &fixes[i], after
		}
		if best == nil && (nowUnread < unread || nowUnread == unread && count < before) {
			best, fixed = &fixes[i], after
		}
	}
	return best, fixed
}

// original returns the offset in the source of an offset in the repaired text.
func (d *diagnoser) original(at int) int {
	for _, c := range slices.Backward(d.repaired) {
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

// inSource converts changes of the repaired text to changes of the source. ok is false if they touch
// something that was already repaired.
func (d *diagnoser) inSource(changes []Change) ([]Change, bool) {
	if len(changes)*len(d.repaired) > maxTried {
		return nil, false // it would take too long
	}
	out := make([]Change, len(changes))
	for i, c := range changes {
		for _, e := range d.repaired {
			if e.Start <= c.End && c.Start <= e.Start+len(e.New) {
				return nil, false
			}
		}
		out[i] = put(d.original(c.Start), d.original(c.End), c.New)
	}
	return out, true
}

// childAt returns the index of the last child of a node that begins at or before an offset; -1 if there is
// none.
func childAt(n *node, at int) int {
	return sort.Search(len(n.Children), func(i int) bool { return n.Children[i].First() > at }) - 1
}

// pathAt returns the path of the innermost value that has begun before an offset and may continue there.
func (d *diagnoser) pathAt(at int) (path *place) {
	n := d.text.Root
	source := d.text.Text()
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
			if d.beginsValue(d.original(inner.First())) {
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

// around returns the objects and arrays that are open at an offset, the outermost first.
func (m *mistake) around(at int) (open []*node) {
	for n := m.d.text.Root; n != nil && n.Start < at; {
		if n.Kind == jsonc.Object || n.Kind == jsonc.Array {
			open = append(open, n)
		}
		i := childAt(n, at-1)
		if i < 0 {
			break
		}
		n = n.Children[i]
		if n.Start >= at || n.End < at || n.End == at && (m.text[at-1] == '}' || m.text[at-1] == ']') {
			break
		}
	}
	return open
}

// inObject reports whether an offset is directly in an object.
func (m *mistake) inObject(at int) bool {
	open := m.around(at)
	return len(open) > 0 && open[len(open)-1].Kind == jsonc.Object
}

// say returns a name in the text, at an offset, for a message. If quotes, commas, colons or brackets are
// wrong, the name may be a value or a part of one, and is hidden.
func (m *mistake) say(at int, name string) string {
	if knownName(name) {
		return quote(name)
	}
	if !looksLikeName(name) && !m.ofGroup(at) || !m.d.beginsName(m.d.original(at)) || m.nearSecret(name) {
		return hiddenName
	}
	for _, n := range m.around(m.Start) {
		if holdsSecrets(n.Key) && strings.ToUpper(name) != name {
			return hiddenName
		}
		if slices.ContainsFunc(n.Children, func(kid *node) bool { return holdsSecrets(kid.Key) && kid.Kind != jsonc.Object }) {
			return hiddenName // values may have become names
		}
	}
	return quote(name)
}

// ofGroup reports whether a name at an offset is that of a toolbox or a server. Such a name may have spaces
// and is also in the path.
func (m *mistake) ofGroup(at int) bool {
	open := m.around(at)
	if len(open) == 0 {
		return false
	}
	group := open[len(open)-1]
	return group.Kind == jsonc.Object && (group.Key == "toolboxes" || serversElsewhere(group.Key))
}

// nearSecret reports whether the mistake is in a secret, or after one in the same object.
func (m *mistake) nearSecret(name string) bool {
	for _, n := range m.around(m.Start) {
		if secret.Key(n.Key) {
			return true
		}
		before := n.Children[:childAt(n, m.Start-1)+1]
		if len(before) > maxSiblings || slices.ContainsFunc(before, func(kid *node) bool { return secret.Key(kid.Key) && kid.Key != name }) {
			return true
		}
	}
	return false
}

const hiddenName = `"…"`

// holdsSecrets reports whether the values of a field with this name may be secret.
func holdsSecrets(name string) bool {
	return slices.ContainsFunc(serverFields, func(f Field) bool {
		return f.Secret && (f.Name == name || slices.Contains(f.Others, strings.ToLower(name)))
	})
}

// looksLikeName reports whether a text could be the name of a field or a variable. Most values could not.
func looksLikeName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_$-./@", r)
	})
}

// beginsName reports whether the text at an offset of the source is in the place of a name: after a bracket
// or a comma, and not after a colon.
func (d *diagnoser) beginsName(at int) bool {
	switch end := d.endBefore(at); {
	case end == 0 || d.source[end-1] == '{' || d.source[end-1] == ',':
		return true
	case d.source[end-1] == '}' || d.source[end-1] == ']': // a comma may be missing there
		return bytes.IndexByte(d.source[end:at], '\n') >= 0
	}
	return false
}

// beginsValue reports whether the text at an offset of the source, which is a name in the repaired text, is
// in the place of a value: after a colon, or after a closing bracket on the same line, which may be one too
// many.
func (d *diagnoser) beginsValue(at int) bool {
	end := d.endBefore(at)
	return end > 0 && (d.source[end-1] == ':' || (d.source[end-1] == '}' || d.source[end-1] == ']') && !d.beginsName(at))
}

// endBefore returns where the last token before an offset of the source ends; 0 if there is none.
func (d *diagnoser) endBefore(at int) int {
	for {
		end := len(bytes.TrimRight(d.source[:at], " \t\r\n"))
		if end <= d.shift {
			return 0
		}
		i, isComment := slices.BinarySearchFunc(d.comments, end, func(s jsonc.Span, end int) int { return cmp.Compare(s.End, end) })
		if !isComment {
			return end
		}
		at = d.comments[i].Start
	}
}

// maxSiblings is how many names before a mistake are examined.
const maxSiblings = 1000

// lastName returns the name before the mistake, for a message.
func (m *mistake) lastName() string {
	text := m.text[:m.After]
	text = strings.TrimRight(text, ": \t\r\n")
	for _, n := range m.around(m.After) {
		if i := childAt(n, len(text)-1); i >= 0 && n.Children[i].Name.End == len(text) {
			return m.say(n.Children[i].Name.Start, n.Children[i].Key)
		}
	}
	return hiddenName
}

// word returns the text at the mistake up to where a token would end, at white space or a character of JSON's
// syntax, but at least one character.
func (m *mistake) word() string {
	rest := m.text[m.Start:]
	n := strings.IndexAny(rest, " \t\r\n,:{}[]\"'")
	switch {
	case n < 0:
		return rest
	case n == 0:
		return firstCharacter(rest)
	}
	return rest[:n]
}

func firstCharacter(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

// found returns a finding for the bytes from start to end.
func found(r Rule, start, end int, message, hint words.Text, fixes ...Fix) finding {
	return finding{rule: r, start: start, end: end, message: message, hint: hint, fixes: fixes}
}

// fix returns a fix with a title.
func fix(title words.Text, changes ...Change) Fix { return Fix{Title: title, Changes: changes} }

// explain returns the finding for a mistake.
func (m *mistake) explain() finding {
	switch m.Code {
	case jsonc.InvalidQuotes:
		return m.otherQuotes()
	case jsonc.InvalidCharacter:
		return m.badCharacterInText()
	case jsonc.InvalidEscape, jsonc.LoneSurrogate:
		return m.badEscape()
	case jsonc.UnexpectedEndOfString:
		return m.unclosedText()
	case jsonc.UnexpectedEndOfComment:
		end := m.Start + len(lineOf(m.text[m.Start:]))
		f := found(unclosedComment, m.Start, m.Start+2, words.New("config.unclosed_comment"), words.New("config.unclosed_comment.hint"),
			fix(fixAdd("*/"), put(end, end, "*/")))
		f.covers = len(m.text)
		return f
	case jsonc.TooDeep:
		f := found(tooDeep, m.Start, m.Start+1, words.New("config.too_deep"), words.New("config.too_deep.hint"))
		f.covers = len(m.text)
		return f
	case jsonc.TooManyValues:
		return found(tooManyValues, m.Start, m.Start, words.New("config.too_many_values"), words.New("config.too_deep.hint"))
	case jsonc.CloseExpected:
		return m.notClosed()
	case jsonc.EndOfTextExpected:
		return m.moreText()
	}
	// Something else is in the place of a comma, a name or a value. It may be wrong in itself.
	if f, ok := m.wrongToken(); ok {
		return f
	}
	switch m.Code {
	case jsonc.CommaExpected:
		return m.noComma()
	case jsonc.ColonExpected:
		return m.noColon()
	case jsonc.NameExpected:
		return m.noName()
	case jsonc.ValueExpected:
		return m.noValue()
	}
	return m.unknownWord()
}

// noComma handles a value in an object or array that is followed neither by a comma nor by the closing
// bracket.
func (m *mistake) noComma() finding {
	switch {
	case m.next == ':' && !m.inObject(m.After):
		return m.nameInList()
	case m.next == ':':
		return m.extraColon(words.New("config.comma_or_brace"))
	}
	return found(missingComma, m.After, m.After, words.New("config.missing_comma"), words.New("config.missing_comma.hint"),
		fix(words.New("config.fix.add_comma"), put(m.After, m.After, ",")))
}

func (m *mistake) extraColon(hint words.Text) finding {
	return found(extraColon, m.Start, m.Start+1, words.New("config.extra_colon"), hint,
		fix(words.New("config.fix.remove_colon"), Change{Start: m.Start, End: m.Start + 1}))
}

// noColon handles a name that is not followed by a colon.
func (m *mistake) noColon() finding {
	name := m.lastName()
	switch {
	case m.next == '=':
		end := m.Start + 1
		if strings.HasPrefix(m.text[m.Start:], "=>") {
			end++
		}
		return found(equalsSign, m.Start, end, words.New("config.equals_sign", "Name", name), words.New("config.equals_sign.hint"),
			fix(words.New("config.fix.write_colon"), put(m.Start, end, ":")))
	case m.next == 0:
		return found(missingValue, m.After, m.After, words.New("config.ends_after_name", "Name", name), words.New("config.missing_value_of.hint", "Name", name))
	case strings.IndexByte(",}]", m.next) >= 0:
		return found(missingValue, m.After, m.After, words.New("config.missing_value_of", "Name", name), words.New("config.missing_value_of.hint", "Name", name))
	}
	return found(missingColon, m.After, m.After, words.New("config.missing_colon", "Name", name), words.New("config.missing_colon.hint", "Name", name),
		fix(words.New("config.fix.add_colon"), put(m.After, m.After, ":")))
}

// noName handles something other than a name in an object.
func (m *mistake) noName() finding {
	switch m.next {
	case '{', '[':
		bracket := string(m.next)
		return found(missingName, m.Start, m.Start+1, words.New("config.missing_name_before", "Bracket", quote(bracket)), words.New("config.missing_name_before.hint", "Bracket", bracket))
	case ':':
		return found(missingName, m.Start, m.Start+1, words.New("config.missing_name"), words.New("config.missing_name.hint"))
	}
	return m.bareName(m.text[m.Start:m.End])
}

// noValue handles a missing value.
func (m *mistake) noValue() finding {
	before := strings.TrimRight(m.text[:m.After], " \t\r\n")
	switch {
	case m.d.text.Root == nil || m.next == 0 && m.d.text.Root.Kind == jsonc.Invalid:
		if m.next == 0 {
			return found(onlyComments, 0, 0, words.New("config.only_comments"), words.New("config.smallest"))
		}
		return m.closesNothing()
	case m.next == ':':
		return m.extraColon(words.New("config.take_out"))
	case strings.HasSuffix(before, ":") && m.next == 0:
		return found(missingValue, m.After, m.After, words.New("config.ends_after_colon"), words.New("config.missing_value.hint", "Name", m.lastName()))
	case strings.HasSuffix(before, ":"):
		return found(missingValue, m.After, m.After, words.New("config.missing_value", "Name", m.lastName()), words.New("config.missing_value.hint", "Name", m.lastName()))
	case m.next == ',':
		message, hint := words.New("config.extra_comma"), words.New("config.take_out")
		if strings.HasSuffix(before, ",") {
			message, hint = words.New("config.two_commas"), words.New("config.take_one_out")
		}
		return found(extraComma, m.Start, m.Start+1, message, hint, fix(fixRemoveComma(), Change{Start: m.Start, End: m.Start + 1}))
	}
	return m.closesNothing()
}

func fixRemoveComma() words.Text { return words.New("config.fix.remove_comma") }

// fixAdd returns the title of a fix that adds a mark.
func fixAdd(mark string) words.Text { return words.New("config.fix.add", "Mark", quote(mark)) }

// fixRemove returns the title of a fix that removes a mark.
func fixRemove(mark string) words.Text {
	return words.New("config.fix.remove_mark_named", "Mark", quote(mark))
}
