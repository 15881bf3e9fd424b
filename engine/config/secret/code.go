package secret

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// InCode returns the parts of code that look secret, in order and without overlaps: tokens of a known form,
// passwords and parameters in addresses, and what is assigned to a telling name, as in "export X_TOKEN=…",
// "--token …" and "Authorization: Bearer …". What the code gets from elsewhere, as in X_TOKEN=$(…), is none.
//
// It is for lists, logs and files for others. What people read before they agree to it is shown whole; see
// [InCommand].
func InCode(code string) []Span {
	found := append(ofForm(code), inAddress(code)...)
	for at, tries := 0, 0; at < len(code) && tries < maxInCode; tries++ {
		m := assignedInCode.FindStringSubmatchIndex(code[at:])
		if m == nil {
			break
		}
		name, separator, start := code[at+m[2]:at+m[3]], code[at+m[3]:at+m[1]], at+m[1]
		named := code[:at+m[2]]
		at = start
		if strings.Trim(separator, " \t") == "" && !strings.HasPrefix(name, "-") && !sets(named) ||
			!tells(strings.TrimPrefix(name, "$env:")) {
			continue
		}
		span, certain := literalAt(code, start, separator)
		if value := code[span.Start:span.End]; certain && !harmless(name, value) && !fromElsewhere(value) {
			found = append(found, span)
			at = max(at, span.End)
		}
	}
	for _, m := range userOfCurl.FindAllStringSubmatchIndex(code, maxInCode) {
		if !fromElsewhere(code[m[2]:m[3]]) {
			found = append(found, Span{m[2], m[3]})
		}
	}
	return merge(found)
}

// userOfCurl matches a user and a password for curl.
var userOfCurl = lazyregexp.New(
	`\bcurl\b[^|;&\n]{0,500}?[ \t](?:-u|--user)[ \t=]*["']?[^\s:"']{1,100}:([^\s"']{1,200})`)

// sets reports whether code ends with a command that sets a variable whose name and value follow: setx, csh's setenv
// and fish's set -x.
func sets(code string) bool { return setsNext.MatchString(code[max(0, len(code)-maxSets):]) }

// maxSets is how long such a command with its flags may be.
const maxSets = 40

var setsNext = lazyregexp.New(`(?:^|[\s;&|({"'])(?i:setx|setenv|set(?:[ \t]+-[a-z-]+)+)[ \t]+$`)

// maxInCode is how many names are looked at in one piece of code.
const maxInCode = 10_000

// assignedInCode matches a name and what separates it from a value: a sign, perhaps after a quote or a
// bracket, or only a space.
var assignedInCode = lazyregexp.New(
	`(--?[A-Za-z][A-Za-z0-9_.-]*|(?:\$env:)?[A-Za-z_][A-Za-z0-9_.-]*)(?:["']?\]?[ \t]*[:=][ \t]*|[ \t]+)`)

// NameAt returns the name to which a text assigns the value at an offset: X_TOKEN of "export X_TOKEN=…", Authorization
// of "Authorization: Bearer …", --token of "--token …"; "" if there is none.
func NameAt(text string, at int) string {
	text = text[max(0, at-maxBefore):at]
	m := assignedBefore.FindStringSubmatchIndex(text)
	// the user in an address
	if m == nil || m[4] == m[5] && text[m[2]] != '-' && !sets(text[:m[2]]) || m[2] > 0 && text[m[2]-1] == '/' {
		return ""
	}
	return strings.TrimPrefix(text[m[2]:m[3]], "$env:")
}

// maxBefore is how many bytes before a value are searched for its name.
const maxBefore = 200

// assignedBefore matches a name and what separates it from the value that follows.
var assignedBefore = lazyregexp.New(
	`(--?[A-Za-z][A-Za-z0-9_.-]*|(?:\$env:)?[A-Za-z_][A-Za-z0-9_.-]*)["']?\]?[ \t]*([:=]?)[ \t]*["']?(?:(?i:bearer|basic|token|apikey)[ \t]+)?$`)

// literalAt returns the value at an offset in code: the text in quotes, or a word. certain is false if a word
// may be something else than a text.
func literalAt(code string, at int, separator string) (span Span, certain bool) {
	quote := byte(0)
	if at < len(code) && (code[at] == '"' || code[at] == '\'') {
		quote = code[at]
		at++
	}
	at += len(scheme.FindString(code[at:]))
	end := at
	for end < len(code) {
		c := code[end]
		if quote != 0 && (c == quote || c == '\n') || quote == 0 && strings.IndexByte(" \t\r\n;&|<>()\"'`,}", c) >= 0 {
			break
		}
		if c == '\\' && end+1 < len(code) {
			end++
		}
		end++
	}
	span = Span{at, min(end, len(code))}
	switch {
	case quote != 0:
		return span, true
	case span.End < len(code) && (code[span.End] == '(' || code[span.End] == '`'):
		return span, false // a call
	}
	// In languages other than those of shells, a word after a sign with spaces is a variable.
	spaced := strings.ContainsAny(separator, ":=") && strings.ContainsAny(separator, " \t") &&
		!strings.Contains(separator, ":")
	return span, !spaced
}

// fromElsewhere reports whether a value in code is not the secret itself, but where the code gets it.
func fromElsewhere(value string) bool {
	for _, beginning := range []string{"$", "`", "<", "process.", "os.", "import.", "Deno.", "ENV["} {
		if strings.HasPrefix(value, beginning) {
			return true
		}
	}
	return len(value) > 1 && value[0] == '%' && value[len(value)-1] == '%'
}
