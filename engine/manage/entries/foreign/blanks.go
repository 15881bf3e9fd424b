package foreign

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/launcher"
	"github.com/workbench-mcp/workbench-desktop/engine/lazyregexp"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// Kind says what kind of value a blank wants.
type Kind string

// The kinds of blanks.
const (
	KindText   Kind = "text"
	KindSecret Kind = "secret"
	KindFolder Kind = "folder"
	KindFile   Kind = "file"
	KindURL    Kind = "url"
	KindChoice Kind = "choice"
)

// Blank is a value that the text leaves for the reader to fill in, such as YOUR_API_KEY or /path/to/folder.
type Blank struct {
	// Parts are the places where the answer is put; there is at least one.
	Parts []Part

	Kind  Kind
	Label words.Text // what is asked for, such as "API key" or the name of the variable; never empty
	Hint  words.Text // what the text says about it; may be empty

	Default string
	Options []string // of KindChoice

	// Optional is set if the answer may be empty. The variable, header or argument is then left out; see
	// [Drop].
	Optional bool
}

// pathTail matches the rest of a path in a text.
const pathTail = `[^\s,;"'\x60]*`

// wellKnown are the usual placeholders in instructions. The whole match is replaced.
var wellKnown = []*lazyregexp.Regexp{
	lazyregexp.New(`<[\p{L}/][^<>\n]{0,80}>`),
	lazyregexp.New(`\{\{[^{}\n]{1,80}\}\}`),
	lazyregexp.New(`\$\([^()\n]{1,120}\)`), // a command that a shell would run to get the value
	lazyregexp.New("^`[^`\n]{1,120}`$"),
	lazyregexp.New(`\$\{user_config\.[^}\n]{1,80}\}`),
	lazyregexp.New(`(?i)\[(?:your|insert|enter|add|path|api)[^\]\n]{0,80}\]`),
}

// wellKnownPaths are the usual placeholders for paths. Addresses are not searched for them.
var wellKnownPaths = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)(?:[a-z]:)?[/\\]*(?:[\w.-]+[/\\]+)*?\b(?:absolute|full)?[/\\_ -]{0,2}path[/\\_ -]{1,2}to(?:[/\\_ -]` + pathTail + `)?`),
	lazyregexp.New(`(?i)(?:[a-z]:[/\\]+|/)(?:Users|home)[/\\]+(?:your[-_ ]?user[-_]?name|user[-_]?name|your[-_]?name|you|user|myuser)\b(?:[/\\]` + pathTail + `)?`),
	lazyregexp.New(`(?i)(?:[a-z]:[/\\]+|/)(?:your|some|absolute|allowed)[-_/\\](?:path|dir|folder|project|directory|allowed|repo)` + pathTail),
	lazyregexp.New(`(?i)(?:[a-z]:)?[/\\](?:[\w.-]+[/\\])*your[-_]` + pathTail),
}

// wellKnownWords are the usual placeholders that are words.
var wellKnownWords = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)\b(?:[a-z]{2,6}[-_])?your[-_](?:[\w-]*\w)?`),
	lazyregexp.New(`(?i)\byour(?:api|access|auth|secret|token|key)\w*`),
	lazyregexp.New(`(?i)\b(?:insert|enter|replace|add|put|paste|fill)[-_](?:your|me|with|here|api|the|my|a|this|in)(?:[-_][\w-]*\w)?\b`),
	lazyregexp.New(`(?i)\b[\w-]+[-_]here\b`),
	lazyregexp.New(`(?i)\b(?:change|replace|fill)[-_]?me\b`),
	lazyregexp.New(`(?i)\b(?:my|the|some|an|a)[-_](?:[\w]+[-_])?(?:key|token|secret|password)\b`),
	lazyregexp.New(`\b[a-zA-Z][a-zA-Z0-9_]{0,14}[-_](?:\.{3}|…|[xX]{3,}[\w-]*|\*{3,})`),
	lazyregexp.New(`(?:[xX]{4,}|\*{4,})(?:[-_](?:[xX]{4,}|\*{4,}))*`),
}

