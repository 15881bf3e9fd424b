package toolbox

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// A template becomes a regular expression, which a server could make as costly as it likes.
const (
	maxTemplate  = 1 << 10 // bytes
	maxVariables = 32
	maxFilledIn  = 50      // templates of one server that a URI is compared with
	maxMatched   = 2 << 10 // bytes of the URI
)

// filledIn returns the servers that have a template from which a URI can be made. A server that cannot have meant the URI
// literally counts only if there is no other: many write "file:///{path}" and mean a path of several parts. Templates that
// begin with a variable are ignored, since they would match any URI.
func (m *Manager) filledIn(templates []Listed, uri string) (servers []ServerID) {
	var exact, roughly []ServerID
	compared := map[ServerID]int{}
	for _, one := range templates {
		fixed, _, _ := strings.Cut(one.Item.Name, "{")
		if len(uri) > maxMatched || !strings.Contains(fixed, ":") || !strings.HasPrefix(uri, fixed) || compared[one.Server] == maxFilledIn {
			continue
		}
		compared[one.Server]++
		matches, nearly, err := matchTemplate(one.Item.Name, uri)
		switch {
		case err != nil:
			if l := m.linkOf(one.Server); l != nil {
				l.said.template.Do(func() {
					l.journal.say(words.New("toolbox.template_unusable", "Template", one.Item.Name[:min(len(one.Item.Name), 200)], "Why", err))
				})
			}
		case matches && !slices.Contains(exact, one.Server):
			exact = append(exact, one.Server)
		case nearly && !slices.Contains(roughly, one.Server):
			roughly = append(roughly, one.Server)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return roughly
}

// matchTemplate reports whether a URI can be made from a template (RFC 6570). A value may have characters that should be
// escaped, since not all clients do so. nearly reports whether it could if a value might contain anything.
func matchTemplate(text, uri string) (matches, nearly bool, err error) {
	if len(text) > maxTemplate || strings.Count(text, "{")+strings.Count(text, ",") > maxVariables {
		return false, false, words.NewError("toolbox.template_too_large", "Bytes", maxTemplate, "Variables", maxVariables)
	}
	if _, err := uritemplate.New(text); err != nil {
		return false, false, err
	}
	exact, rough := "(?s)^", "(?s)^"
	for text != "" {
		literal, rest, _ := strings.Cut(text, "{")
		expression, after, found := strings.Cut(rest, "}")
		exact += regexp.QuoteMeta(literal)
		rough += regexp.QuoteMeta(literal)
		if found {
			exact += pattern(expression)
			rough += ".*"
		}
		text = after
	}
	for i, expression := range []string{exact, rough} {
		compiled, err := regexp.Compile(expression + "$")
		if err != nil {
			return false, false, words.NewError("toolbox.template_unreadable")
		}
		if compiled.MatchString(uri) {
			return i == 0, true, nil
		}
	}
	return false, false, nil
}

// pattern returns a regular expression for the values of an expression of a template, which is not empty.
func pattern(expression string) string {
	several := strings.Contains(expression, "*") // values may be lists, which some servers take for paths
	switch expression[0] {
	case '+':
		return ".*"
	case '#':
		return "(?:#.*)?"
	case '/':
		return "(?:/[^?#]*)?"
	case '?':
		return `(?:\?[^#]*)?`
	case '&':
		return "(?:&[^#]*)?"
	case '.', ';':
		return "(?:" + regexp.QuoteMeta(expression[:1]) + "[^/?#]*)?"
	}
	if several {
		return "[^?#]*"
	}
	return "[^/?#]*"
}
