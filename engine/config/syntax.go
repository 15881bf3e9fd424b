package config

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// mistake is a syntax error that is explained to people who may not know JSON. Its offset is where the change must be
// made, which is often before the offset at which a parser notices the error. No message repeats a value, since it may
// be a secret.
type mistake struct {
	jsonc.Error
	of   *sourceText
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

// maxTried is how many bytes are parsed to try fixes of syntax errors. That takes some milliseconds.
const maxTried = 2 << 20

// syntax reports the syntax errors. Most fixes also repair the text: the rest is then understood better, and
// mistakes that only followed from this one disappear.
func (d *diagnoser) syntax() {
	budget := maxTried
	done := 0 // the text before this offset was handled
	for {
		i := slices.IndexFunc(d.src.text.Errors, func(e jsonc.Error) bool {
			return e.Start >= done && (e.Start < len(d.src.text.Text()) || done == 0 || e.After > done)
		})
		if i < 0 {
			return
		}
		m := mistake{Error: d.src.text.Errors[i], of: d.src, text: d.src.text.Text()}
		if m.Start < len(m.text) {
			m.next = m.text[m.Start]
		}
		f := m.explain()
		said := d.say(f.rule, f.start, f.end, d.src.pathAt(f.start).known(), f.message, f.hint)
		fix, text := d.src.bestFix(f.fixes, &budget)
		if text == nil || len(text.Errors) > 0 {
			if guess, guessed := d.src.bestFix(m.guesses(), &budget); guess != nil && len(guessed.Errors) == 0 &&
				guessed.Root.Kind == jsonc.Object {
				fix, text = guess, guessed
			}
		}
		if fix == nil {
			d.src.unclear = append(d.src.unclear,
				jsonc.Span{Start: d.src.original(m.After), End: d.src.original(max(m.End, f.covers))})
			done = max(m.Start+1, f.covers)
			continue
		}
		if said != nil && !fix.Title.IsZero() {
			if changes, ok := d.src.inSource(fix.Changes); ok {
				said.Fix = &Fix{Title: fix.Title, Changes: changes}
			}
		}
		d.src.text = text
		done += d.src.repair(fix.Changes, done)
	}
}

// manyChanges is the number of changes from which a fix counts as one span in [diagnoser.certain], and not as several.
const manyChanges = 16

// repair records changes of the text. It returns by how many bytes the text before the offset place has grown.
func (t *sourceText) repair(changes []Change, place int) (before int) {
	if n := len(changes); n > manyChanges {
		t.unclear = append(t.unclear, jsonc.Span{Start: t.original(changes[0].Start), End: t.original(changes[n-1].End)})
	} else {
		for _, c := range changes {
			t.unclear = append(t.unclear, jsonc.Span{Start: t.original(c.Start), End: t.original(c.End)})
		}
	}
	grown := 0
	for _, c := range changes {
		t.repaired = append(t.repaired, put(c.Start+grown, c.End+grown, c.New))
		more := len(c.New) - (c.End - c.Start)
		if grown += more; c.Start < place+before {
			before += more
		}
	}
	return before
}

// bestFix returns the first fix that leaves no syntax error, else the first that leaves fewer, with the
// resulting text. It returns nil if no fix helps.
func (t *sourceText) bestFix(fixes []Fix, budget *int) (best *Fix, fixed *jsonc.Document) {
	before, size := len(t.text.Errors), len(t.text.Text())
	unread, _ := badSyntax(t.text.Errors, size)
	for i := range fixes {
		if *budget <= 0 {
			break
		}
		*budget -= size
		t.repairCost += size
		sortChanges(fixes[i].Changes)
		changed, err := ApplyChanges([]byte(t.text.Text()), fixes[i].Changes)
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

// inSource converts changes of the repaired text to changes of the source. ok is false if they touch
// something that was already repaired.
func (t *sourceText) inSource(changes []Change) ([]Change, bool) {
	if len(changes)*len(t.repaired) > maxTried {
		return nil, false // it would take too long
	}
	out := make([]Change, len(changes))
	for i, c := range changes {
		for _, e := range t.repaired {
			if e.Start <= c.End && c.Start <= e.Start+len(e.New) {
				return nil, false
			}
		}
		out[i] = put(t.original(c.Start), t.original(c.End), c.New)
	}
	return out, true
}

// around returns the objects and arrays that are open at an offset, the outermost first.
func (m *mistake) around(at int) (open []*node) {
	for n := m.of.text.Root; n != nil && n.Start < at; {
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
	if !looksLikeName(name) && !m.ofGroup(at) || !m.of.beginsName(m.of.original(at)) || m.nearSecret(name) {
		return hiddenName
	}
	for _, n := range m.around(m.Start) {
		if holdsSecrets(n.Key) && strings.ToUpper(name) != name {
			return hiddenName
		}
		if slices.ContainsFunc(n.Children, func(kid *node) bool {
			return holdsSecrets(kid.Key) && kid.Kind != jsonc.Object
		}) {
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
		if len(before) > maxSiblings || slices.ContainsFunc(before, func(kid *node) bool {
			return secret.Key(kid.Key) && kid.Key != name
		}) {
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
		f := found(unclosedComment, m.Start, m.Start+2, words.New("config.unclosed_comment"),
			words.New("config.unclosed_comment.hint"),
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
	return found(missingComma, m.After, m.After, words.New("config.missing_comma"),
		words.New("config.missing_comma.hint"),
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
		return found(equalsSign, m.Start, end, words.New("config.equals_sign", "Name", name),
			words.New("config.equals_sign.hint"),
			fix(words.New("config.fix.write_colon"), put(m.Start, end, ":")))
	case m.next == 0:
		return found(missingValue, m.After, m.After, words.New("config.ends_after_name", "Name", name),
			words.New("config.missing_value_of.hint", "Name", name))
	case strings.IndexByte(",}]", m.next) >= 0:
		return found(missingValue, m.After, m.After, words.New("config.missing_value_of", "Name", name),
			words.New("config.missing_value_of.hint", "Name", name))
	}
	return found(missingColon, m.After, m.After, words.New("config.missing_colon", "Name", name),
		words.New("config.missing_colon.hint", "Name", name),
		fix(words.New("config.fix.add_colon"), put(m.After, m.After, ":")))
}

// noName handles something other than a name in an object.
func (m *mistake) noName() finding {
	switch m.next {
	case '{', '[':
		bracket := string(m.next)
		return found(missingName, m.Start, m.Start+1, words.New("config.missing_name_before", "Bracket", quote(bracket)),
			words.New("config.missing_name_before.hint", "Bracket", bracket))
	case ':':
		return found(missingName, m.Start, m.Start+1, words.New("config.missing_name"),
			words.New("config.missing_name.hint"))
	}
	return m.bareName(m.text[m.Start:m.End])
}

// noValue handles a missing value.
func (m *mistake) noValue() finding {
	before := strings.TrimRight(m.text[:m.After], " \t\r\n")
	switch {
	case m.of.text.Root == nil || m.next == 0 && m.of.text.Root.Kind == jsonc.Invalid:
		if m.next == 0 {
			return found(onlyComments, 0, 0, words.New("config.only_comments"), words.New("config.smallest"))
		}
		return m.closesNothing()
	case m.next == ':':
		return m.extraColon(words.New("config.take_out"))
	case strings.HasSuffix(before, ":") && m.next == 0:
		return found(missingValue, m.After, m.After, words.New("config.ends_after_colon"),
			words.New("config.missing_value.hint", "Name", m.lastName()))
	case strings.HasSuffix(before, ":"):
		return found(missingValue, m.After, m.After, words.New("config.missing_value", "Name", m.lastName()),
			words.New("config.missing_value.hint", "Name", m.lastName()))
	case m.next == ',':
		message, hint := words.New("config.extra_comma"), words.New("config.take_out")
		if strings.HasSuffix(before, ",") {
			message, hint = words.New("config.two_commas"), words.New("config.take_one_out")
		}
		return found(extraComma, m.Start, m.Start+1, message, hint,
			fix(fixRemoveComma(), Change{Start: m.Start, End: m.Start + 1}))
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
