// Package secret finds the parts of a configuration, a log line or a message that should not be shown or
// stored in clear: values whose key says that they are secret, and values that look like the tokens of
// well-known services.
//
// It only knows words and patterns, so it prefers to hide too much: a value that is hidden needlessly costs a
// little convenience, and one that is shown can cost the user an account. It cannot find a secret that has
// neither a telling key nor a known form.
package secret

import (
	"slices"
	"strings"
	"unicode"

	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Key reports whether a key (the name of an environment variable, a header or a command-line flag) says that
// its value is secret.
func Key(name string) bool {
	words := split(name)
	for i, word := range words {
		switch word {
		case "key", "keys", "auth", "oauth", "pat", "pwd", "pass", "pw", "session", "sid", "private", "jwt", "otp",
			"totp", "pin", "credential", "credentials", "creds", "cred", "sig", "signature", "salt", "pem", "psk":
			return true
		case "tokenizer", "tokenizers", "tokenization", "cookieless", "secretary": // these words only contain a telling word
			continue
		}
		// Names that are written together, as in GITHUBTOKEN or myapikey.
		for _, part := range []string{"token", "secret", "passw", "passphrase", "passcode", "credential", "apikey",
			"accesskey",
			"privatekey", "authkey", "authoriz", "authoris", "cookie", "bearer"} {
			if strings.Contains(word, part) {
				return true
			}
		}
		if word == "connection" && i+1 < len(words) && words[i+1] == "string" {
			return true
		}
	}
	return false
}

// Pair reports whether the value of a key is secret: the key says so or the value looks like it, and the
// value is not harmless, such as a pure reference, an empty text, a boolean, or the number in MAX_TOKENS.
func Pair(name, value string) bool {
	if harmless(name, value) {
		return false
	}
	return Key(name) || Value(value)
}

// Value reports whether a text contains something that looks like a secret, whatever its key is: a token of a
// known form, or an address with a password.
func Value(text string) bool {
	return len(ofForm(text)) > 0 || len(inAddress(text)) > 0
}

// ToKeep returns the parts of the value of a variable or header that belong in the keychain and not in a file. It is
// the one rule for that, wherever a person fills in a value or an entry is brought in.
func ToKeep(name, value string) []Span { return WithoutPaths(value, InSetting(name, value)) }

// WithoutPaths returns spans of a value without that of the whole value if the value is the path of the file that
// holds the secret, and not the secret itself.
func WithoutPaths(value string, spans []Span) []Span {
	return slices.DeleteFunc(spans, func(s Span) bool { return s.Start == 0 && s.End == len(value) && isPath(value) })
}

func isPath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "${HOME}/") ||
		strings.HasPrefix(value, `${HOME}\`) || strings.HasPrefix(value, "./") || len(value) > 2 && value[1] == ':' &&
		(value[2] == '\\' || value[2] == '/')
}

// Reference reports whether a text consists only of references to variables or the keychain, perhaps after a
// scheme, as in "Bearer ${API_KEY}". A reference with a default may contain the secret itself, so it does not
// count.
func Reference(text string) bool {
	return pure.MatchString(text)
}

var (
	pure = lazyregexp.New(`^(?:(?i:bearer|basic|token|digest|apikey|api-key)\s+)?(?:\$\{(?:keyring:[^}]*|(?:env:)?[^}:]+(?::-)?)\})+$`)

	number = lazyregexp.New(`^[0-9]{1,9}$`)
)

func harmless(name, value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "true", "false", "yes", "no", "on", "off", "null", "none":
		return true
	}
	if Reference(value) {
		return true
	}
	if number.MatchString(value) {
		// A number can be a password, but not if the key counts something.
		for _, word := range split(name) {
			switch word {
			case "max", "min", "limit", "count", "budget", "num", "number", "size", "timeout", "ttl", "seconds", "length",
				"expiry", "port":
				return true
			}
		}
	}
	return false
}

// split returns the words of a name in lower case: API_KEY, api-key, apiKey and APIKey are all
// "api" and "key".
func split(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
			word = nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0:
			before, after := runes[i-1], rune(0)
			if i+1 < len(runes) {
				after = runes[i+1]
			}
			if unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(after) {
				end()
			}
		}
		word = append(word, r)
	}
	end()
	return words
}
