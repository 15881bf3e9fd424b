package toolbox

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yosida95/uritemplate/v3"
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
					l.journal.say("Its resource template '%.200s' cannot be compared with URIs: %v", one.Item.Name, err)
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
		return false, fmt.Errorf("it has more than %d bytes or %d variables", maxTemplate, maxVariables)
	}
	defer func() {
		if recover() != nil { // the library panics when it cannot make a regular expression
			matches, err = false, errors.New("it cannot be read")
		}
	}()
	template, err := uritemplate.New(text)
	if err != nil {
		return false, err
	}
	return template.Regexp().MatchString(uri), nil
}
