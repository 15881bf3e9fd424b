package downstream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/jsonrpc"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// minSecret is the shortest value of an entry that is masked, in bytes. Shorter ones occur in any text by chance.
// Values from the keychain are masked at any length.
const minSecret = 6

// longWord is the length from which a word without digits is unlikely to be the name of a command.
const longWord = 12

// maxTokens is how many tokens of a sign-in are remembered. The oldest are forgotten.
const maxTokens = 8

// secrets has the values that were given to a server and must not be shown. Servers often print their settings.
type secrets struct {
	own     []string // values of the entry and the keychain
	certain []string // those of own that can only be secrets, see maskCertain

	mu     sync.Mutex
	tokens []string // of a sign-in
}

// newSecrets returns the secrets of an expanded entry: values from the keychain, and values of fields that have
// secrets.
func newSecrets(server *config.Server) *secrets {
	s := &secrets{}
	for _, value := range server.FromKeychain() {
		s.own = append(s.own, parts(value)...)
		if onlySecret(value) {
			s.certain = append(s.certain, value)
		}
	}
	hide := func(value string) {
		if len(value) < minSecret {
			return
		}
		s.own = append(s.own, value)
		if onlySecret(value) && (strings.ContainsAny(value, "0123456789") || len(value) >= longWord) {
			s.certain = append(s.certain, value)
		}
	}
	for _, variables := range [][]config.Variable{server.Env, server.Headers} {
		for _, v := range variables {
			if secret.Pair(v.Name, v.Value) {
				hide(v.Value)
				// "Bearer abc" may also be printed as "abc".
				if _, token, ok := strings.Cut(v.Value, " "); ok {
					hide(token)
				}
			}
		}
	}
	if server.OAuth != nil {
		hide(server.OAuth.ClientSecret)
	}
	for i, argument := range server.Args {
		name, value, joined := strings.Cut(argument, "=")
		switch {
		case joined && strings.HasPrefix(name, "-") && secret.Pair(name, value):
			hide(value)
		case i > 0 && strings.HasPrefix(server.Args[i-1], "-") && secret.Pair(server.Args[i-1], argument):
			hide(argument)
		case secret.Value(argument):
			hide(argument)
		}
	}
	for _, value := range addressSecrets(server.URL) {
		hide(value)
	}
	longestFirst(s.own)
	longestFirst(s.certain)
	return s
}

// parts returns a value from the keychain and those parts of it that a server may print alone: the value without
// surrounding spaces, without a scheme as in "Bearer abc", and the lines of a key.
func parts(value string) []string {
	list := []string{value, strings.TrimSpace(value)}
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); len(line) >= minSecret {
			list = append(list, line)
		}
	}
	if _, token, ok := strings.Cut(value, " "); ok && len(token) >= minSecret {
		list = append(list, token)
	}
	return slices.DeleteFunc(list, func(part string) bool { return strings.TrimSpace(part) == "" })
}

// onlySecret reports whether a value can only be a password or token, and not a path, an address, or a command with
// arguments.
func onlySecret(value string) bool {
	odd := func(r rune) bool {
		return r < 0x80 && !wordRune(r) && !strings.ContainsRune("-+=:@!#%^*,./", r) || unicode.IsSpace(r)
	}
	return strings.IndexFunc(value, odd) < 0 && !strings.ContainsAny(value[:1], "-./") && !strings.Contains(value, "://")
}

func wordRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
}

func longestFirst(values []string) {
	slices.SortStableFunc(values, func(a, b string) int { return len(b) - len(a) })
}

// addToken adds an access token.
func (s *secrets) addToken(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if token == "" || slices.Contains(s.tokens, token) {
		return
	}
	s.tokens = append(slices.Clone(s.tokens[max(0, len(s.tokens)-maxTokens+1):]), token)
}

// all returns all secrets, the longest first. A nil receiver has none.
func (s *secrets) all() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	tokens := s.tokens
	s.mu.Unlock()
	if len(tokens) == 0 {
		return s.own
	}
	all := slices.Concat(s.own, tokens)
	longestFirst(all)
	return all
}

// mask masks the secrets in a text, also those with escapes of URLs or JSON, and in base64.
func (s *secrets) mask(text string) string {
	values := s.all()
	if len(values) == 0 || text == "" {
		return text
	}
	spell := func(text, value string) int {
		if strings.HasPrefix(text, value) {
			return len(value)
		}
		return 0
	}
	if strings.ContainsAny(text, `%\+`) {
		spell = spelled
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		end := 0
		for _, value := range values {
			if end = spell(text[i:], value); end > 0 {
				break
			}
		}
		if end == 0 && base64Byte(text, i) && (i == 0 || !base64Byte(text, i-1)) {
			if run := encodedRun(text, i); encodes(text[i:run], values) {
				end = run - i
			}
		}
		if end == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(secret.Masked)
		i += end
	}
	return b.String()
}

// spelled returns the length of the prefix of text that is value, perhaps with escapes; 0 if there is none.
func spelled(text, value string) int {
	tries := 4*len(value) + 64 // a backslash may be itself or begin an escape
	var match func(at, i int) int
	match = func(at, i int) int {
		if i == len(value) {
			return at
		}
		if tries--; tries < 0 || at >= len(text) {
			return 0
		}
		if text[at] == value[i] {
			if end := match(at+1, i+1); end > 0 {
				return end
			}
		}
		r, size := utf8.DecodeRuneInString(value[i:])
		for _, n := range escapes(text[at:], r, value[i]) {
			next := i + 1
			if n.whole {
				next = i + size
			}
			if end := match(at+n.length, next); end > 0 {
				return end
			}
		}
		return 0
	}
	return match(0, 0)
}

