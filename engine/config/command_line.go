package config

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// splitCommand makes "command" and "args" of a command line in a string, unless there are arguments
// already.
func (d *diagnoser) splitCommand(object *hujson.Object, v *hujson.Value) []Change {
	if d.noFixes() || has(&hujson.Value{Value: object}, "args") {
		return nil
	}
	changes := splitWords(v.Value.(hujson.Literal), d.shift+v.StartOffset, `", "args": ["`)
	if len(changes) == 0 {
		return nil
	}
	end := d.shift + v.EndOffset
	return append(changes, Change{end, end, "]"})
}

// splitText makes an array of the words of a string, between two brackets. A path with spaces stays one.
func (d *diagnoser) splitText(v *hujson.Value, open, closing string) []Change {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || v.Value.Kind() != '"' || d.noFixes() {
		return nil
	}
	changes := d.enclose(v, open, closing)
	if text := decode(literal); strings.HasPrefix(text, "-") || !strings.ContainsAny(text, `/\`) {
		if strings.TrimSpace(text) != text {
			return nil
		}
		changes = append(changes, splitWords(literal, d.shift+v.StartOffset, `", "`)...)
	}
	return changes
}

// splitWords returns what has to be put into a string of the file, which begins at base, to make a
// string of each of its words, as a shell would split them: the first space becomes first, the
// others `", "`. It returns nothing when there is only one word or a quote is not closed.
func splitWords(literal hujson.Literal, base int, first string) []Change {
	text := literal[1 : len(literal)-1]
	base++
	var changes []Change
	quoted := byte(0)
	words := 1
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && text[i+1] == '"' && quoted != '\'':
			quoted ^= '"'
			changes = append(changes, Change{Start: base + i, End: base + i + 2})
			i += 2
		case c == '\\':
			i += max(1, escapeLength(text[i:]))
		case c == '\'' && quoted != '"':
			quoted ^= '\''
			changes = append(changes, Change{Start: base + i, End: base + i + 1})
			i++
		case c == ' ' && quoted == 0:
			n := len(text[i:]) - len(bytes.TrimLeft(text[i:], " "))
			between := `", "`
			if words == 1 {
				between = first
			}
			words++
			changes = append(changes, Change{base + i, base + i + n, between})
			i += n
		default:
			i++
		}
	}
	if quoted != 0 || words == 1 {
		return nil
	}
	return changes
}
