package words_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/workbench-mcp/workbench-desktop/assets"
)

// TestQuotationMarks holds that the texts of a window have no straight quotation marks, in any language, and that of the engine's English
// ones only those areas have some that are written for a terminal, a log, a model or a file as well. No English text has both kinds.
func TestQuotationMarks(t *testing.T) {
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
		"config", "jsonrpc", "toolbox", "downstream", "signin", "paste", // they show JSON and names from the file, as they are to be written there
		"command", "help", "setup", "workbench", // for a terminal and for models
		"autostart", "bundle", "catalogue", "clients", "imports", // errors that commands print too
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
				case !slices.Contains(straight, area):
					t.Errorf("%s: %s has straight quotation marks: %s", name, code, text)
				case strings.ContainsAny(text, "“”"):
					t.Errorf("%s: %s has two kinds of quotation marks: %s", name, code, text)
				}
			}
		}
	}
}
