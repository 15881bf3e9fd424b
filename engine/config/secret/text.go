package secret

import (
	"cmp"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Span is a part of a text, from byte Start up to End.
type Span struct {
	Start, End int
}

// tokenForms matches the tokens of well-known services. Each has a prefix with which hardly anything else
// begins, so that it can be used on any text.
const tokenForms = `\b[sr]k-[A-Za-z0-9_-]{16,}|` + // OpenAI, Anthropic, OpenRouter and many more
	`\b(?:sk|rk|pk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}|` + // Stripe, Clerk
	`\bgh[a-z]_[A-Za-z0-9]{16,}|` + // GitHub
	`\bgithub_pat_[A-Za-z0-9_]{20,}|` +
	`\bgl[a-z]{2,5}-[A-Za-z0-9_.-]{16,}|` + // GitLab
	`\bxox[a-z]-[A-Za-z0-9-]{8,}|` + // Slack
	`\bxapp-[A-Za-z0-9-]{16,}|` +
	`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}|` + // AWS
	`\bAIza[A-Za-z0-9_-]{30,}|` + // Google
	`\bya29\.[A-Za-z0-9_-]{16,}|` +
	`\bGOCSPX-[A-Za-z0-9_-]{16,}|` +
	`\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){0,4}|` + // JSON Web Tokens
	`\b(?:npm|hf|gsk|ntn|figd|dp\.st|dop_v1|doo_v1|shpat|shpss|lin_api|dckr_pat|secret|pul|r8|phx|phc|sbp|sntrys|glsa|ATCTT3x|re|tfp)_[A-Za-z0-9_.=-]{16,}|` +
	`\b(?:pypi|xai|tvly|fc|pplx|ATATT3x|nvapi|jina|csk|dapi|atlasv1|pat|pk|key|tok)-[A-Za-z0-9_=-]{20,}|` +
	`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|` + // SendGrid
	`\bAGE-SECRET-KEY-[A-Z0-9]{16,}|` +
	`\b[0-9]{8,10}:[A-Za-z0-9_-]{35}\b|` + // Telegram
	`-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*|` +
	`\b(?i:bearer|basic) [A-Za-z0-9._~+/-]{12,}=*` // an Authorization header

var tokens = lazyregexp.New(`^(?:` + tokenForms + `)`)

// shortest is less than the length of any token.
const shortest = 10

// ofForm returns the places of tokens of a known form.
func ofForm(text string) []Span {
	if len(text) < shortest { // most values are shorter, and the pattern is slow
		return nil
	}
	var found []Span
	for at := 0; at+shortest <= len(text); at++ {
		if !begins(text, at) {
			continue
		}
		if m := tokens.FindStringIndex(text[at:]); m != nil {
			found = append(found, Span{at, at + m[1]})
			at += m[1] - 1
		}
	}
	return found
}

// beginnings are the first two letters of all tokens. The pattern is slow, so it is tried only where a word
// begins with one of them.
const beginnings = "sk rk pk wh gh gi gl xo xa AK AS AB AC AI ya GO ey np hf gs nt fi dp do sh li dc se pu r8 ph " +
	"sb sn AT re tf py tv fc pp nv ji cs da at pa ke to SG AG be ba Be Ba bE bA BE BA"

// begins reports whether a token may begin at an offset, which is at least two bytes before the end.
func begins(text string, at int) bool {
	c := text[at]
	switch {
	case c == '-':
		return strings.HasPrefix(text[at:], "-----BEGIN ")
	case !wordByte(c) || at > 0 && wordByte(text[at-1]):
		return false
	case c >= '0' && c <= '9':
		return long(text[at:])
	case c == 'b' || c == 'B': // perhaps of an Authorization header, which has a space
		return strings.Contains(beginnings, text[at:at+2])
	}
	return wordByte(text[at+1]) && strings.Contains(beginnings, text[at:at+2]) && long(text[at:])
}

// long reports whether a text begins with enough characters of which tokens consist.
func long(text string) bool {
	for i := range shortest {
		if c := text[i]; !wordByte(c) && c != '-' && c != '.' && c != '=' && c != ':' {
			return false
		}
	}
	return true
}

// wordByte reports whether a byte is part of a word in the sense of \b.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

var (
	userinfo = lazyregexp.New(`\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#"'@:]*:([^\s/?#"'@]+)@`)
	query    = lazyregexp.New(`[?&;]([A-Za-z0-9_.~%-]+)=([^\s&#;"']+)`)
)

// inAddress returns the places of passwords and secret parameters in the addresses of a text. A long "code" is a key
// of Azure Functions, or from a sign-in.
func inAddress(text string) []Span {
	var found []Span
	// most texts have no address, and the patterns are slow
	if strings.Contains(text, "://") && strings.Contains(text, "@") {
		for _, m := range userinfo.FindAllStringSubmatchIndex(text, -1) {
			if !Reference(text[m[2]:m[3]]) {
				found = append(found, Span{m[2], m[3]})
			}
		}
	}
	if strings.ContainsAny(text, "?&;") && strings.Contains(text, "=") {
		for _, m := range query.FindAllStringSubmatchIndex(text, -1) {
			name, value := text[m[2]:m[3]], text[m[4]:m[5]]
			if Key(name) && !harmless(name, value) || name == "code" && Random(value) {
				found = append(found, Span{m[4], m[5]})
			}
		}
	}
	return found
}

// InValue returns the parts of a value that look secret, in order and without overlaps: tokens of a known
// form, passwords and parameters in addresses, and the text after a telling name and "=", as in --api-key=….
func InValue(text string) []Span {
	found := append(ofForm(text), inAddress(text)...)
	if name, value, ok := strings.Cut(text, "="); ok && flag.MatchString(name) && Key(name) && !harmless(name, value) {
		found = append(found, Span{len(name) + 1, len(text)})
	}
	return merge(found)
}

// flag matches text that can be a command-line flag or the name of a variable.
var flag = lazyregexp.New(`^-{0,2}[A-Za-z][A-Za-z0-9_.-]*$`)

// named matches a name and what may separate it from a value: a colon, an equals sign or a comma, perhaps
// with quotes and spaces around it, or only the space after a flag.
var named = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_.-]*)(?:["'”’]?[ \t]*[:=,][ \t]*|["'”’][ \t]+)`)

// assigned is named without the space: the separator must be a sign.
var assigned = lazyregexp.New(`([A-Za-z_][A-Za-z0-9_.-]*)["'”’]?[ \t]*[:=,][ \t]*`)

// InText returns the parts of any text that look secret, in order and without overlaps. It is for text
// without a structure: log lines, comments, files that are not valid. It finds what [InValue] finds, and the
// text after a telling name up to where a value would end.
func InText(text string) []Span { return inText(text, named) }

func inText(text string, named *lazyregexp.Regexp) []Span {
	found := append(ofForm(text), inAddress(text)...)
	for at := 0; strings.ContainsAny(text[at:], ":=,\"'”’"); {
		m := named.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		name, after := text[at+m[2]:at+m[3]], at+m[1]
		at = after
		if !Key(name) {
			continue
		}
		span := valueAt(text, after)
		if value := text[span.Start:span.End]; !harmless(name, value) && !opens(value) {
			found = append(found, span)
			at = max(at, span.End)
		}
	}
	return merge(found)
}

// opens reports whether a value only opens an object or array, whose content is searched separately.
func opens(value string) bool {
	return strings.Trim(value, "{[( \t") == ""
}

// valueAt returns the value at an offset: the text between quotes, or up to the end of the line or a
// character that ends a value.
func valueAt(text string, at int) Span {
	rest := text[at:]
	for _, quote := range []string{`"`, `'`, "“", "‘"} {
		inner, ok := strings.CutPrefix(rest, quote)
		if !ok {
			continue
		}
		start := at + len(quote)
		closing := map[string]string{"“": "”", "‘": "’"}[quote]
		if closing == "" {
			closing = quote
		}
		for i := 0; i < len(inner); i++ {
			switch {
			case inner[i] == '\\':
				i++
			case inner[i] == '\n' || strings.HasPrefix(inner[i:], closing):
				return Span{start, start + i}
			}
		}
		return Span{start, len(text)}
	}
	end := 0
	for end < len(rest) && !strings.ContainsRune("\r\n,}]\"'", rune(rest[end])) {
		if n := strings.IndexByte(rest[end:], '}'); n > 0 && strings.HasPrefix(rest[end:], "${") {
			end += n // a reference is part of the value
		}
		end++
	}
	return Span{at, at + len(strings.TrimRight(rest[:end], " \t"))}
}

// merge sorts spans and joins those that overlap.
func merge(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	var out []Span
	for _, span := range spans {
		switch last := len(out) - 1; {
		case span.Start >= span.End:
		case last >= 0 && span.Start < out[last].End:
			out[last].End = max(out[last].End, span.End)
		default:
			out = append(out, span)
		}
	}
	return out
}

// Masked is what [Mask] puts in the place of a secret.
const Masked = "•••"

// Mask returns a text without the secrets that [InText] finds, for logs and messages.
func Mask(text string) string { return without(text, InText(text)) }

// MaskLabel is like [Mask] for our own sentences, which name things and have no values: in 'set
// "env.API_TOKEN" of "memory"' the words after the name are no secret, unlike in a shell command.
func MaskLabel(text string) string { return without(text, inText(text, assigned)) }

func without(text string, spans []Span) string {
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, span := range spans {
		b.WriteString(text[at:span.Start])
		b.WriteString(Masked)
		at = span.End
	}
	b.WriteString(text[at:])
	return b.String()
}
