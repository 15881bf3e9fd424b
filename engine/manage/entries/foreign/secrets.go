package foreign

import (
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
)

// Secret is a value, or a part of one, that looks like a secret.
type Secret struct {
	Part // its Text is the secret

	// Keychain is a suggested name for the secret in the system's keychain, made from the name of the server
	// and of the value.
	Keychain string
}

// maxSearched is how many bytes of a value are searched for secrets. The longest secrets are keys of a few
// KiB.
const maxSearched = 64 << 10

// findSecrets finds the values that look like secrets. A blank is not a secret yet.
func (e *Entry) findSecrets() {
	arguments, _ := secret.InCommand(e.Server.Command, e.Server.Args)
	readers := e.readers()
	Each(&e.Server, func(place Part, value *string) {
		var spans []secret.Span
		switch {
		case strings.HasPrefix(*value, "$") && readBy(readers, place)&launcher.Dollar != 0: // of the program that gets it
		case *value == "" || secret.Reference(*value):
		case place.Field == "args":
			spans = secret.WithoutPaths(*value, arguments[place.Index].Secrets)
		case place.Field == "command": // the command is what runs
		default:
			spans = secret.ToKeep(place.Name, (*value)[:min(len(*value), maxSearched)])
		}
		for _, span := range spans {
			text := (*value)[span.Start:span.End]
			if e.isBlank(place, text) || len(config.References(text)) > 0 {
				continue // what is kept in the keychain is not expanded
			}
			place.Text, place.Start = text, span.Start
			called := place
			if name := secret.NameAt(*value, span.Start); place.Field == "args" && name != "" { // not the flag before it
				called.Name = name
			}
			e.Secrets = append(e.Secrets, Secret{place, e.keychain(called)})
		}
	})
}

// isBlank reports whether a text is a blank or contains one.
func (e *Entry) isBlank(place Part, text string) bool {
	return e.asksFor(func(part Part) bool {
		return part.Field == place.Field && part.Index == place.Index &&
			(part.Text == "" || strings.Contains(text, part.Text) || strings.Contains(part.Text, text))
	})
}

// keychain suggests a keychain name for a secret: github/GITHUB_TOKEN.
func (e *Entry) keychain(place Part) string { return KeychainName(e.Server.Name, place) }

// KeychainName suggests a keychain name for a value of a server.
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
