package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
)

const guide = "../docs/guide"

// TestGuideNamesWhatIsThere checks that each text in bold in the user guide is a text of the window in English, so
// that readers find it.
func TestGuideNamesWhatIsThere(t *testing.T) {
	isShown := windowTexts(t)
	for _, text := range []string{"Save all of it", "Get", "", "12 MB"} {
		if isShown(text) {
			t.Errorf("%q counts as a text of the window", text)
		}
	}
	found := 0
	for _, match := range regexp.MustCompile(`\*\*([^*]+)\*\*`).FindAllStringSubmatch(readGuide(t), -1) {
		found++
		if text := strings.Join(strings.Fields(match[1]), " "); !isShown(text) {
			t.Errorf("the window has no text %q", text)
		}
	}
	if found < 50 {
		t.Errorf("found only %d texts in bold; the pattern of the test is wrong", found)
	}
}

// TestGuideCountsTheCatalogue checks that the guide says how many servers the catalogue has.
func TestGuideCountsTheCatalogue(t *testing.T) {
	want := fmt.Sprintf("%d well-known servers", len(catalogue.All()))
	if !strings.Contains(readGuide(t), want) {
		t.Errorf("the guide does not say %q", want)
	}
}

// TestGuideShowsItsPictures checks that the guide shows each of its pictures, and that each exists, light and dark.
func TestGuideShowsItsPictures(t *testing.T) {
	var shown []string
	for _, match := range regexp.MustCompile(`"(pictures/[^"]+)"`).FindAllStringSubmatch(readGuide(t), -1) {
		shown = append(shown, match[1])
	}
	slices.Sort(shown)
	there, err := filepath.Glob(guide + "/pictures/*.png")
	if err != nil || len(there) == 0 {
		t.Fatalf("no pictures: %v", err)
	}
	for i, path := range there {
		there[i] = "pictures/" + filepath.Base(path)
		twin := strings.TrimSuffix(there[i], ".png") + "-dark.png"
		if !strings.HasSuffix(there[i], "-dark.png") && !slices.Contains(shown, twin) {
			t.Errorf("%s is shown without %s", there[i], twin)
		}
	}
	if !slices.Equal(shown, there) {
		t.Errorf("the guide shows %q\nthere are %q", shown, there)
	}
}

// TestGuideLeadsSomewhere checks that the links of the guide lead to headings, by the names that GitHub gives them, or
// to files that exist. Pages of others are not asked for.
func TestGuideLeadsSomewhere(t *testing.T) {
	text := readGuide(t)
	var headings []string
	for _, match := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(match[1]), "")
		headings = append(headings, "#"+strings.ReplaceAll(name, " ", "-"))
	}
	for _, match := range regexp.MustCompile(`\]\(([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		to := match[1]
		if strings.HasPrefix(to, "https://") {
			continue // a page of another project
		}
		if _, err := os.Stat(filepath.Join(guide, to)); err != nil && !slices.Contains(headings, to) {
			t.Errorf("%s leads nowhere", to)
		}
	}
}

func readGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(guide + "/README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// windowTexts returns a function that reports whether the window shows a text. Placeholders match anything, if the
// rest has at least three letters.
func windowTexts(t *testing.T) func(string) bool {
	t.Helper()
	data, err := assets.Translations.ReadFile("translations/en.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	blank := regexp.MustCompile(`\\\{\\\{\\?\.[A-Za-z]+\\\}\\\}`)
	letters := regexp.MustCompile(`[A-Za-z]`)
	var patterns []*regexp.Regexp
	for text := range kept {
		quoted := regexp.QuoteMeta(text)
		if rest := blank.ReplaceAllString(quoted, ""); rest != quoted && len(letters.FindAllString(rest, -1)) >= 3 {
			patterns = append(patterns, regexp.MustCompile(`^`+blank.ReplaceAllString(quoted, `.+`)+`$`))
		}
	}
	return func(text string) bool {
		_, is := kept[text]
		return is || slices.ContainsFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(text) })
	}
}
