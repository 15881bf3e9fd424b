package pin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Mark is a place in a definition with words that may be meant to steer a model. It is only a warning.
type Mark struct {
	Code words.Code
	// Where is the place, such as "inputSchema.properties.path.description".
	Where string
	// Excerpt is the text at that place, on one line, with hidden characters made visible. For a name it is
	// the name.
	Excerpt string
	// Other is the name of the tool that a name imitates.
	Other string
}

// The kinds of marks.
const (
	MarkHidden   = words.Code("pin.hidden")   // invisible characters
	MarkReads    = words.Code("pin.reads")    // tells the model to read files that have nothing to do with it
	MarkConceals = words.Code("pin.conceals") // tells the model to hide something from the user
	// tells the model to ignore its instructions, or claims to be somebody else
	MarkOverrides = words.Code("pin.overrides")
	MarkImitates  = words.Code("pin.imitates") // a name that looks like that of another server's tool
	MarkTooLong   = words.Code("pin.too_long") // not all of it was searched
)

// Text returns a sentence for people.
func (m Mark) Text() words.Text {
	switch m.Code {
	case MarkHidden:
		return words.New("pin.hidden", "Where", m.Where, "Excerpt", m.Excerpt)
	case MarkReads:
		return words.New("pin.reads", "Where", m.Where, "Excerpt", m.Excerpt)
	case MarkConceals:
		return words.New("pin.conceals", "Where", m.Where, "Excerpt", m.Excerpt)
	case MarkOverrides:
		return words.New("pin.overrides", "Where", m.Where, "Excerpt", m.Excerpt)
	case MarkTooLong:
		return words.New("pin.too_long", "Where", m.Where)
	}
	return words.New("pin.imitates", "Name", m.Excerpt, "Other", m.Other)
}

// Limits for one definition.
const (
	maxMarks   = 10
	maxLooked  = 64 << 10 // bytes that are searched
	maxWhere   = 200
	maxExcerpt = 160
	around     = 40 // bytes before and after the match
)

// sentence is a pattern for words that no tool needs.
type sentence struct {
	code words.Code
	// needs are short texts in lower case: every text that the pattern matches contains one text of each
	// list. Searching for these is many times faster than the pattern.
	needs   [][]string
	pattern *lazyregexp.Regexp
}

// find searches a text for the sentence; small is the text in lower case.
func (s sentence) find(text, small string) []int {
	for _, parts := range s.needs {
		if !slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(small, part) }) {
			return nil
		}
	}
	return s.pattern.FindStringIndex(text)
}

var people = []string{"user", "human", "person", "people", "operator"}

