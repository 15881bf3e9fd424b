package paste

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Secret is a value, or a part of one, that looks secret.
type Secret struct {
	Part // its Text is the secret

	// Keychain is a name under which it could be kept in the system's keychain, made of the server's name and its own.
	Keychain string
}

// scheme is what stands before a token in an Authorization header.
var scheme = lazyregexp.New(`^(?i:bearer|basic|token|digest|apikey|api-key)\s+`)

// maxSearched is how many bytes of one value are searched for secrets. The longest secrets are keys of a few KiB.
const maxSearched = 64 << 10

// findSecrets finds the values that look secret. What is to be filled in is none yet.
func (e *Entry) findSecrets() {
	each(&e.Server, func(place Part, value *string) {
		for _, text := range secretsIn(place, *value) {
			if text == "" || e.isBlank(place, text) {
				continue
			}
			place.Text = text
			e.Secrets = append(e.Secrets, Secret{place, e.keychain(place)})
		}
	})
}

func secretsIn(place Part, value string) []string {
	if value == "" || secret.Reference(value) {
		return nil
	}
	named := place.Field == "env" || place.Field == "headers" || place.Field == "oauth" || place.Field == "args" && strings.HasPrefix(place.Name, "-") && !strings.HasPrefix(value, "-")
	if named && secret.Key(place.Name) && secret.Pair(place.Name, value) && !looksLikePath(value) {
		return []string{value[len(scheme.FindString(value)):]}
	}
	var found []string
	value = value[:min(len(value), maxSearched)]
	for _, span := range secret.InValue(value) {
		text := value[span.Start:span.End]
		found = append(found, text[len(scheme.FindString(text)):])
	}
	return found
}

// looksLikePath reports whether a value is the path of a file with the secret rather than the secret.
func looksLikePath(value string) bool {
	return strings.HasPrefix(value, "/") || strings.HasPrefix(value, "${HOME}/") || strings.HasPrefix(value, "./") || len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/')
}

// isBlank reports whether a text of a place is to be filled in, or has something in it that is.
func (e *Entry) isBlank(place Part, text string) bool {
	for _, blank := range e.Blanks {
		for _, part := range blank.Parts {
			if part.Field == place.Field && part.Index == place.Index && (part.Text == "" || strings.Contains(text, part.Text) || strings.Contains(part.Text, text)) {
				return true
			}
		}
	}
	return false
}

// keychain suggests a name for a secret: github/GITHUB_TOKEN.
func (e *Entry) keychain(place Part) string { return KeychainName(e.Server.Name, place) }

// KeychainName suggests a name under which a value of a server is kept in the keychain.
func KeychainName(server string, place Part) string {
	name := strings.TrimLeft(place.Name, "-")
	switch {
	case name != "":
	case place.Field == "url":
		name = "address"
	default:
		name = "secret"
	}
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '}' || r == '{' || r == '$' || r == ':' {
			return '-'
		}
		return r
	}, strings.TrimSpace(server)+"/"+name)
}
