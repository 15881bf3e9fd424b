package words

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// tag is a language: its code, its script and a country, such as "zh", "Hans" and "CN". Package language of
// golang.org/x/text knows all languages; this code knows what the files need and is a tenth of a megabyte
// smaller. A test checks that both give the same results.
type tag struct{ base, script, region string }

// parseTag parses a tag such as "de", "de-AT" or "zh-Hans-CN", in any case. Further parts are ignored. If the
// tag has no script, it is the usual script of the language in the country. parseTag returns false if the
// text is no tag.
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
	return len(text) == count && strings.IndexFunc(text, func(r rune) bool {
		return (r|0x20) < 'a' || (r|0x20) > 'z'
	}) < 0
}

// usualScript returns the usual script of one of the files' languages in a country; "" for any other
// language.
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

// likeness returns how well the language suits people who ask for another one; 0 if it does not. It must be
// the same language in the same script; the country may differ.
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

// plural returns the name of a number's plural form in the language; "other" if there is only one.
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

// english is the name of the only language that is certain to have all words.
const english = "en"

// language is a language that has files.
type language struct {
	name string // in the names of the files
	tag
}

// languagesFor returns the files' languages that suit a language that was asked for, the best first.
func languagesFor(files fs.FS, asked tag) []language {
	names, _ := fs.Glob(files, path.Join(folder, "*.json")) // the pattern is valid
	var found []language
	for _, name := range names {
		name = strings.TrimSuffix(path.Base(name), ".json")
		name = name[strings.LastIndex(name, ".")+1:]
		if t, ok := parseTag(name); ok && t.likeness(asked) > 0 && !slices.Contains(found, language{name, t}) {
			found = append(found, language{name, t})
		}
	}
	slices.SortStableFunc(found, func(a, b language) int { return cmp.Compare(b.likeness(asked), a.likeness(asked)) })
	return found
}