// sentences are searched in this order. They are about what the model is told to do; a tool may well say that
// it reads files, or that something is not shown.
var sentences = []sentence{
	{MarkConceals, [][]string{{"not ", "n't", "n’t", "never", "without", "avoid", "refrain"}, people},
		lazyregexp.New(`(?i)\b(?:do\s+not|don['’]?t|never|must\s+not|should\s+not|without|avoid|refrain\s+from)\s+(?:ever\s+)?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|show(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?)\b[^.\n]{0,60}?\b(?:the\s+)?(?:users?|humans?|person|people|operator)\b`)},
	{MarkConceals, [][]string{{"from the "}, people},
		lazyregexp.New(`(?i)\b(?:hide|conceal|keep|withhold)\b[^.\n]{0,50}?\b(?:secret\s+)?from\s+the\s+(?:user|human|person|operator)\b`)},
	{MarkConceals, [][]string{{"not ", "n't", "n’t", "never"}, {"user", "human"}},
		lazyregexp.New(`(?i)\b(?:the\s+)?(?:user|human)s?\s+(?:must|should|need|may|does|do|can)\s*(?:not|n['’]t|never)\s+(?:to\s+)?(?:know|see|notice|learn|find\s+out|be\s+(?:told|informed|aware|notified))\b`)},
	{MarkConceals, [][]string{{"silently", "secretly", "covertly"}},
		lazyregexp.New(`(?i)\b(?:silently|secretly|covertly)\s+(?:send|read|upload|copy|forward|include|append|add|pass|call|collect|leak|post)\b`)},
	{MarkConceals, [][]string{{"nutzer", "anwender"}},
		lazyregexp.New(`(?i)\b(?:sage|erzähle?|verrate?|erwähne)\b[^.\n]{0,40}\b(?:nutzer|benutzer|anwender)\w*\b[^.\n]{0,20}\b(?:nicht|nichts)\b`)},
	{MarkReads, [][]string{{"~/.", "$home", "%userprofile", "/etc/", "id_rsa", "id_ed25519", "id_ecdsa", ".ssh", ".aws",
		".gnupg", ".netrc", ".npmrc", ".kube", "mcp.json", "claude_desktop_config", "workbench-config", "_history"}},
		lazyregexp.New(`(?i)\b(?:read|open|cat|load|fetch|include|pass|send|attach|copy|upload|provide|access|get)\b[^\n]{0,80}?(?:~/\.|\$HOME/\.|%USERPROFILE%|/etc/(?:passwd|shadow)|\bid_(?:rsa|ed25519|ecdsa)\b|\.ssh\b|\.aws/|\.gnupg\b|\.netrc\b|\.npmrc\b|\.kube/config|\bmcp\.json\b|\bclaude_desktop_config\.json\b|\bworkbench-config\.json\b|\.bash_history\b|\.zsh_history\b)`)},
	{MarkReads, [][]string{{"file", ".env"}, {"content", " it", "them", "text"},
		{"before", "first", "prior", "whenever", "always", "must"}},
		lazyregexp.New(`(?i)\b(?:before|first|prior\s+to|whenever|always|must)\b[^\n]{0,60}?\b(?:read|open|cat|load)\b[^.\n]{0,40}?(?:\bfile\b|\.env\b)[^\n]{0,80}?\b(?:pass|send|include|put|provide|add|attach)\b[^.\n]{0,40}?\b(?:content|contents|it|them|text)\b`)},
	{MarkReads, [][]string{{"whole", "entire", "full", "complete", "previous"},
		{"conversation", "chat", "system", "context", "message"}},
		lazyregexp.New(`(?i)\b(?:pass|send|include|put|provide|add|attach|append)\b[^.\n]{0,50}?\b(?:the\s+)?(?:whole|entire|full|complete|previous)\s+(?:conversation|chat|system\s+prompt|context\s+window|message\s+history)`)},
	{MarkOverrides, [][]string{{"ignore", "disregard", "forget", "override"}},
		lazyregexp.New(`(?i)\b(?:ignore|disregard|forget|override)\b[^.\n]{0,20}?\b(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|earlier|above|preceding|other|system)\s+(?:instructions?|prompts?|rules?|messages?|guidelines)\b`)},
	{MarkOverrides, [][]string{{"<", "inst]"}},
		lazyregexp.New(`(?i)<\s*/?\s*(?:system|important|instructions?|secret|admin)\s*>|<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?INST\]`)},
	{MarkOverrides, [][]string{{"instead", "rather"}},
		lazyregexp.New(`(?i)\b(?:instead\s+of|rather\s+than)\s+(?:using|calling)\s+(?:the\s+)?(?:other|any\s+other)\s+(?:server|tool)s?['’]?\b`)},
}

// negated matches the end of a text that asks for the opposite: never to do something without telling the
// user.
var negated = lazyregexp.New(`(?i)(?:\b(?:never|not)\b|n['’]t\b)[^.\n]*\bwithout\s+\w+ing\s[^.\n]*$`)

// Marks returns the places in a tool's definition with words that may be meant to steer a model, at most ten.
// names has the tools of other servers; it may be nil.
func Marks(tool Definition, names *Names) []Mark {
	m := marker{left: maxLooked}
	if other, ok := names.imitated(tool.Name); ok {
		m.add(Mark{Code: MarkImitates, Where: "name", Excerpt: line(tool.Name, maxExcerpt), Other: line(other, maxExcerpt)})
	}
	members := jsonrpc.Split(tool.Raw)
	// What models are most likely to read comes first.
	slices.SortStableFunc(members, func(a, b jsonrpc.Member) int { return cmp.Compare(rank(a.Name), rank(b.Name)) })
	for _, member := range members {
		if rank(member.Name) == len(format1Members) {
			m.text(member.Name, member.Name)
		}
		m.value(member.Name, member.Value)
	}
	return m.marks
}

// rank returns the place of a member in the order in which members are searched.
func rank(member string) int {
	if at := slices.Index(format1Members[:], member); at >= 0 {
		return at
	}
	return len(format1Members)
}

// Budget limits how much of one list is searched by [Marks], in bytes. A list may have 16 MiB. Definitions
// beyond it have the mark [Unsearched].
const Budget = 1 << 20