// wholeValues matches values that are placeholders only if they are the whole value.
var wholeValues = lazyregexp.New(
	`(?i)^(?:\.{3,}|…|todo|tbd|x{3,}|api[-_ ]?key|token|access[-_ ]?token|secret|password|key|string|value|placeholder|none\?|sk-\.*|https?://(?:your|example|host|my-?server)[\w.-]*(?::(?:port|\d+))?(?:/\S*)?)$`)

// exampleDatabase matches the address of a database with an invented user and password.
var exampleDatabase = lazyregexp.New(
	`(?i)^[a-z][a-z0-9+]*://(?:user(?:name)?|your\w*|<[^>]+>|postgres|root|admin|myuser)(?::(?:pass(?:word)?|pwd|your\w*|<[^>]+>|secret|mypassword|postgres)?)?@\S+$`)

// maxBlanks is the largest number of blanks in one entry.
const maxBlanks = 100

// findBlanks finds the blanks of an entry.
func (e *Entry) findBlanks() {
	arguments, _ := secret.InCommand(e.Server.Command, e.Server.Args)
	Each(&e.Server, func(place Part, value *string) {
		text := *value
		if len(e.Blanks) >= maxBlanks || place.Field == "command" && !strings.ContainsAny(text, `/\<{`) {
			return
		}
		if whole, kind, ok := wholeBlank(place, text); ok {
			if text != "" || place.Field != "args" {
				e.blank(place, whole, kind)
			}
			return
		}
		for _, found := range blanksIn(text) {
			// by the shell that gets the code
			run := place.Field == "args" && arguments[place.Index].Code && strings.HasPrefix(found, "$(")
			if !run && !strings.Contains(found, "${input:") {
				e.blank(place, found, "")
			}
		}
	})
}

// wholeBlank reports whether a value as a whole is a blank.
func wholeBlank(place Part, text string) (whole string, kind Kind, ok bool) {
	named := place.Field == "env" || place.Field == "headers" || place.Field == "args" &&
		strings.HasPrefix(place.Name, "-")
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		// An empty variable is usually meant to be filled in, and always if its name is that of a secret.
		return "", "", place.Field == "env" && (secret.Key(place.Name) || required(place.Name))
	case place.Field == "args" && !named, strings.HasPrefix(trimmed, "-"):
	case exampleDatabase.MatchString(trimmed):
		return text, KindSecret, true
	case named && strings.EqualFold(trimmed, place.Name) && strings.ContainsAny(trimmed, "_-"),
		named && wholeValues.MatchString(trimmed),
		named && secret.Key(place.Name) && strings.ContainsFunc(trimmed, inNoKey):
		return text, "", true
	}
	if place.Field == "args" && exampleDatabase.MatchString(trimmed) {
		return text, KindSecret, true
	}
	return "", "", false
}

// inNoKey reports whether a character is of a script that no service uses in its keys, such as those of "您的密钥".
func inNoKey(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic)
}

// required reports whether the name of an empty variable says that a server needs it.
func required(name string) bool {
	last := name[strings.LastIndexByte(name, '_')+1:]
	return slices.Contains([]string{"URL", "HOST", "USER", "USERNAME", "EMAIL", "DOMAIN", "PROJECT", "ID", "URI", "DSN",
		"PATH", "DIR"}, last)
}

