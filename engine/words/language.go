package words

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/workbench-mcp/workbench-desktop/engine/order"
)

// tag is a language: its code, the script that it is written in and a country, such as "zh", "Hans" and "CN". Package language of
// golang.org/x/text knows all languages there are; what the files need of it is said here in a tenth of a megabyte less, and a test holds that
// both say the same.
type tag struct{ base, script, region string }

// parseTag reads a tag such as "de", "de-AT" or "zh-Hans-CN", in letters of any case. What may follow says nothing about the words.
// It reports false when the text is no tag. The script is that in which the country writes the language when the tag has none.
func parseTag(text string) (tag, bool) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == '_' })
	if len(parts) == 0 || !letters(parts[0], 2) && !letters(parts[0], 3) {
		return tag{}, false
	}
	t := tag{base: strings.ToLower(parts[0])}
	parts = parts[1:]
	if len(parts) > 0 && letters(parts[0], 4) {
		t.script = strings.ToUpper(parts[0][:1]) + strings.ToLower(parts[0][1:])
		parts = parts[1:]
	}
	if len(parts) > 0 && (letters(parts[0], 2) || len(parts[0]) == 3) {
		t.region = strings.ToUpper(parts[0])
	}
	if t.script == "" {
		t.script = usualScript(t.base, t.region)
	}
	return t, true
}

func letters(text string, count int) bool {
	return len(text) == count && strings.IndexFunc(text, func(r rune) bool { return (r|0x20) < 'a' || (r|0x20) > 'z' }) < 0
}

// usualScript returns the script of a language of the files in a country, "" for any other language.
func usualScript(base, region string) string {
	switch base {
	case "de", "en", "es", "fr", "pt":
		return "Latn"
	case "ja":
		return "Jpan"
	case "zh":
		switch region {
		case "AU", "BN", "GB", "GF", "HK", "ID", "MO", "MY", "PA", "PF", "PH", "SR", "TH", "TW", "US", "VN":
			return "Hant"
		}
		return "Hans"
	}
	return ""
}

// likeness returns how well the language serves those who ask for another one, 0 when it does not. It has to be the same language in the same
// script; that of another country does.
func (t tag) likeness(asked tag) int {
	switch {
	case t.base != asked.base || t.script != asked.script:
		return 0
	case t.region == asked.region:
		return 3
	case t.region == "":
		return 2
	}
	return 1
}

// plural returns the name of the plural form that a number has in the language, "other" where there is but one.
func (t tag) plural(count int) string {
	one := count == 1
	switch t.base {
	case "fr", "pt":
		one = count == 0 || count == 1
	case "ja", "zh":
		one = false
	}
	if one {
		return "one"
	}
	return "other"
}

// english is the name of the language that has all words.
const english = "en"

// language is one in which there are files.
type language struct {
	name string // as the files have it
	tag
}

// languagesFor returns the languages of the files that serve those who ask for one, best first.
func languagesFor(files fs.FS, asked tag) []language {
	names, _ := fs.Glob(files, path.Join(folder, "*.json")) // the pattern is right
	var found []language
	for _, name := range names {
		name = strings.TrimSuffix(path.Base(name), ".json")
		name = name[strings.LastIndex(name, ".")+1:]
		if t, ok := parseTag(name); ok && t.likeness(asked) > 0 && !slices.Contains(found, language{name, t}) {
			found = append(found, language{name, t})
		}
	}
	order.By(found, func(a, b language) int { return cmp.Compare(b.likeness(asked), a.likeness(asked)) })
	return found
}
