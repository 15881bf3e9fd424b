package jsonc

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of what is parsed.
const (
	// MaxDepth is the deepest nesting of objects and arrays. It keeps recursive functions from exhausting the
	// stack.
	MaxDepth = 200

	// MaxValues is the largest number of values in a text. Each takes about 150 bytes of memory.
	MaxValues = 1 << 20

	// MaxErrors is how many errors are recorded. The text after that is still parsed.
	MaxErrors = 1000
)

// Code is a kind of mistake in a text.
type Code int

// The kinds of mistakes.
const (
	// a word that is no value, a special kind of space, a comment that begins with #
	InvalidSymbol          Code = iota + 1
	InvalidNumber               // a word that looks like a number but is none
	InvalidQuotes               // a text in other quotes than "
	InvalidCharacter            // a control character within a string or comment
	InvalidEscape               // a backslash in a string that begins no escape sequence
	LoneSurrogate               // a \u escape that is half a character; see [Code.Readable]
	InvalidUTF8                 // a byte that is not UTF-8; see [Code.Readable]
	UnexpectedEndOfString       // a string without closing quote on its line
	UnexpectedEndOfComment      // a comment without */
	NameExpected                // in an object, something other than a name
	ColonExpected               // no colon after a name
	// no value after a colon, a comma with nothing before it, or no value in the whole text
	ValueExpected
	CommaExpected     // no comma between two members or elements
	CloseExpected     // an object or array that is not closed; Open is its bracket
	EndOfTextExpected // more text after the value
	TooDeep           // an object or array deeper than [MaxDepth], whose content was skipped
	TooManyValues     // more than [MaxValues]; the rest of the text was not read
)

// Readable reports whether the structure of the text is clear in spite of the mistake, so that it can still
// be edited. Programs that cut texts in the middle of a character write such strings.
func (c Code) Readable() bool { return c == LoneSurrogate || c == InvalidUTF8 }

// Error is a mistake in a text, with its place.
type Error struct {
	Code       Code
	Start, End int // the mistake, or what is in the place of what was expected
	After      int // the end of the previous token, where something missing belongs
	Open       int // for CloseExpected, the offset of the bracket that is not closed; else -1
}

// Document is a parsed text, as far as it could be understood.
type Document struct {
	Root     *Node   // nil if there is no value
	Errors   []Error // all mistakes, at most [MaxErrors], in the order of the text
	Comments []Span  // of all comments, in the order of the text

	text string
}

// Text returns the whole text.
func (d *Document) Text() string { return d.text }

// Slice returns a part of the text.
func (d *Document) Slice(s Span) string { return d.text[s.Start:s.End] }

// Position returns the line and column of an offset. Both begin at 1. Columns count characters; a byte order
// mark is not counted.
func (d *Document) Position(at int) (line, column int) {
	before := strings.TrimPrefix(d.text[:at], byteOrderMark)
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:]) + 1
}

// Broken returns the first mistake that makes the structure of the text unclear, or nil.
func (d *Document) Broken() *Error {
	for i := range d.Errors {
		if !d.Errors[i].Code.Readable() {
			return &d.Errors[i]
		}
	}
	return nil
}

// Parse parses a text. It always returns a document, and takes time in proportion to the length of the text.
func Parse(text []byte) *Document {
	d := &Document{text: string(text)}
	start := 0
	if strings.HasPrefix(d.text, byteOrderMark) {
		start = len(byteOrderMark)
	}
	p := d.parse(start, len(d.text))
	if !utf8.ValidString(d.text) {
		p.invalidUTF8()
	}
	d.Root, d.Errors, d.Comments = p.root, p.errors, p.comments
	slices.SortStableFunc(d.Errors, func(a, b Error) int { return cmp.Compare(a.Start, b.Start) })
	return d
}

// parse parses the single value in a part of the text.
func (d *Document) parse(start, end int) *parser {
	p := &parser{doc: d, gap: start}
	p.text, p.at, p.ended = d.text[:end], start, start
	p.token.end = start
	p.next()
	if p.token.kind == endOfText {
		p.fail(ValueExpected)
		return p
	}
	p.root = p.newNode()
	p.value(p.root)
	for len(p.stack) > 0 {
		p.step(&p.stack[len(p.stack)-1])
	}
	if p.token.kind != endOfText {
		p.fail(EndOfTextExpected)
	}
	return p
}