// escape is an escape sequence for a character, or for its first byte.
type escape struct {
	length int
	whole  bool // it is for the whole character
}

// escapes returns the escape sequences at the beginning of text for the character r, whose first byte is c.
func escapes(text string, r rune, c byte) (found []escape) {
	switch text[0] {
	case '+':
		if c == ' ' {
			found = append(found, escape{length: 1})
		}
	case '%':
		if n, ok := hex(text, 1, 2); ok && (byte(n) == c || n == '+' && c == ' ') {
			found = append(found, escape{length: 3})
		}
		if n, ok := hex(text, 3, 2); ok && byte(n) == c && text[1:3] == "25" { // escaped twice
			found = append(found, escape{length: 5})
		}
	case '\\':
		if n, ok := hex(text, 2, 4); ok && text[1] == 'u' && rune(n) == r {
			found = append(found, escape{6, true})
		}
		if at := strings.IndexByte(`"\/bfnrt`, text[min(1, len(text)-1)]); at >= 0 && len(text) > 1 &&
			"\"\\/\b\f\n\r\t"[at] == c {
			found = append(found, escape{length: 2})
		}
		if rest, twice := strings.CutPrefix(text[:min(len(text), longestEscape)], `\\`); twice { // JSON in a string of JSON
			once := strings.TrimPrefix(rest, `\`)
			for _, e := range escapes(`\`+once, r, c) {
				found = append(found, escape{e.length + 1 + len(rest) - len(once), e.whole})
			}
		}
	}
	return found
}

// longestEscape is the length of the longest escape sequence within others.
const longestEscape = 12

// hex parses count hexadecimal digits of a text.
func hex(text string, from, count int) (uint64, bool) {
	if len(text) < from+count {
		return 0, false
	}
	n, err := strconv.ParseUint(text[from:from+count], 16, 32)
	return n, err == nil
}

// base64Byte reports whether the byte at i is in an alphabet of base64.
func base64Byte(text string, i int) bool {
	return wordRune(rune(text[i])) || text[i] == '+' || text[i] == '/' || text[i] == '-'
}

// encodedRun returns the end of the base64 text that begins at i. Its characters may be escaped as in URLs.
func encodedRun(text string, i int) int {
	for i < len(text) {
		switch {
		case base64Byte(text, i) || text[i] == '=':
			i++
		case text[i] == '%' && strings.Contains(" 2b 2f 3d 2B 2F 3D ", " "+text[i+1:min(i+3, len(text))]+" "):
			i += 3
		default:
			return i
		}
	}
	return i
}

// shortestBase64 is the length of the shortest base64 text that is decoded. It encodes one byte.
const shortestBase64 = 2

var plainBase64 = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("-", "+", "_", "/", "%2b", "+", "%2B", "+", "%2f", "/", "%2F", "/", "%3d", "=", "%3D", "=")
})

// encodes reports whether a base64 text encodes one of the values. The text may begin with characters that do not
// belong to the encoding, so four beginnings are tried.
func encodes(run string, values []string) bool {
	run = strings.TrimRight(plainBase64().Replace(run), "=")
	shortest := values[len(values)-1]
	for skip := 0; skip < 4 && len(run)-skip >= max(shortestBase64,
		base64.RawStdEncoding.EncodedLen(len(shortest))); skip++ {
		code := run[skip:]
		if len(code)%4 == 1 {
			code = code[:len(code)-1]
		}
		decoded, _ := base64.RawStdEncoding.DecodeString(code) // up to the first invalid byte
		for _, value := range values {
			if strings.Contains(string(decoded), value) {
				return true
			}
		}
	}
	return false
}

// maskValue returns a JSON value with the secrets in its strings masked.
func (s *secrets) maskValue(value json.RawMessage) json.RawMessage {
	if len(s.all()) == 0 {
		return value
	}
	return jsonrpc.MapStrings(value, s.mask)
}

// maskMember returns an object with the secrets in one member masked.
func (s *secrets) maskMember(object json.RawMessage, name string) json.RawMessage {
	if len(s.all()) == 0 {
		return object
	}
	members := jsonrpc.Split(object)
	changed := false
	for i, m := range members {
		if m.Name == name {
			members[i].Value = s.maskValue(m.Value)
			changed = changed || !bytes.Equal(members[i].Value, m.Value)
		}
	}
	if !changed {
		return object
	}
	return jsonrpc.AppendObject(nil, members)
}

// maskError returns an error with the secrets in its text masked.
func (s *secrets) maskError(err error) error {
	text := words.Of(err)
	if masked := text.Map(s.mask); !masked.Equal(text) {
		return &maskedError{err, masked}
	}
	return err
}

// maskedError is an error with a masked text.
type maskedError struct {
	cause error
	text  words.Text
}

func (e *maskedError) Error() string    { return e.text.String() }
func (e *maskedError) Text() words.Text { return e.text }
func (e *maskedError) Unwrap() error    { return e.cause }

// maskCertain masks the secrets in a text about which the person is asked. It masks only values that can be nothing
// else, since the person must see everything that has an effect. Short values are masked only if they are the whole
// text.
func (s *secrets) maskCertain(text string) string {
	for _, value := range s.certain {
		switch {
		case text == value:
			return secret.Masked
		case len(value) >= minSecret:
			text = strings.ReplaceAll(text, value, secret.Masked)
		}
	}
	return text
}