// blanksIn returns the blanks of a text from left to right. Of two that overlap it returns the longer one.
func blanksIn(text string) []string {
	if len(text) > 4096 {
		return nil
	}
	var spans [][]int
	find := func(patterns []*lazyregexp.Regexp, end int) {
		for _, pattern := range patterns {
			for _, span := range pattern.FindAllStringIndex(text[:end], -1) {
				if !within(text, span) {
					spans = append(spans, span)
				}
			}
		}
	}
	find([]*lazyregexp.Regexp{folderReference}, len(text))
	find(wellKnown, len(text))
	find(wellKnownWords, len(text))
	beforeAddress := len(text)
	if i := strings.Index(text, "://"); i >= 0 {
		beforeAddress = i
	}
	find(wellKnownPaths, beforeAddress)
	slices.SortStableFunc(spans, func(a, b []int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	var found []string
	end := 0
	for _, span := range spans {
		if span[0] >= end {
			found = append(found, text[span[0]:span[1]])
			end = span[1]
		}
	}
	return found
}

// within reports whether a span lies inside one of our references, which is not a blank, and is not a
// reference itself.
func within(text string, span []int) bool {
	if strings.HasPrefix(text[span[0]:span[1]], "${") || strings.HasPrefix(text[span[0]:span[1]], "$(") {
		return false
	}
	open := strings.LastIndex(text[:span[0]], "${")
	return open >= 0 && !strings.Contains(text[open:span[0]], "}") && strings.Contains(text[span[1]:], "}")
}

// blank adds a blank, or another place to an existing one.
func (e *Entry) blank(place Part, text string, kind Kind) {
	place.Text = text
	if text != "" {
		for i := range e.Blanks {
			if e.Blanks[i].Parts[0].Text == text && e.Blanks[i].Parts[0].Name == place.Name {
				e.Blanks[i].Parts = append(e.Blanks[i].Parts, place)
				return
			}
		}
	}
	b := Blank{Parts: []Part{place}, Kind: kind, Label: blankLabel(place)}
	if b.Kind == "" {
		b.Kind = blankKind(place)
	}
	if text != "" && !strings.EqualFold(b.Label.String(), text) {
		b.Hint = hintOf(text)
	}
	e.Blanks = append(e.Blanks, b)
}

// ask adds a blank for a value that VS Code asks for.
func (e *Entry) ask(place Part, text, id string, in input) {
	place.Text = text
	for i := range e.Blanks {
		if e.Blanks[i].Parts[0].Text == text {
			e.Blanks[i].Parts = append(e.Blanks[i].Parts, place)
			return
		}
	}
	b := Blank{Parts: []Part{place}, Kind: KindText, Label: words.Foreign(in.description), Default: in.value,
		Options: in.options}
	if in.description == "" {
		b.Label = words.Foreign(human(id))
	}
	switch {
	case len(in.options) > 0:
		b.Kind = KindChoice
	case in.secret || secret.Key(id) || secret.Key(place.Name):
		b.Kind = KindSecret
	default:
		place.Text = id
		b.Kind = blankKind(place)
	}
	e.Blanks = append(e.Blanks, b)
}

// blankLabel returns the label of a blank: from its variable or header, else from its own words, else from
// the flag before it.
func blankLabel(place Part) words.Text {
	own := human(place.Text)
	switch {
	case place.Field == "env":
		return words.Foreign(place.Name)
	case folderReference.MatchString(place.Text):
		return words.New("foreign.label_folder_to_work_in")
	case isPathLike(place.Text):
		if blankKind(place) == KindFile {
			return words.New("foreign.label_file")
		}
		return words.New("foreign.label_folder")
	case own != "":
		return words.Foreign(own)
	case place.Name != "":
		return words.Foreign(place.Name)
	}
	return words.New("foreign.label_value")
}

var fileName = lazyregexp.New(`[/\\][^/\\]*\.[A-Za-z][A-Za-z0-9]{0,7}>?$`)

func isPathLike(text string) bool {
	text = strings.ToLower(text)
	return strings.HasPrefix(text, "/") || strings.Contains(text, `:\`) || strings.Contains(text, "path/to") ||
		strings.Contains(text, `path\to`) ||
		strings.Contains(text, "path-to") || strings.Contains(text, "path_to")
}

// blankKind guesses the kind of a blank from its name and its own words.
func blankKind(place Part) Kind {
	argv := strings.ToLower(place.Name + " " + place.Text)
	has := func(any ...string) bool {
		return slices.ContainsFunc(any, func(word string) bool { return strings.Contains(argv, word) })
	}
	switch {
	case folderReference.MatchString(place.Text):
		return KindFolder
	case isPathLike(place.Text):
		if fileName.MatchString(place.Text) || has("file", "credentials", ".json") && !has("folder", "dir", "filesystem") {
			return KindFile
		}
		return KindFolder
	case secret.Key(place.Name), secret.Key(strings.Trim(place.Text, "<>{}[]")),
		has("token", "api-key", "api_key", "apikey", "api key", "secret", "password"):
		return KindSecret
	case has("folder", "directory", "_dir", "workspace"):
		return KindFolder
	case has("_file", "file path", "filepath"):
		return KindFile
	case place.Field == "url" && strings.HasPrefix(place.Text, "http"), place.Field == "env" && has("_url", "endpoint"):
		return KindURL
	}
	return KindText
}

// human turns a placeholder into words: YOUR_API_KEY_HERE and <your-api-key> both become "API key".
func human(text string) string {
	text = strings.Trim(text, "<>{}[]() \t$")
	text = strings.TrimPrefix(strings.TrimPrefix(text, "input:"), "user_config.")
	if strings.ContainsAny(text, "/\\:@=.*…") || text == "" || strings.Trim(strings.ToLower(text), "x-_") == "" {
		return ""
	}
	argv := strings.FieldsFunc(text, func(r rune) bool { return r == '_' || r == '-' || r == ' ' })
	drop := map[string]bool{"your": true, "here": true, "insert": true, "enter": true, "replace": true, "add": true,
		"put": true, "paste": true, "the": true, "with": true, "my": true, "me": true}
	kept := argv[:0:0]
	for _, word := range argv {
		if folded := strings.ToLower(word); !drop[folded] {
			switch folded {
			case "api", "url", "id", "uri", "dsn", "pat":
				folded = strings.ToUpper(folded)
			}
			kept = append(kept, folded)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	joined := strings.Join(kept, " ")
	_, first := utf8.DecodeRuneInString(joined)
	return strings.ToUpper(joined[:first]) + joined[first:]
}

// hintOf returns a hint that shows the placeholder as it is in the text.
func hintOf(text string) words.Text {
	return words.New("foreign.hint_in_the_text", "Text", shown(text))
}

// findFolder adds a blank for the working directory if the entry names files by relative paths.
func (e *Entry) findFolder() {
	s := &e.Server
	if s.Command == "" || s.URL != "" {
		return
	}
	for _, blank := range e.Blanks {
		for _, part := range blank.Parts {
			if part.Field == "cwd" {
				return
			}
		}
	}
	place := Part{Field: "cwd", Text: s.Cwd}
	switch {
	case s.Cwd != "":
		if isAbsolute(s.Cwd) {
			return
		}
	case relativeScript(s.Command):
	default:
		script := launcher.FirstWord(s.Command, s.Args)
		interpreter := launcher.Is(s.Command, launcher.Interpreter) ||
			slices.Contains([]string{"uv", "poetry"}, launcher.Base(s.Command))
		if slices.Contains(s.Args, "--directory") || slices.Contains(s.Args, "--project") || !interpreter ||
			!relativeScript(script) && !(ending.MatchString(script) && !strings.ContainsAny(script, `/\\@`)) ||
			e.isBlank(Part{Field: "args", Index: slices.Index(s.Args, script)}, script) {
			return
		}
	}
	e.Blanks = append(e.Blanks, Blank{Parts: []Part{place}, Kind: KindFolder,
		Label: words.New("foreign.label_folder_to_start_in"), Hint: words.New("foreign.hint_folder_to_start_in")})
}

// relativeScript reports whether a word is the relative path of a file.
func relativeScript(word string) bool {
	return strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") || strings.HasPrefix(word, `.\`) ||
		strings.ContainsAny(word, `/\`) && !isAbsolute(word) && ending.MatchString(word) && !strings.HasPrefix(word, "@") &&
			!strings.Contains(word, "://")
}

func isAbsolute(folder string) bool {
	return strings.HasPrefix(folder, "/") || strings.HasPrefix(folder, `\\`) || strings.HasPrefix(folder, "${") ||
		len(folder) > 1 && folder[1] == ':'
}

// KindOf guesses the kind of a variable's value from its name.
func KindOf(variable string) Kind { return blankKind(Part{Field: "env", Name: variable}) }