// parser builds the tree. It does not recurse, so it accepts any depth.
type parser struct {
	scanner
	doc     *Document
	root    *Node
	token   token // the current token
	ahead   token // the one after it, when peeked
	peeked  bool
	last    int // the end of the previous token
	gap     int // where the text before the next member or element begins
	stack   []frame
	values  []*Node // the children of all open objects and arrays
	nodes   []Node  // a supply of nodes
	lists   []*Node // a supply of lists of children
	counted int
}

// frame is an open object or array.
type frame struct {
	node      *Node
	first     int  // the index in values of its first child
	wantComma bool // the last thing was a member or element
}

func (f *frame) closer() tokenKind { return tokenKind(f.node.Kind) + 2 }

func (p *parser) next() {
	p.last = p.token.end
	if p.peeked {
		p.token, p.peeked = p.ahead, false
		return
	}
	p.token = p.scan()
}

func (p *parser) peek() token {
	if !p.peeked {
		p.ahead, p.peeked = p.scan(), true
	}
	return p.ahead
}

// fail records a mistake in the current token.
func (p *parser) fail(code Code) { p.failAt(code, p.token.start, p.token.end, -1) }

func (p *parser) failAt(code Code, start, end, open int) {
	if len(p.errors) < MaxErrors {
		p.errors = append(p.errors, Error{code, start, end, p.last, open})
	}
}

func (p *parser) newNode() *Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, min(1024, 16+p.counted))
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	p.counted++
	n.doc, n.gap, n.comma = p.doc, p.gap, -1
	return n
}

// children returns a list of the nodes.
func (p *parser) children(nodes []*Node) []*Node {
	if len(nodes) == 0 {
		return nil
	}
	if len(p.lists) < len(nodes) {
		p.lists = make([]*Node, max(len(nodes), min(1024, p.counted)))
	}
	list := p.lists[:len(nodes):len(nodes)]
	p.lists = p.lists[len(nodes):]
	copy(list, nodes)
	return list
}

// step handles the current token in the innermost open object or array.
func (p *parser) step(f *frame) {
	t := p.token
	switch {
	case t.kind == f.closer():
		p.close(t.end)
		p.next()
	case t.kind == endOfText:
		p.failAt(CloseExpected, t.start, t.end, f.node.Start)
		p.close(p.last)
	case t.kind == '}' || t.kind == ']':
		p.failAt(CloseExpected, t.start, t.end, f.node.Start)
		outer := slices.ContainsFunc(p.stack, func(f frame) bool { return f.closer() == t.kind })
		if outer { // a closer that matches an outer bracket means that the inner one is missing
			p.close(p.last)
			return
		}
		p.close(t.end)
		p.next()
	case t.kind == ',':
		if !f.wantComma {
			p.fail(ValueExpected)
		} else if n := len(p.values); n > f.first {
			p.values[n-1].comma = t.start
		}
		f.wantComma = false
		p.gap = t.end
		p.next()
	case t.kind == word && p.text[t.start:t.end] == ";":
		p.fail(InvalidSymbol)
		f.wantComma = false
		p.gap = t.end
		p.next()
	case f.wantComma && t.kind == ':':
		p.fail(CommaExpected)
		f.wantComma = f.node.Kind == Object
		p.gap = t.end
		p.next()
	case f.wantComma && f.node.Kind == Object && t.kind == word && p.peek().kind != ':':
		p.fail(InvalidSymbol)
		p.gap = t.end
		p.next()
	default:
		p.item(f)
	}
}

// item parses a member or an element.
func (p *parser) item(f *frame) {
	if f.wantComma {
		p.fail(CommaExpected)
		p.gap = p.last
	}
	f.wantComma = true
	if p.counted == MaxValues {
		p.failAt(TooManyValues, p.token.start, p.token.end, -1)
		p.at, p.peeked = len(p.text), false
		p.token = token{start: len(p.text), end: len(p.text)}
		return
	}
	n := p.newNode()
	p.values = append(p.values, n)
	switch {
	case f.node.Kind == Array || p.name(n):
		p.value(n)
	case p.token.kind != ',': // the missing comma need not be reported too
		f.wantComma = false
		p.gap = p.last
	}
}

