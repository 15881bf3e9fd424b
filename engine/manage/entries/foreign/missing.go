package foreign

import (
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
)

// Missing is a value that a server evidently needs and that its entry does not have yet.
type Missing struct {
	Field string // "env", "headers", "args" or "url"
	Name  string // of the variable, header or flag; empty for an argument without a flag and for an address
	Key   bool   // it is a key, a token or a password
	Blank bool   // the entry has a text in its place, such as <API_KEY>
}

// Path returns the place of the value in the entry, such as "env.API_KEY" or "args".
func (m Missing) Path() string {
	if m.Name == "" {
		return m.Field
	}
	return m.Field + "." + m.Name
}

// MissingIn returns the values that a server's entry does not have yet: a variable or header with an empty value whose
// name is that of a secret, and what instructions or an import have left to fill in, such as <API_KEY>. In arguments
// and addresses, other text that looks like a blank is often meant as it is.
func MissingIn(server *config.Server) []Missing {
	var all []Missing
	Each(server, func(place Part, value *string) {
		named := place.Field == "env" || place.Field == "headers"
		if !named && place.Field != "args" && place.Field != "url" {
			return
		}
		text := strings.TrimSpace(*value)
		blank := false
		switch {
		case named && text == "":
			blank = secret.Key(place.Name)
		case secret.Reference(text):
		case named:
			_, _, blank = wholeBlank(place, text)
			blank = blank || len(blanksIn(text)) > 0
		default:
			blank = angled(text)
		}
		missing := Missing{place.Field, place.Name, blankKind(place) == KindSecret || secret.Key(text), text != ""}
		if blank && !slices.Contains(all, missing) {
			all = append(all, missing)
		}
	})
	return all
}

// MissingWithout returns the values that a server's entry does not have yet because it refers to variables that are
// not set: the variable or header whose value is such a reference. If the reference is a part of another text, it is a
// variable of that name in the entry of a program, or the whole text in the entry of a web address.
func MissingWithout(server *config.Server, unset []string) []Missing {
	var all []Missing
	Each(server, func(place Part, value *string) {
		references := config.References(*value)
		whole := len(references) == 1 &&
			strings.TrimSpace(config.ReplaceReferences(*value, func(string) string { return "" })) == ""
		for _, reference := range references {
			if reference.Keyring || reference.HasDefault || !slices.Contains(unset, reference.Name) {
				continue
			}
			missing := Missing{Field: "env", Name: reference.Name}
			switch {
			case place.Field == "headers", place.Field == "env" && whole:
				missing.Field, missing.Name = place.Field, place.Name
			case server.Command == "":
				missing.Field, missing.Name = "url", ""
			}
			missing.Key = secret.Key(missing.Name) || secret.Key(reference.Name)
			if !slices.Contains(all, missing) {
				all = append(all, missing)
			}
		}
	})
	return all
}

// angled reports whether a text has a blank in angle brackets, which an import writes for what an app asked for. In a
// command for a shell, they lead to files.
func angled(text string) bool {
	blanks := blanksIn(text)
	return len(blanks) > 0 && strings.HasPrefix(blanks[0], "<") && (blanks[0] == text || !strings.ContainsAny(text, " \t\n"))
}

// home matches a reference to the folder of the user, or to another folder with something below it.
var home = lazyregexp.New(`^\$\{(?:HOME|USERPROFILE|PWD|[^}]+\}[/\\])`)

// FoldersIn returns the indexes of the arguments of a program that are folders which a person chooses.
func FoldersIn(server *config.Server) []int {
	var found []int
	program := launcher.FirstWord(server.Command, server.Args)
	Each(server, func(place Part, value *string) {
		text := *value
		place.Text = text
		chosen := place.Field == "args" && text != program && !strings.HasPrefix(text, "-") &&
			!strings.Contains(text, "://") && !strings.ContainsAny(text, "\n|;")
		path := strings.HasPrefix(text, "~") || isAbsolute(text) && (text[0] != '$' || home.MatchString(text)) ||
			strings.HasPrefix(text, "<") && blankKind(place) == KindFolder
		if chosen && path && !fileName.MatchString(text) && !secret.Key(place.Name) && !secret.Key(text) {
			found = append(found, place.Index)
		}
	})
	return found
}
