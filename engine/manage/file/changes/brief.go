package changes

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/approval"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// The limits of [Brief].
const (
	mostBriefLines   = 2
	mostBriefLetters = 120 // in all of its lines together
)

// Brief returns the lines of [Difference] that are not the same, for a place with little room. A changed value
// is one line: "name: old → new". Brief returns nil if a person could not decide by these lines alone:
//   - another program did not write the entry, but it waits for another reason;
//   - there are too many lines or letters;
//   - there are warnings that are loud, or that the old entry did not have;
//   - a line could be mistaken for another one, or its value is masked;
//   - something else has changed than what runs, its arguments, variables and headers, such as the folder or a switch;
//   - the command or the address has changed, and gets values that are not in the lines, such as a token.
func Brief(w approval.Waiting) []string {
	loud, quiet := warnings(w.Server)
	_, known := warnings(w.Old)
	fresh := func(text words.Text) bool { return !slices.ContainsFunc(known, text.Equal) }
	if w.Why != approval.Elsewhere || len(loud) > 0 || slices.ContainsFunc(quiet, fresh) {
		return nil
	}
	m := newMarker()
	before, after := m.lines(w.Old), m.lines(w.Server)
	var brief []string
	letters, someSame, otherTarget := 0, false, false
	for _, name := range names(after, before) {
		was, is := values(before, name), values(after, name)
		text := ""
		switch {
		case len(was) > 1 || len(is) > 1:
			return nil
		case !slices.Equal(was, is) && !brieflyShown(name):
			return nil
		case len(was) == 0:
			text = "+ " + name + ": " + is[0]
		case len(is) == 0:
			text = "- " + name + ": " + was[0]
		case was[0] == is[0]:
			someSame = true
			continue
		default:
			text = name + ": " + was[0] + " → " + is[0]
			otherTarget = otherTarget || name == "url" || name == "command"
		}
		if letters += utf8.RuneCountInString(text); len(brief) == mostBriefLines || letters > mostBriefLetters ||
			!plainName(name) ||
			slices.ContainsFunc(slices.Concat(was, is), func(value string) bool { return !plainValue(value) }) {
			return nil
		}
		brief = append(brief, text)
	}
	if otherTarget && someSame {
		return nil
	}
	return brief
}

// names returns the names of lines, each once.
func names(all ...[]line) []string {
	var list []string
	for _, l := range slices.Concat(all...) {
		if !slices.Contains(list, l.name) {
			list = append(list, l.name)
		}
	}
	return list
}

// values returns the values of the lines with a name.
func values(lines []line, name string) []string {
	var list []string
	for _, l := range lines {
		if l.name == name {
			list = append(list, l.value)
		}
	}
	return list
}

// plainName reports whether a name cannot be mistaken for a name with a value.
func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-.[]", r))
	})
}

// brieflyShown reports whether a change of a field can be judged by its value alone. What a folder contains and what a
// switch protects, the value does not say.
func brieflyShown(name string) bool {
	root, _, _ := strings.Cut(strings.ReplaceAll(name, "[", "."), ".")
	return slices.Contains([]string{"command", "args", "url", "env", "headers"}, root)
}

// plainValue reports whether a value is shown whole and cannot be mistaken for another one. Letters of other alphabets
// may look like ASCII or change the direction of writing, and some desktops draw several blanks as one.
func plainValue(value string) bool {
	return !strings.Contains(value, secret.Masked) && !strings.Contains(value, "  ") &&
		!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' })
}
