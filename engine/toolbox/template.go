package toolbox

import (
	"regexp"
	"strings"

	"github.com/yosida95/uritemplate/v3"

	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Limits on templates. A template becomes a regular expression, whose cost the server could choose.
const (
	maxTemplate  = 1 << 10 // bytes
	maxVariables = 32
	maxFilledIn  = 50      // templates of one server that are compared with a URI
	maxMatched   = 2 << 10 // bytes of the URI
)

// matchTemplate reports whether a URI can be made from a template (RFC 6570). Values may have characters that should
// be escaped, since not all clients escape them. nearly reports whether the URI matches if values may contain any
// characters.
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

// pattern returns a regular expression for the values of an expression, which is not empty.
func pattern(expression string) string {
	several := strings.Contains(expression, "*") // the value may be a list, which some servers use for paths
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
