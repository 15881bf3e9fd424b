package config

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// closer returns the bracket that closes an object or array.
func closer(n *node) string {
	if n.Kind == jsonc.Object {
		return "}"
	}
	return "]"
}

// where returns the line and column of an offset.
func (m *mistake) where(at int) position {
	where := position{line: 1, column: 1, offset: m.of.shift}
	where.advance(m.of.source, m.of.original(at))
	return where
}

// stillOpen returns the objects and arrays that are not closed at the mistake, the innermost first.
func (m *mistake) stillOpen() (open []*node) {
	starts := map[int]bool{}
	for _, e := range m.of.text.Errors {
		if e.Code == jsonc.CloseExpected && e.Start == m.Start {
			starts[e.Open] = true
		}
	}
	var look func(n *node)
	look = func(n *node) {
		for _, kid := range n.Children {
			if len(open) < len(starts) && (kid.Kind == jsonc.Object || kid.Kind == jsonc.Array) {
				look(kid)
			}
		}
		if starts[n.Start] {
			open = append(open, n)
		}
	}
	look(m.of.text.Root)
	return open
}

// notClosed handles the end of the file, or a wrong closing bracket, while something is open.
func (m *mistake) notClosed() finding {
	open := m.stillOpen()
	closers, opener := "", m.text[m.Open:m.Open+1]
	for _, n := range open {
		closers += closer(n)
	}
	where := m.where(m.Open)
	if m.next == 0 {
		message := words.New("config.not_closed", "Bracket", quote(opener), "Line", where.line, "Column", where.column)
		return found(notClosed, m.After, m.After, message, words.New("config.not_closed.hint", "Brackets", quote(closers)),
			fix(fixAdd(closers), put(m.After, m.After, m.closingLines(open))))
	}
	is, due := string(m.next), closers[:1]
	message := words.New("config.wrong_bracket", "Is", quote(is), "Bracket", quote(opener), "Line", where.line, "Column",
		where.column)
	hint := words.New("config.wrong_bracket.hint", "Due", quote(due))
	here := Change{Start: m.Start, End: m.Start + 1}
	f := found(wrongBracket, m.Start, m.Start+1, message, hint,
		fix(fixAdd(closers), put(m.After, m.After, closers)),
		fix(words.New("config.fix.write_instead", "Mark", quote(due)), put(here.Start, here.End, due)),
		fix(fixRemove(is), here))
	// No open object or array needs this bracket.
	if m.text[m.Start] == m.text[open[len(open)-1].End-1] && open[len(open)-1].End == m.Start+1 {
		slices.Reverse(f.fixes)
	}
	if between := m.text[here.End:]; strings.HasPrefix(strings.TrimLeft(between, " \t\r\n"), due) {
		gap := between[:strings.Index(between, due)]
		f.fixes = slices.Insert(f.fixes, 1,
			fix(words.New("config.fix.swap", "Brackets", quote(due+is)), put(here.Start, here.End+len(gap)+1, due+gap+is)))
	}
	return f
}

// closingLines returns the brackets that close what is open. A bracket is on a line of its own if the opening
// one is.
func (m *mistake) closingLines(open []*node) string {
	newline := "\n"
	if strings.Contains(m.text, "\r\n") {
		newline = "\r\n"
	}
	var b strings.Builder
	for _, n := range open {
		if strings.Contains(m.text[n.Start:m.After], "\n") {
			line := m.text[strings.LastIndexByte(m.text[:n.Start], '\n')+1 : n.Start]
			b.WriteString(newline + line[:len(line)-len(strings.TrimLeft(line, " \t"))])
		}
		b.WriteString(closer(n))
	}
	return b.String()
}

// closesNothing handles a closing bracket at the beginning of the file, or one too many.
func (m *mistake) closesNothing() finding {
	remove := Change{Start: m.Start, End: m.Start + 1}
	f := found(extraBracket, m.Start, m.Start+1, words.New("config.closes_nothing", "Bracket", quote(string(m.next))),
		words.New("config.closes_nothing.hint"),
		fix(fixAdd("{"), put(m.Start, m.Start, "{")))
	if m.next == '}' || m.next == ']' {
		f.fixes = append([]Fix{fix(fixRemove(string(m.next)), remove)}, f.fixes...)
	}
	f.covers = len(m.text) + 1
	return f
}

