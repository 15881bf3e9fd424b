package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

var (
	// opensJSON matches the beginning of JSON, after comments.
	opensJSON = lazyregexp.New(`^(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*[{"'“‘]|^\s*\[\s*[{"\]]`)

	// opensMember matches the beginning of a member without braces around it. Its name may lack quotes.
	opensMember = lazyregexp.New(`^(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*(?:["'“][^"'“”\n]*["'”]|[A-Za-z_][A-Za-z0-9_.-]*)\s*:\s*[{\["]`)
)

// json recognises JSON, also with comments, without the braces around it, or with mistakes that can be
// repaired.
func (p *parser) json(text string) bool {
	member := opensMember.MatchString(text)
	if !member && !opensJSON.MatchString(text) {
		return false
	}
	n, rest, done, ok := p.readJSON(text, member)
	if !ok {
		p.refuse(words.New("foreign.json_unreadable", "Why", whatIsWrong(text)), words.New("foreign.hint_json"))
		return false
	}
	if !p.servers(n) {
		return p.objects(rest)
	}
	for _, title := range done {
		p.say(words.New("foreign.repaired", "What", title))
	}
	p.objects(rest)
	return true
}

// readJSON reads one JSON value from a text. rest is the text after it, such as the next sentence of a page, if
// it keeps the value from being read.
func (p *parser) readJSON(text string, member bool) (n *jsonc.Node, rest string, done []words.Text, ok bool) {
	var tries []string
	if member {
		tries = append(tries, "{"+strings.TrimRight(text, ", \t\n")+"\n}", "{"+text)
	}
	tries = append(tries, text)
	if without := ellipsis.ReplaceAllString(text, ""); without != text {
		tries = append(tries, without)
	}
	if without := strings.ReplaceAll(text, "\\\n", ""); without != text { // JSON5 allows texts with line ends
		tries = append(tries, without)
	}
	if straight := straighten(text); straight != text {
		if member {
			tries = append(tries, "{"+strings.TrimRight(straight, ", \t\n")+"\n}")
		}
		tries = append(tries, straight)
	}
	for _, try := range tries {
		if n, ok := parseJSON(try); ok {
			if strings.ContainsAny(text, "“”„«»‘’") && !strings.ContainsAny(try, "“”„«»‘’") {
				done = []words.Text{words.New("foreign.straighten")}
			}
			return n, "", done, true
		}
	}
	if end := closing(text); end > 0 && end < len(text) {
		if n, ok := parseJSON(text[:end]); ok {
			return n, text[end:], nil, true
		}
	}
	if straight := straighten(text); straight != text {
		tries = append([]string{straight}, tries...)
	}
	for _, try := range tries {
		if n, done, ok := p.repairJSON(try); ok && (n.Kind == jsonc.Object || n.Kind == jsonc.Array) {
			return n, "", done, true
		}
	}
	return nil, "", nil, false
}

// ellipsis matches a line that only stands for omitted text.
var ellipsis = lazyregexp.New(`(?m)^[ \t]*(?:\.{3}|…)[^"{}\n]*$`)

// closing returns where the first object or array of a text ends; 0 if there is none or it is not closed.
func closing(text string) int {
	start := max(strings.IndexAny(text, "{["), 0)
	d := jsonc.Parse([]byte(text[start:]))
	open := func(err jsonc.Error) bool { return err.Code == jsonc.CloseExpected && err.Start == len(text)-start }
	if d.Root == nil || d.Root.Kind != jsonc.Object && d.Root.Kind != jsonc.Array || slices.ContainsFunc(d.Errors, open) {
		return 0
	}
	return start + d.Root.End
}

// maxObjects is how many JSON objects between other text are read.
const maxObjects = 20

// objects reads the JSON objects in a text, whatever is between them.
func (p *parser) objects(text string) (found bool) {
	for range maxObjects {
		start := strings.IndexByte(text, '{')
		if start < 0 {
			break
		}
		from := start
		// The name before the brace, as in "github": {…}, is needed too.
		if before := memberBefore.FindStringIndex(text[:start]); before != nil {
			from = before[0]
		}
		part := text[from:]
		end := closing(part)
		if end == 0 {
			end = len(part)
		}
		reason := p.reason
		if p.json(part[:end]) {
			found = true
		} else if reason != nil {
			p.reason = reason
		}
		text = part[end:]
	}
	return found
}

// embedded finds JSON and addresses in the middle of other text.
func (p *parser) embedded(text string) bool {
	if p.objects(ofPython(text)) {
		return true
	}
	for _, m := range inlineCode.FindAllStringSubmatch(text, 50) {
		if argv := split(m[1]); len(argv) > 1 && isProgram(argv[0]) || len(argv) > 3 && argv[1] == "mcp" {
			p.commands(m[1])
		}
	}
	for _, m := range commandInText.FindAllStringSubmatch(text, 20) {
		if len(p.entries) == 0 {
			p.commands(strings.TrimRight(m[1], ".,;:!?) "))
		}
	}
	return len(p.entries) > 0 || readInstallLinks(p, text) || readAddresses(p, text)
}

var (
	inlineCode = lazyregexp.New("`([^`\n]{3,500})`")

	// commandInText matches a command in the middle of a sentence.
	commandInText = lazyregexp.New(
		"(?m)(?:^|[\\s:>(])((?:npx|uvx|bunx|pnpx|pipx run|docker run|claude mcp add|codex mcp add|gemini mcp " +
			"add)\\s+[^\n`]{3,500})")
)

var memberBefore = lazyregexp.New(`"[^"\n]{1,100}"\s*:\s*$`)

// ofPython writes what only Python has in its objects as JSON has it: comments, texts with variables, and variables of
// the environment.
func ofPython(text string) string {
	if !pythonCode.MatchString(text) {
		return text
	}
	text = pythonComment.ReplaceAllString(text, "")
	text = pythonVariable.ReplaceAllString(text, `"$${${1}}"`)
	return pythonFormat.ReplaceAllStringFunc(text, func(found string) string {
		before, quoted, _ := strings.Cut(found, "f")
		return before + inFormat.ReplaceAllString(quoted, "<$1>")
	})
}

var (
	pythonCode     = lazyregexp.New(`(?m)^(?:from|import)\s+\w|^\s*\w+\s*=\s*(?:await\s+)?\w+\(`)
	pythonComment  = lazyregexp.New(`(?m)^[ \t]*#.*$`)
	pythonVariable = lazyregexp.New(`os\.(?:environ\[|environ\.get\(|getenv\()["'](\w+)["'](?:,[^)\]\n]*)?[\])]`)
	pythonFormat   = lazyregexp.New(`[:\[,(]\s*f(?:"[^"\n]*"|'[^'\n]*')`)
	inFormat       = lazyregexp.New(`\{([A-Za-z_]\w*)\}`)
)
