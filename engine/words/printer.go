package words

import (
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// Printer turns texts into sentences of a language. It is safe for concurrent use.
type Printer struct{ localize Localize }

// Localize returns the sentence of a code. The arguments are strings, numbers and bools. A non-nil count
// chooses the plural form. ok is false if there are no words for the code.
type Localize func(code Code, count *int, args map[string]any) (string, bool)

// Through returns a Printer that gets its words from localize.
func Through(localize Localize) Printer { return Printer{localize} }

// In returns a Printer for the first of the languages that has words, each given as a tag such as "de" or
// "pt-BR"; if there is none, for English.
func In(languages ...string) Printer {
	return Through(newCatalogue(assets.Words, areaFile, asTyped(Program()), languages).localize)
}

// English returns the Printer for English. All callers share it.
func English() Printer { return inEnglish() }

var inEnglish = sync.OnceValue(func() Printer { return In() })

// Altered returns a Printer for English whose templates are changed by alter: an invented language for tests.
func Altered(alter func(template string) string) Printer {
	return Through(newCatalogue(assets.Words, areaFile, alter, nil).localize)
}

// Sentences returns a Localize for the texts of translations/LANGUAGE.json in files. They have no codes: each
// is identified by its English sentence. The language is chosen as by [In]. alter, which may be nil, changes
// the texts as in [Altered].
func Sentences(files fs.FS, alter func(template string) string, languages ...string) Localize {
	return newCatalogue(files, func(Code) string { return "" }, alter, languages).localize
}

// Environment returns the languages that a terminal's environment asks for, the best first.
func Environment(getenv func(string) string) []string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := getenv(name); value != "" {
			value, _, _ = strings.Cut(value, ".")
			value, _, _ = strings.Cut(value, "@")
			if value == "C" || value == "POSIX" {
				return nil
			}
			return []string{strings.ReplaceAll(value, "_", "-")}
		}
	}
	return nil
}

// Localize returns the sentence of a code; see [Localize].
func (p Printer) Localize(code Code, count *int, args map[string]any) (string, bool) {
	if p.localize == nil {
		return "", false
	}
	return p.localize(code, count, args)
}

// Text returns the sentence; "" for the zero Text. For a code without words, for example from a newer version
// of this program, it returns the code.
func (p Printer) Text(t Text) string { return p.text(t, 0) }

// Knows reports whether there are words for a text and for all texts in it.
func (p Printer) Knows(t Text) bool {
	for _, value := range t.Args {
		switch value := value.(type) {
		case Text:
			if !p.Knows(value) {
				return false
			}
		case []Text:
			if slices.ContainsFunc(value, func(t Text) bool { return !p.Knows(t) }) {
				return false
			}
		}
	}
	if t.Code == "" {
		return true
	}
	_, ok := p.Localize(t.Code, nil, nil)
	return ok
}

// Texts returns the sentences of a list.
func (p Printer) Texts(list []Text) []string {
	said := make([]string, len(list))
	for i, t := range list {
		said[i] = p.Text(t)
	}
	return said
}

// Error returns the sentence of an error.
func (p Printer) Error(err error) string { return p.Text(Of(err)) }

func (p Printer) text(t Text, depth int) string {
	said := p.said(t, depth)
	if t.Whole {
		return sentence(said)
	}
	return said
}

// sentence turns a text into a whole sentence. The first word gets no capital letter if it is quoted, the
// name of a file, or no plain word.
func sentence(text string) string {
	first, _, _ := strings.Cut(text, " ")
	if first != "" && strings.IndexFunc(first, func(r rune) bool { return !unicode.IsLower(r) }) < 0 {
		letter, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(letter)) + text[size:]
	}
	if text == "" || strings.ContainsAny(text[len(text)-1:], ".!?:") || strings.HasSuffix(text, "…") {
		return text
	}
	return text + "."
}

// said returns the sentence of a text, whether it stands alone or in another one.
func (p Printer) said(t Text, depth int) string {
	if t.Code == "" || depth > maxDepth {
		return t.Foreign
	}
	var count *int
	args := make(map[string]any, len(t.Args))
	for name, value := range t.Args {
		switch value := value.(type) {
		case Text:
			args[name] = p.text(value, depth+1)
		case []string:
			args[name] = p.join(value, "list.comma")
		case []Text:
			said := make([]string, len(value))
			for i := range value {
				said[i] = p.text(value[i], depth+1)
			}
			if strings.HasPrefix(string(t.Code), "list.") {
				args[name] = p.join(said, "list.comma")
			} else { // texts may have commas of their own
				args[name] = p.join(said, "list.semicolon")
			}
		case int:
			if args[name] = value; name == "Count" {
				count = &value
			}
		default:
			args[name] = value
		}
	}
	if said, ok := p.Localize(t.Code, count, args); ok {
		return said
	}
	return string(t.Code)
}

// join joins items with a separator of the language.
func (p Printer) join(items []string, separator Code) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items, p.Text(separator.Text()))
}

// folder is where the files are.
const folder = "translations"

// catalogue reads the words of a file when a text of that file is first needed.
type catalogue struct {
	files     fs.FS
	file      func(Code) string // returns the part of the file name before the language, for a code
	alter     func(string) string
	languages []language // the best first, English last

	mu   sync.Mutex
	read map[string][]map[Code]message // by file, in the order of languages
}

// areaFile returns "AREA." for the code "AREA.NAME".
func areaFile(code Code) string {
	area, _, _ := strings.Cut(string(code), ".")
	return area + "."
}

func newCatalogue(files fs.FS, file func(Code) string, alter func(string) string, languages []string) *catalogue {
	c := &catalogue{files: files, file: file, alter: alter, read: map[string][]map[Code]message{}}
	for _, name := range languages {
		if asked, ok := parseTag(name); ok {
			c.add(languagesFor(files, asked)...)
		}
	}
	c.add(language{english, tag{base: english}})
	return c
}

func (c *catalogue) add(languages ...language) {
	for _, l := range languages {
		if !slices.ContainsFunc(c.languages, func(other language) bool { return other.name == l.name }) {
			c.languages = append(c.languages, l)
		}
	}
}

func (c *catalogue) localize(code Code, count *int, args map[string]any) (string, bool) {
	for i, messages := range c.messages(c.file(code)) {
		if template := messages[code].form(c.languages[i].tag, count); template != "" {
			return fill(template, args), true
		}
	}
	return "", false
}

func (c *catalogue) messages(file string) []map[Code]message {
	c.mu.Lock()
	defer c.mu.Unlock()
	read, ok := c.read[file]
	if !ok {
		for _, l := range c.languages {
			read = append(read, c.load(file, l.name))
		}
		c.read[file] = read
	}
	return read
}

// load reads a file of a language. A missing or broken file has no texts; a test checks that none is broken.
func (c *catalogue) load(file, language string) map[Code]message {
	data, err := fs.ReadFile(c.files, path.Join(folder, file+language+".json"))
	if err != nil {
		return nil
	}
	var messages map[Code]message
	if err := json.Unmarshal(data, &messages); err != nil {
		return nil
	}
	for _, m := range messages {
		for form, template := range m {
			if c.alter != nil {
				m[form] = c.alter(template)
			}
		}
	}
	return messages
}
