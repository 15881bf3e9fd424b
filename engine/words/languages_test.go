package words_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// quotes has the quotation marks of each language. Add a row when the first file of a language is added.
func quotes() map[string][2]string {
	return map[string][2]string{"de": {"„", "“"}, "es": {"“", "”"}, "fr": {"«", "»"}, "ja": {"「", "」"},
		"pt-BR": {"“", "”"}, "zh-Hans": {"“", "”"}}
}

// sameInAll matches texts that may be the same as in English: names, commands, units, and words that both
// languages write alike.
func sameInAll() *regexp.Regexp {
	return regexp.MustCompile(`^(Workbench( {{.Version}})?|JSON|< 1 ms|{{.Minutes}} min {{.Seconds}} s|{{.\w+}} (kB|MB|ms|min)|file\.name|catalogue\.server\.[a-z0-9-]+\.title|help\.[a-z_.-]+\.(example|args)|format\..*|list\..*|doctor\.(gigabytes|megabytes)|usage\.(no_time|milliseconds|minutes)|downstream\.\w+ibytes)$`)
}

// alike are the words that are spelt the same in English and in a language.
func alike() map[string][]string {
	return map[string][]string{"es": {
		"Compatible", "Ctrl", "No", "Token", "Variables", "Zoom", "error", "prompt", "prompts",
		"{{.Count}} bytes", "{{.Size}} bytes",
	}, "pt-BR": {
		"Ctrl", "Del", "Downloads", "JSON", "Link", "Links", "Menu", "OK", "Page Down", "Page Up", "Shift", "Log", "Token",
		"Zoom", "prompt", "prompts", "{{.Count}} bytes", "{{.Size}} bytes",
	}, "zh-Hans": {"Ctrl", "Del", "Page Down", "Page Up", "Shift"},
		"ja": {"Ctrl", "Del", "Page Down", "Page Up", "Shift"}, "fr": {
			"Arguments", "Catalogue", "Compatible", "Configuration", "Ctrl", "Direct", "Documents", "Image", "Licence",
			"Menu", "Notifications", "OK", "Parent", "Secret", "Secrets", "Services", "Standard", "note",
			"Variables", "Version {{.Version}}", "date", "ok", "prompt", "prompts", "{{.Count}} minutes",
			"{{.Message}} (code {{.Code}})",
		}, "de": {
			"Computer", "Downloads", "In {{.Names}}", "Repository", "Videos", "ok", "Problem", "(in {{.Field}})",
			"{{.Problem}} (in {{.Field}})",
			"Audio", "Details", "Link", "Name", "OK", "Optional", "Server", "Server, {{.Level}}", "Standard", "System",
			"Text", "Token", "Toolbox", "Tools",
			"Version {{.Version}}", "Website",
		}}
}

// release is the variable that demands every text in every language. The scripts that build packages set it.
const release = "WORKBENCH_RELEASE"

// TestLanguagesAreComplete checks the texts of each language: the same arguments as in English, and the plural
// forms and quotation marks of the language. A text that is missing is shown in English, so the test only lists it,
// unless this is a release.
func TestLanguagesAreComplete(t *testing.T) {
	var missing []string
	t.Cleanup(func() {
		if len(missing) == 0 {
			return
		}
		slices.Sort(missing)
		list := fmt.Sprintf("%d texts are shown in English, since they are not translated yet:\n\t%s", len(missing),
			strings.Join(missing, "\n\t"))
		if os.Getenv(release) != "" {
			t.Error(list)
		} else {
			t.Log(list)
		}
	})
	window, files := texts(t, assets.Translations), texts(t, assets.Words)
	maps.Copy(files, window)
	languages := map[string]bool{}
	for name := range files {
		languages[languageOf(name)] = true
	}
	delete(languages, "en")
	if len(languages) == 0 {
		t.Fatal("there is no language except English; the test looks in the wrong place")
	}
	for english, wanted := range files {
		if languageOf(english) != "en" {
			continue
		}
		for tag := range languages {
			name := strings.TrimSuffix(english, "en.json") + tag + ".json"
			had, ok := files[name]
			switch {
			case ok:
				missing = append(missing, compare(t, name, tag, wanted, had)...)
			default:
				missing = append(missing, name)
			}
		}
	}
	for name := range files {
		if english := strings.TrimSuffix(name, languageOf(name)+".json") + "en.json"; files[english] == nil {
			t.Errorf("%s has no English", name)
		}
	}
}

