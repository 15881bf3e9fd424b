package words_test

import (
	"io/fs"
	"strconv"
	"testing"
	"testing/fstest"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// languages returns the languages of the files.
func languages(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(assets.Words, "translations/help.*.json")
	if err != nil || len(names) < 2 {
		t.Fatalf("the files are %q, %v", names, err)
	}
	var found []string
	for _, name := range names {
		found = append(found, languageOf(name))
	}
	return found
}

// TestLanguagesOfCountries checks, with Unicode's data for every country, that everybody gets the files of
// their language in their script.
func TestLanguagesOfCountries(t *testing.T) {
	files, names := fstest.MapFS{}, languages(t)
	for _, name := range names {
		files["translations/"+name+".json"] = &fstest.MapFile{Data: []byte(`{"it": "` + name + `"}`)}
	}
	regions := []string{""}
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			regions = append(regions, "-"+string(a)+string(b))
		}
	}
	asked := 0
	for _, base := range []string{"de", "en", "es", "fr", "ja", "pt", "zh", "ko", "sr", "it", "haw"} {
		for _, script := range []string{"", "-Latn", "-Hans", "-Hant", "-Jpan", "-Cyrl"} {
			for _, region := range regions {
				tag, err := language.Parse(base + script + region)
				country, _ := tag.Region()
				if err != nil || region != "" && (!country.IsCountry() || country.Canonicalize().String() != region[1:]) {
					continue
				}
				asked++
				want := "en"
				for _, name := range names {
					if same(tag, language.MustParse(name)) {
						want = name
					}
				}
				if got, _ := words.Sentences(files, nil, base+script+region)("it", nil, nil); got != want {
					t.Errorf("%s%s%s gets %q, want %q", base, script, region, got, want)
				}
			}
		}
	}
	if asked < 10_000 {
		t.Errorf("%d tags were asked for", asked)
	}
}

// same reports whether two tags are of one language in one script.
func same(a, b language.Tag) bool {
	base, _ := a.Base()
	otherBase, _ := b.Base()
	script, _ := a.Script()
	otherScript, _ := b.Script()
	return base == otherBase && script == otherScript
}

// TestPlurals checks that numbers get the plural forms in Unicode's data.
func TestPlurals(t *testing.T) {
	for _, name := range languages(t) {
		files := fstest.MapFS{"translations/" + name +
			".json": {Data: []byte(`{"it": {"zero": "0", "one": "1", "two": "2", "few": "3", "many": "4", "other": "5"}}`)}}
		said := words.Sentences(files, nil, name)
		for _, n := range []int{1_000_000, 1_000_001, 2_000_000} {
			checkPlural(t, name, said, n)
		}
		for n := range 1000 {
			checkPlural(t, name, said, n)
		}
	}
}

func checkPlural(t *testing.T, name string, said words.Localize, n int) {
	t.Helper()
	numbers := map[plural.Form]int{plural.Zero: 0, plural.One: 1, plural.Two: 2, plural.Few: 3, plural.Many: 4,
		plural.Other: 5}
	want := strconv.Itoa(numbers[plural.Cardinal.MatchPlural(language.MustParse(name), n, 0, 0, 0, 0)])
	if got, _ := said("it", &n, nil); got != want {
		t.Errorf("%s, %d: the form is %q, want %q", name, n, got, want)
	}
}
