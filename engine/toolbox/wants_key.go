package toolbox

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

var (
	// variableName matches the name of an environment variable with at least two words.
	variableName = lazyregexp.New(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)

	// lacking matches messages of servers about a missing value.
	lacking = lazyregexp.New(`(?i)\b(?:requires?d?|missing|not (?:been )?(?:set|provided|configured|found|defined)|undefined|` +
		`empty|unset|must be|(?:please )?(?:set|provide|specify|configure|export)|need(?:s|ed)?|no|invalid|expired)\b`)

	// keyWord matches words for a key.
	keyWord = lazyregexp.New(`(?i)\b(?:api|access|auth|secret|private)[ _-]?keys?\b|\btokens?\b|\bcredentials?\b|\bpassword\b`)

	// parsing matches messages of parsers, in which a token is not a key.
	parsing = lazyregexp.New(`(?i)syntax ?error|unexpected token|\bjson\b|\bparse`)

	// refused matches messages of services that do not accept a key.
	refused = lazyregexp.New(`(?i)\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot authenticated\b|\bauthentication (?:failed|` +
		`required)|\b(?:status|code|http|error)(?: code)?[ :=]+401\b|\b401 `)
)

// wantsKey reports whether the last output of a server says that a key is missing or wrong. name is the variable for
// the key, if the output or the entry names one.
func wantsKey(entry *config.Server, wrote string) (name string, wants bool) {
	if entry.URL != "" || wrote == "" {
		return "", false
	}
	for _, line := range strings.Split(wrote, " | ") {
		if !lacking.MatchString(line) || parsing.MatchString(line) {
			continue
		}
		for _, own := range entry.Env {
			if mentions(line, own.Name) {
				return own.Name, true
			}
		}
		for _, found := range variableName.FindAllString(line, -1) {
			if secret.Key(found) {
				return found, true
			}
		}
		wants = wants || keyWord.MatchString(line)
	}
	if !wants && !refused.MatchString(wrote) {
		return "", false
	}
	of := func(which func(config.Variable) bool) string {
		if i := slices.IndexFunc(entry.Env, which); i >= 0 {
			return entry.Env[i].Name
		}
		return ""
	}
	name = of(func(v config.Variable) bool { return secret.Key(v.Name) && strings.TrimSpace(v.Value) == "" })
	if name == "" {
		name = of(func(v config.Variable) bool { return secret.Key(v.Name) })
	}
	return name, true
}
