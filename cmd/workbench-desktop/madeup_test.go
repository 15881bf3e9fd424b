package main

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/workbench-mcp/workbench-desktop/assets"
	"github.com/workbench-mcp/workbench-desktop/engine/client"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/imports"
	"github.com/workbench-mcp/workbench-desktop/engine/words"
	"github.com/workbench-mcp/workbench-desktop/engine/words/wordstest"
)

// madeUpVariable makes the program in a script use the made-up language.
const madeUpVariable = "MADE_UP_LANGUAGE"

// testPrinter returns the Printer of the program in scripts.
func testPrinter() words.Printer {
	if os.Getenv(madeUpVariable) != "" {
		return wordstest.MadeUp()
	}
	return words.In(words.Environment(os.Getenv)...)
}

// checkTranslated is the testscript command
//
//	translated [text…]
//
// It fails if the last program has written an English word that is not in one of the texts. Paths, flags and the names
// of commands, AI apps, fields and the program do not count.
func checkTranslated(ts *testscript.TestScript, _ bool, args []string) {
	shown := ts.ReadFile("stdout") + "\n" + ts.ReadFile("stderr")
	known := append(append(client.IDs(), imports.IDs()...), args...)
	for _, c := range client.All() {
		known = append(known, c.Name)
	}
	slices.SortFunc(known, func(a, b string) int { return len(b) - len(a) }) // a name may be part of another
	for _, known := range known {
		shown = strings.ReplaceAll(shown, known, " ")
	}
	for _, pattern := range []string{`\[exit status \d+\]`, `[^\s"'(]*[/\\][^\s"',:)]*`, `--[a-z][a-z-]*`,
		`\b(` + strings.Join(plainNames(), "|") + `)\b`} {
		shown = regexp.MustCompile(pattern).ReplaceAllString(shown, " ")
	}
	if found := wordstest.English(shown); len(found) > 0 {
		ts.Fatalf("these words are not in assets/translations: %q\nin: %s", found, shown)
	}
}

// plainNames returns the names of the program, of its commands and flags, and of the fields of the configuration.
func plainNames() []string {
	// "$schema" is no word
	names := config.Names(slices.Concat(config.TopFields()[1:], config.ToolboxFields(), config.ServerFields()))
	var collect func(cmd *cobra.Command)
	collect = func(cmd *cobra.Command) {
		names = append(names, regexp.QuoteMeta(cmd.Name()))
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, regexp.QuoteMeta(f.Name)) })
		for _, sub := range cmd.Commands() {
			collect(sub)
		}
	}
	collect(newRoot(streams{words: words.English()}))
	names = append(names, "help")
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // "add" is part of "add-server"
	return names
}

// TestCatalogueWords checks that the translations have exactly the texts of the servers.
func TestCatalogueWords(t *testing.T) {
	said := map[string]bool{}
	check := func(texts ...words.Text) {
		t.Helper()
		for _, text := range texts {
			if shown := text.String(); shown == string(text.Code) && shown != "" {
				t.Errorf("there is no text %s", text.Code)
			}
			said[string(text.Code)] = true
		}
	}
	for _, e := range catalogue.All() {
		check(e.Title, e.Description, e.Note)
		for _, in := range e.Inputs {
			check(in.Label, in.Hint)
			for _, option := range in.Options {
				check(option.Label)
			}
		}
	}
	data, err := assets.Words.ReadFile("translations/catalogue.en.json")
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]any
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	for code := range kept {
		if strings.HasPrefix(code, "catalogue.server.") && !said[code] {
			t.Errorf("no server has the text %s", code)
		}
	}
}