// name parses the name of a member and the colon, and reports whether a value follows.
func (p *parser) name(n *Node) bool {
	t := p.token
	switch t.kind {
	case tokenKind(String), quoted:
		n.Key = p.said(t)
	case ':', '{', '[':
		p.fail(NameExpected)
		if t.kind == ':' {
			p.next()
		}
		return true
	case word:
		p.fail(InvalidSymbol)
		n.Key = p.text[t.start:t.end]
	default:
		p.fail(NameExpected)
		n.Key = p.text[t.start:t.end]
	}
	n.Name = Span{t.start, t.end}
	p.next()
	switch colon := p.token; {
	case colon.kind == ':':
		p.next()
		return true
	case t.kind != tokenKind(String) && t.kind != quoted: // already reported as wrong
		n.Start, n.End = p.last, p.last
		return false
	case colon.kind == word && (p.text[colon.start:colon.end] == "=" || p.text[colon.start:colon.end] == "=>"):
		p.fail(ColonExpected)
		p.next()
		return true
	}
	p.fail(ColonExpected)
	switch p.token.kind {
	case '{', '[', tokenKind(Number), 't', 'f', 'n':
		return true
	case tokenKind(String), quoted, word:
		if !p.token.newLine && p.peek().kind != ':' {
			return true
		}
	}
	n.Start, n.End = p.last, p.last
	return false
}

// said returns the decoded text of a string in any quotes.
func (p *parser) said(t token) string {
	text := p.text[t.start:t.end]
	if t.kind == tokenKind(String) {
		return Unquote(text)
	}
	_, first := utf8.DecodeRuneInString(text)
	_, last := utf8.DecodeLastRuneInString(text)
	return text[first : len(text)-last]
}

// value parses a value, or opens an object or array.
func (p *parser) value(n *Node) {
	for p.token.kind == ':' {
		p.fail(ValueExpected)
		p.next()
	}
	t := p.token
	n.Start, n.End = t.start, t.end
	switch t.kind {
	case '{', '[':
		if len(p.stack) == MaxDepth {
			p.fail(TooDeep)
			p.skip(n)
			return
		}
		n.Kind = Kind(t.kind)
		p.stack = append(p.stack, frame{node: n, first: len(p.values)})
		p.gap = t.end
	case tokenKind(String), tokenKind(Number), 't', 'f', 'n':
		n.Kind = Kind(t.kind)
	case quoted:
	case word:
		p.bare(n)
		return
	default: // a comma, a closing bracket, or the end
		p.fail(ValueExpected)
		if len(p.stack) == 0 { // there is no value; the text ends with a wrong bracket
			p.next()
			return
		}
		n.Start, n.End = p.last, p.last
		return
	}
	p.next()
}

// bare reads unquoted words, up to the end of the line or of the value.
func (p *parser) bare(n *Node) {
	code := InvalidSymbol
	if c := p.text[n.Start]; c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' {
		code = InvalidNumber
	}
	after := p.last
	for next := p.peek(); !next.newLine; next = p.peek() {
		switch next.kind {
		case word, tokenKind(Number), 't', 'f', 'n':
			p.next()
			n.End = p.token.end
			continue
		}
		break
	}
	if len(p.errors) < MaxErrors {
		p.errors = append(p.errors, Error{code, n.Start, n.End, after, -1})
	}
	p.next()
}

// skip skips an object or array.
func (p *parser) skip(n *Node) {
	for depth := 0; p.token.kind != endOfText; p.next() {
		switch p.token.kind {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		n.End = p.token.end
		if depth == 0 {
			p.next()
			return
		}
	}
}

// close ends the innermost object or array.
func (p *parser) close(end int) {
	last := len(p.stack) - 1
	f := p.stack[last]
	f.node.End = end
	f.node.Children = p.children(p.values[f.first:])
	p.values = p.values[:f.first]
	p.stack = p.stack[:last]
}

func (p *parser) invalidUTF8() {
	for at, r := range p.text {
		if r == utf8.RuneError && !strings.HasPrefix(p.text[at:], "\ufffd") {
			p.failAt(InvalidUTF8, at, at+1, -1)
		}
	}
}