// Unsearched is the mark of a definition that was not searched at all.
func Unsearched() Mark { return Mark{Code: MarkTooLong, Where: "name"} }

type marker struct {
	marks []Mark
	left  int  // the bytes left to search
	cut   bool // not all was searched
}

func (m *marker) add(mark Mark) {
	if len(m.marks) < maxMarks {
		mark.Where = line(mark.Where, maxWhere)
		m.marks = append(m.marks, mark)
	}
}

// value searches all strings of a value, including the names of members.
func (m *marker) value(where string, value json.RawMessage) {
	if m.left <= 0 {
		m.tooLong(where)
		return
	}
	if len(value) == 0 || len(m.marks) >= maxMarks {
		return
	}
	switch value[0] {
	case '"':
		if text, ok := jsonrpc.String(value); ok {
			m.text(where, text)
		}
	case '{':
		for _, member := range jsonrpc.Split(value) {
			inside := where + "." + member.Name
			m.text(inside, member.Name)
			m.value(inside, member.Value)
		}
	case '[':
		i := 0
		for element := range jsonrpc.Batch(value) {
			m.value(where+"["+strconv.Itoa(i)+"]", element)
			i++
		}
	}
}

// tooLong adds, once, that the rest is not searched.
func (m *marker) tooLong(where string) {
	if !m.cut {
		m.cut = true
		m.marks = append(m.marks[:min(len(m.marks), maxMarks-1)], Mark{Code: MarkTooLong, Where: line(where, maxWhere)})
	}
}

func (m *marker) text(where, text string) {
	if len(text) > m.left {
		m.tooLong(where)
	}
	text = text[:min(len(text), max(0, m.left))]
	m.left -= len(text)
	if shown, first := reveal(text); first != "" {
		at := strings.Index(shown, first)
		m.add(Mark{Code: MarkHidden, Where: where, Excerpt: excerpt(shown, at, at+len(first))})
		text = visible.Without(text) // a model ignores hidden characters in a word
	}
	if strings.IndexByte(text, ' ') < 0 && strings.IndexByte(text, '<') < 0 {
		return // a single word means nothing
	}
	told, small := map[words.Code]bool{}, strings.ToLower(text)
	for _, s := range sentences {
		if told[s.code] {
			continue
		}
		if found := s.find(text, small); found != nil && !negated.MatchString(text[max(0, found[0]-80):found[1]]) {
			told[s.code] = true
			m.add(Mark{Code: s.code, Where: where, Excerpt: excerpt(text, found[0], found[1])})
		}
	}
}

// excerpt returns a part of a text with some text around it.
func excerpt(text string, start, end int) string {
	from, to := max(0, start-around), min(len(text), end+around)
	for from > 0 && !utf8.RuneStart(text[from]) {
		from--
	}
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	part := line(text[from:to], maxExcerpt)
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return part
}

// line returns a text on one line, with no more than most characters, and with hidden characters made
// visible.
func line(text string, most int) string {
	text, _ = reveal(text)
	runes := []rune(visible.Line(text))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// flags matches the flags of regions, whose names are written in invisible characters. Longer names are not
// flags.
var flags = lazyregexp.New(`\x{1F3F4}[\x{E0020}-\x{E007E}]{1,6}\x{E007F}`)

// reveal returns a text with hidden characters made visible, and the replacement of the first. Characters
// that writing needs do not count: spaces, joiners in words and emoji, and direction marks in texts that are
// written from right to left.
func reveal(text string) (shown, first string) {
	if strings.Contains(text, "\U0001F3F4") {
		text = flags.ReplaceAllString(text, "\U0001F3F4")
	}
	rightToLeft := strings.ContainsFunc(text, func(r rune) bool {
		return r > 0x590 && unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana)
	})
	shown = visible.Map(text, func(r rune) string {
		switch {
		case unicode.IsSpace(r):
			return string(r)
		case rightToLeft && unicode.Is(unicode.Bidi_Control, r) && r != 0x202D &&
			r != 0x202E: // except the two that override the direction of all following text
			return ""
		}
		mark := visible.Number(r)
		if r > 0xE0020 && r < 0xE007F {
			mark = visible.Mark(string(r - 0xE0000)) // the hidden letter
		}
		first = cmp.Or(first, mark)
		return mark
	})
	return shown, first
}
