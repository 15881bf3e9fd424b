package clients

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonc"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/tojson"
)

// tomlSyntax is TOML. Its text is edited by lines, whose places come from go-toml.
type tomlSyntax struct{}

func (tomlSyntax) decode(text []byte) (map[string]any, error) {
	return decode(client.TOML, tojson.TOML, text)
}

// check does nothing: a repeated key is invalid TOML, which decode refuses.
func (tomlSyntax) check([]byte, []string, string) error { return nil }

// tomlLine is a table header, or a key with its value.
type tomlLine struct {
	key        []string // complete, including the key of the table
	header     bool
	start, end int // from the beginning of its first line to after its last line
	value      [2]int
}

func tomlLines(text []byte) ([]tomlLine, error) {
	var parser unstable.Parser
	parser.Reset(text)
	var lines []tomlLine
	var table []string
	for parser.NextExpression() {
		e := parser.Expression()
		var key []string
		first, last := -1, 0
		for it := e.Key(); it.Next(); {
			node := it.Node()
			key = append(key, string(node.Data))
			if first < 0 {
				first = int(node.Raw.Offset)
			}
			last = int(node.Raw.Offset + node.Raw.Length)
		}
		line := tomlLine{header: e.Kind != unstable.KeyValue, start: lineStart(text, first)}
		if line.header {
			table = key
			line.key, line.end = key, endOfLine(text, last)
		} else {
			end := int(e.Raw.Offset + e.Raw.Length)
			end = len(bytes.TrimRight(text[:end], " \t"))
			start := last + bytes.IndexByte(text[last:], '=') + 1
			start += len(text[start:]) - len(bytes.TrimLeft(text[start:], " \t"))
			line.key, line.value, line.end = append(slices.Clone(table), key...), [2]int{start, end}, endOfLine(text, end)
		}
		lines = append(lines, line)
	}
	return lines, parser.Error()
}

func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

// endOfLine returns the offset after the line that contains an offset.
func endOfLine(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

func (tomlSyntax) insert(text []byte, path []string, e entry) ([]byte, error) {
	nl := newline(text)
	var b strings.Builder
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString(nl)
		}
		if !blank(text) {
			b.WriteString(nl)
		}
	}
	b.WriteString("[" + strings.Join(append(path[:len(path):len(path)], e.name), ".") + "]" + nl)
	for _, field := range e.fields {
		b.WriteString(field.Name + " = " + inline(field.Value, tomlString) + nl)
	}
	return apply(text, jsonc.Change{Start: len(text), End: len(text), New: b.String()})
}

// tomlString writes a string. Windows paths are written in single quotes, as people write them.
func tomlString(text string) string {
	if strings.Contains(text, `\`) && !strings.ContainsRune(text, '\'') &&
		!strings.ContainsFunc(text, unicode.IsControl) {
		return "'" + text + "'"
	}
	return jsonc.Quote(text)
}

func (s tomlSyntax) update(text []byte, path []string, e entry) ([]byte, error) {
	lines, err := tomlLines(text)
	if err != nil {
		return nil, err
	}
	var changes []jsonc.Change
	for _, field := range e.slots {
		want := append(append(slices.Clone(path), e.name), field.Name)
		i := slices.IndexFunc(lines, func(l tomlLine) bool { return !l.header && slices.Equal(l.key, want) })
		if i < 0 { // the entry is written in another form
			without, err := s.remove(text, path, e.name, false)
			if err != nil {
				return nil, err
			}
			return s.insert(without, path, e)
		}
		changes = append(changes, jsonc.Change{Start: lines[i].value[0], End: lines[i].value[1],
			New: inline(field.Value, tomlString)})
	}
	return apply(text, changes...)
}

func (tomlSyntax) remove(text []byte, path []string, name string, _ bool) ([]byte, error) {
	lines, err := tomlLines(text)
	if err != nil {
		return nil, err
	}
	want := append(slices.Clone(path), name)
	var changes []jsonc.Change
	for i, line := range lines {
		if len(line.key) < len(want) || !slices.Equal(line.key[:len(want)], want) {
			continue
		}
		if n := len(changes); n > 0 && i > 0 && !line.header && changes[n-1].End == lines[i-1].end {
			changes[n-1].End = line.end // together with the comments between them
			continue
		}
		changes = append(changes, jsonc.Change{Start: line.start, End: line.end})
	}
	for i, s := range changes { // remove the empty line before it
		before := text[:s.Start]
		if rest, ok := bytes.CutSuffix(before, []byte("\n")); ok &&
			(s.End == len(text) || text[s.End] == '\n' || text[s.End] == '\r') {
			rest = bytes.TrimSuffix(rest, []byte("\r"))
			if len(rest) == 0 || rest[len(rest)-1] == '\n' {
				changes[i].Start = len(rest)
			}
		}
	}
	return apply(text, changes...)
}
