package toolbox

import (
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

// filledIn returns the server whose template matches a URI. When several match, the one with the longest fixed beginning
// counts. Templates that begin with a variable are ignored, since they would match any URI.
func (m *Manager) filledIn(templates []Listed, uri string) (server ServerID, ok bool) {
	best := 0
	compared := map[ServerID]int{}
	for _, one := range templates {
		fixed, _, _ := strings.Cut(one.Item.Name, "{")
		if len(uri) > maxMatched || len(fixed) <= best || !strings.HasPrefix(uri, fixed) || compared[one.Server] == maxFilledIn {
			continue
		}
		compared[one.Server]++
		matches, err := matchTemplate(one.Item.Name, uri)
		if err != nil {
			if l := m.linkOf(one.Server); l != nil {
				l.badTemplate.Do(func() {
					l.journal.say(words.New("toolbox.template_unusable", "Template", one.Item.Name[:min(len(one.Item.Name), 200)], "Why", err))
				})
			}
		}
		if matches {
			best, server = len(fixed), one.Server
		}
	}
	return server, best > 0
}

// matchTemplate reports whether a URI can be made from a template.
func matchTemplate(text, uri string) (matches bool, err error) {
	if len(text) > maxTemplate || strings.Count(text, "{")+strings.Count(text, ",") > maxVariables {
		return false, words.NewError("toolbox.template_too_large", "Bytes", maxTemplate, "Variables", maxVariables)
	}
	defer func() {
		if recover() != nil { // the library panics when it cannot make a regular expression
			matches, err = false, words.NewError("toolbox.template_unreadable")
		}
	}()
	template, err := uritemplate.New(text)
	if err != nil {
		return false, err
	}
	return template.Regexp().MatchString(uri), nil
}
