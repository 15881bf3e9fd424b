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

// Printer says texts in a language. It is safe for concurrent use.
type Printer struct{ localize Localize }

// Localize returns the sentence of a code, with arguments that are strings, numbers and bools. A count that is not nil chooses the
// plural form. It reports false when the code has no words.
type Localize func(code Code, count *int, args map[string]any) (string, bool)

// Through returns a Printer whose words come from localize.
func Through(localize Localize) Printer { return Printer{localize} }

// In returns a Printer for the first of the languages in which there are words, each a tag such as "de" or "pt-BR"; else for English.
func In(languages ...string) Printer {
	return Through(newCatalogue(assets.Words, areaFile, nil, languages).localize)
}

// English returns the Printer for English. All callers share it.
func English() Printer { return inEnglish() }

var inEnglish = sync.OnceValue(func() Printer { return In() })

// Altered returns a Printer for English whose sentences are changed by alter before arguments are put in: a made-up language.
func Altered(alter func(template string) string) Printer {
	return Through(newCatalogue(assets.Words, areaFile, alter, nil).localize)
}

// Sentences returns what says the texts of translations/LANGUAGE.json in files, which have no codes: each is named by its English sentence.
// It chooses a language as [In] does. Alter, which may be nil, changes them as it does for [Altered].
func Sentences(files fs.FS, alter func(template string) string, languages ...string) Localize {
	return newCatalogue(files, func(Code) string { return "" }, alter, languages).localize
}

// Environment returns the languages that the environment of a program at a terminal asks for, best first.
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

// Localize returns the sentence of a code, as a [Localize] does.
func (p Printer) Localize(code Code, count *int, args map[string]any) (string, bool) {
	if p.localize == nil {
		return "", false
	}
	return p.localize(code, count, args)
}

// Text returns the sentence, "" for the zero Text. A code without words, such as one from a newer version of this program, is shown itself.
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

// Error returns what an error says.
func (p Printer) Error(err error) string { return p.Text(Of(err)) }

func (p Printer) text(t Text, depth int) string {
	said := p.said(t, depth)
	if t.Whole {
		return sentence(said)
	}
	return said
}

// sentence makes a sentence of a text. One that begins with a name of a file, quoted or not a plain word, begins as it is.
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
			args[name] = p.join(said, "list.semicolon")
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

// join puts what a language has between two items between them.
func (p Printer) join(items []string, separator Code) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items, p.Text(separator.Text()))
}

// folder is where the files are.
const folder = "translations"

// catalogue reads the words of a file when the first text of that file is shown.
type catalogue struct {
	files     fs.FS
	file      func(Code) string // the name of the file that has the words of a code, before that of the language
	alter     func(string) string
	languages []language // best first, English last

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

// load reads a file in a language. One that is not there or broken says nothing; a test holds that none is broken.
func (c *catalogue) load(file, language string) map[Code]message {
	data, err := c.texts(file, language)
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

// texts returns a file in a language, unpacked where packages have it packed: that of another language with the English one.
func (c *catalogue) texts(file, language string) ([]byte, error) {
	data, err := fs.ReadFile(c.files, path.Join(folder, file+language+".json"))
	if err != nil || !assets.IsPacked(data) {
		return data, err
	}
	var known []byte
	if language != english {
		if known, err = c.texts(file, english); err != nil {
			return nil, err
		}
	}
	return assets.Unpack(data, known)
}
