package words_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
)

// TestOneNameForApps checks that the window calls the programs that use Workbench "AI apps" or "apps", and nothing
// else.
func TestOneNameForApps(t *testing.T) {
	other := regexp.MustCompile(`(?i)\b(AI|MCP) (clients?|applications?|assistants?|tools?|programs?)\b|\b(clients?|assistants?|agents?|chatbots?|LLMs?)\b`)
	argument := regexp.MustCompile(`\{\{[^}]*\}\}`)
	found := 0
	for key, forms := range texts(t, assets.Translations)["en.json"] {
		for _, text := range forms {
			if other.MatchString(argument.ReplaceAllString(text, "")) {
				t.Errorf("%q has another name for an AI app: %s", key, text)
			}
			if strings.Contains(text, "AI app") {
				found++
			}
		}
	}
	if found == 0 {
		t.Error("no text has an AI app; the test looks in the wrong place")
	}
}

// TestQuotationMarks checks that no text of a window has straight quotation marks, in any language, and that
// among the engine's English texts only those areas have them that are also written to a terminal, a log, a
// model or a file. No English text has both kinds. No code quotes an argument itself: [words.Quoted] has
// the marks of the language. Only config shows JSON as it is in the file.
func TestQuotationMarks(t *testing.T) {
	uses, _ := source(t)
	for _, use := range uses {
		if use.quotes {
			t.Errorf("%s: an argument of %s is quoted in the style of Go; use words.Quoted", use.at, use.code)
		}
	}
	sentence := words.New("edit.available", "Names", words.List(words.QuotedEach("a", "b")...), "More", 0)
	for tag, marks := range quotes() {
		said := words.In(tag).Text(sentence)
		if strings.Contains(said, `"`) || strings.Count(said, marks[0]) != 2 || strings.Count(said, marks[1]) != 2 {
			t.Errorf("%s: %s", tag, said)
		}
	}
	if said := sentence.String(); !strings.Contains(said, `"a", "b"`) {
		t.Errorf("for a terminal and a model, the sentence is: %s", said)
	}
	for name, file := range texts(t, assets.Translations) {
		for key, forms := range file {
			for _, text := range forms {
				if strings.Contains(text, `"`) {
					t.Errorf("%s: %q has straight quotation marks: %s", name, key, text)
				}
			}
		}
	}
	straight := []string{
		// they show JSON, and names as they must be written in the file
		"config", "jsonrpc", "toolbox", "downstream", "definition", "signin", "foreign",
		"command", "help", "setup", "workbench", // for a terminal and for models
		"autostart", "bundle", "catalogue", "clients", "imports", "token", // errors that commands print too
	}
	for name, file := range texts(t, assets.Words) {
		area, language, _ := strings.Cut(name, ".")
		if language != "en.json" {
			continue
		}
		for code, forms := range file {
			for _, text := range forms {
				switch {
				case !strings.Contains(text, `"`):
				case code == "format.quoted": // what a terminal and a model get; the window has its own
				case !slices.Contains(straight, area):
					t.Errorf("%s: %s has straight quotation marks: %s", name, code, text)
				case strings.ContainsAny(text, "“”"):
					t.Errorf("%s: %s has two kinds of quotation marks: %s", name, code, text)
				}
			}
		}
	}
}