// moreText handles text after the whole configuration.
func (m *mistake) moreText() finding {
	end := m.Start + len(m.word())
	remove := Change{Start: m.Start, End: m.Start + 1}
	switch root := m.of.text.Root; {
	case root.Kind == jsonc.Invalid && m.next != '}' &&
		m.next != ']': // it was already reported that the file has no configuration
		return m.noBrace()
	case m.next == '}' || m.next == ']':
		f := found(extraBracket, m.Start, m.Start+1, words.New("config.extra_bracket", "Bracket", quote(string(m.next))),
			words.New("config.extra_bracket.hint"))
		rest := strings.TrimLeft(m.text[m.Start:], "}] \t\r\n")
		switch {
		case rest == "" || rest[0] == '/':
			f.fixes = []Fix{fix(fixRemove(string(m.next)), remove)}
		case rest[0] == ',':
			f.fixes = m.reopen(len(m.text)-len(rest), "")
		case rest[0] == '"':
			f.fixes = m.reopen(len(m.text)-len(rest), ",")
		}
		return f
	case m.next == ',' && strings.TrimSpace(m.text[m.Start+1:]) == "":
		return found(textAfterEnd, m.Start, end, words.New("config.comma_after_end"), words.New("config.take_out"),
			fix(fixRemoveComma(), remove))
	case m.next == ',':
		f := found(textAfterEnd, m.Start, end, words.New("config.comma_after_end"), words.New("config.more_after_end.hint"))
		f.fixes = m.reopen(m.Start, "")
		return f
	case m.next == ':':
		return m.noBrace()
	case m.next == '{':
		return found(secondConfiguration, m.Start, end, words.New("config.second_configuration"),
			words.New("config.second_configuration.hint"))
	}
	f := found(textAfterEnd, m.Start, end, words.New("config.text_after_end"), words.New("config.text_after_end.hint"))
	if m.next == '"' {
		f.fixes = m.reopen(m.Start, ",")
	}
	return f
}

// reopen proposes to remove the brackets that close the configuration too early. The text after from belongs to the
// configuration.
func (m *mistake) reopen(from int, between string) []Fix {
	if m.After == 0 || m.text[m.After-1] != '}' {
		return nil
	}
	return []Fix{fix(words.New("config.fix.reopen"),
		put(m.After-1, from, between+strings.Trim(m.text[m.After:from], "}]")))}
}

// noBrace handles a file that does not begin with a brace.
func (m *mistake) noBrace() finding {
	root := m.of.text.Root
	first, end := root.Start, len(strings.TrimRight(m.text, " \t\r\n"))
	if m.next == ':' {
		closing := "}"
		if line := m.text[strings.LastIndexByte(m.text[:end], '\n')+1 : end]; strings.Contains(line, "//") {
			closing = "\n}"
		}
		f := found(noOpeningBrace, first, first+1, saysNoBrace(), words.New("config.no_brace.hint"),
			fix(words.New("config.fix.braces"), put(first, first, "{"), put(end, end, closing)))
		f.covers = len(m.text)
		return f
	}
	f := found(noOpeningBrace, first, root.End, saysNoBrace(), words.New("config.no_brace_at_all.hint"))
	if n := strings.IndexByte(lineOf(m.text[first:]), '{'); n > 0 {
		f.fixes = []Fix{fix(words.New("config.fix.remove_before"), Change{Start: first, End: first + n})}
	}
	f.covers = len(m.text) + 1
	return f
}

func saysNoBrace() words.Text { return words.New("config.no_brace") }

// nameInList handles a name with a colon among the elements of an array. Usually the array was not closed.
func (m *mistake) nameInList() finding {
	open := m.around(m.After)
	list := open[len(open)-1]
	i := slices.IndexFunc(list.Children, func(kid *node) bool { return kid.End == m.After })
	begin := m.Start
	f := found(nameInList, begin, m.Start+1, words.New("config.name_in_list"), words.New("config.name_in_list.hint"))
	f.covers = list.End + 1 // consequences: other names, and that the list is not closed
	if i < 0 {
		return f
	}
	f.start = list.Children[i].Start
	if i > 0 {
		if comma, ok := list.Children[i-1].Comma(); ok {
			f.fixes = append(f.fixes, fix(words.New("config.fix.close_list"), put(comma, comma, "]")))
		}
	}
	if m.text[list.End-1] == ']' {
		f.fixes = append(f.fixes, fix(words.New("config.fix.make_group"), put(list.Start, list.Start+1, "{"),
			put(list.End-1, list.End, "}")))
	}
	return f
}

// marks are the characters of JSON's syntax.
const marks = `{}[]:,"`

// maxOfOneMark is how many mistakes one wrong mark can cause.
const maxOfOneMark = 100

// guesses returns fixes that add, remove or replace one mark near a mistake. A guess is used only if nothing is wrong
// after it. Near a secret there are no guesses: they might turn the secret into a name, and messages repeat names.
func (m *mistake) guesses() (guesses []Fix) {
	if len(m.of.text.Errors) > maxOfOneMark || m.nearSecret("") {
		return nil
	}
	change := func(start, end int, with string) {
		title := fixWrite(quote(with))
		switch {
		case start == end:
			title = fixAdd(with)
		case with == "":
			title = fixRemove(m.text[start:end])
		}
		guesses = append(guesses, fix(title, put(start, end, with)))
	}
	places := []int{m.Start, m.After - 1}
	if open := m.around(m.Start); len(open) > 0 {
		places = append(places, open[len(open)-1].Start)
	}
	for _, at := range places {
		if at < 0 || at >= len(m.text) || strings.IndexByte(marks, m.text[at]) < 0 {
			continue
		}
		for _, mark := range marks {
			if byte(mark) != m.text[at] {
				change(at, at+1, string(mark))
			}
		}
		change(at, at+1, "")
	}
	for _, at := range []int{m.After, m.Start} {
		for _, mark := range marks {
			change(at, at, string(mark))
		}
	}
	if colon := strings.LastIndexByte(m.text[:m.After], ':') + 1; colon > 0 {
		change(colon, colon, "[")
		change(colon, colon, "{")
	}
	return guesses
}