// texts returns the texts of all files by their name, each text by its plural forms.
func texts(t *testing.T, in fs.FS) map[string]map[string]map[string]string {
	t.Helper()
	names, err := fs.Glob(in, "translations/*.json")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]map[string]map[string]string{}
	for _, name := range names {
		data, err := fs.ReadFile(in, name)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(data, &raw); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file := map[string]map[string]string{}
		for key, value := range raw {
			forms := map[string]string{}
			if value[0] == '"' {
				value = slices.Concat([]byte(`{"other":`), value, []byte("}"))
			}
			err := json.Unmarshal(value, &forms)
			if err != nil {
				t.Errorf("%s: %s: %v", name, key, err)
			}
			file[key] = forms
		}
		files[path.Base(name)] = file
	}
	return files
}

// languageOf returns "de" for "area.de.json" and for "de.json".
func languageOf(name string) string {
	parts := strings.Split(name, ".")
	return parts[len(parts)-2]
}

// compare checks a file and returns the texts that are missing or are still in English.
func compare(t *testing.T, name, tag string, english, texts map[string]map[string]string) (missing []string) {
	t.Helper()
	marks, ok := quotes()[tag]
	if !ok {
		t.Errorf("%s: which quotation marks has %q?", name, tag)
	}
	for key := range texts {
		if english[key] == nil {
			t.Errorf("%s: there is no English text %q", name, key)
		}
	}
	for key, wanted := range english {
		forms, ok := texts[key]
		if !ok {
			missing = append(missing, fmt.Sprintf("%s: %q", name, key))
			continue
		}
		want := []string{"other"}
		if len(wanted) > 1 {
			want = pluralForms(language.MustParse(tag))
		}
		if had := slices.Sorted(maps.Keys(forms)); !slices.Equal(had, want) {
			t.Errorf("%s: %q has the plural forms %q, not %q", name, key, had, want)
		}
		arguments := placeholders(t, key, slices.Collect(maps.Values(wanted))...)
		for form, text := range forms {
			had := placeholders(t, key, text)
			// "one server" needs no number
			if form != "other" && slices.Contains(arguments, "Count") && !slices.Contains(had, "Count") {
				had = slices.Sorted(slices.Values(append(had, "Count")))
			}
			if !slices.Equal(had, arguments) {
				t.Errorf("%s: %q has the arguments %q, not %q", name, key, had, arguments)
			}
			if untranslated(tag, key, wanted["other"], text) {
				missing = append(missing, fmt.Sprintf(
					"%s: %q is English; if both languages write it alike, add it to alike in engine/words/languages_test.go", name,
					key))
			}
			if why := wrong(tag, marks, key, wanted["other"], text); why != "" {
				t.Errorf("%s: %q, %q %s", name, key, text, why)
			}
		}
	}
	return missing
}

// wrong returns what is wrong with a text of a language; "" for nothing.
func wrong(tag string, marks [2]string, key, english, text string) string {
	bare := regexp.MustCompile(`\{\{[^}]*\}\}`).ReplaceAllString(text, "")
	switch {
	case text == "":
		return "says nothing"
	case !utf8.ValidString(text) || strings.ContainsAny(text, "\u00ad\u200b\ufeff"):
		return "has characters that nobody sees"
	case strings.TrimSpace(text) != text && strings.TrimSpace(english) == english:
		return "has spaces around it"
	case strings.Count(text, marks[0]) != strings.Count(text, marks[1]):
		return "has a quotation mark that is not closed"
	case strings.ContainsAny(strings.NewReplacer(marks[0], "", marks[1], "").Replace(bare), "„“”‚‘«»"):
		return "has quotation marks of another language"
	case regexp.MustCompile(`(^|[ (])'\pL`).MatchString(bare) && !strings.HasSuffix(key, ".example"):
		return "has straight quotation marks around words"
	case strings.Contains(text, "'{{") && !strings.HasSuffix(key, ".example"):
		return "has straight quotation marks around an argument"
	}
	return ""
}

// untranslated reports whether a text is the English one and should not be.
func untranslated(tag, key, english, text string) bool {
	bare := regexp.MustCompile(`\{\{[^}]*\}\}`).ReplaceAllString(text, "")
	return text == english && regexp.MustCompile(`\pL{2}`).MatchString(bare) && !sameInAll().MatchString(key) &&
		!slices.Contains(alike()[tag], english)
}

// pluralForms returns the names of the plural forms of integers in a language, sorted.
func pluralForms(tag language.Tag) []string {
	names := map[plural.Form]string{plural.Other: "other", plural.Zero: "zero", plural.One: "one", plural.Two: "two",
		plural.Few: "few", plural.Many: "many"}
	found := map[string]bool{"other": true}
	for n := range 1000 {
		found[names[plural.Cardinal.MatchPlural(tag, n, 0, 0, 0, 0)]] = true
	}
	return slices.Sorted(maps.Keys(found))
}
