package tools

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/app/tryit"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/toolform"
	"github.com/workbench-mcp/workbench-desktop/engine/status"
)

// facts are what the definition of a tool says. The tab reads each definition once and keeps the facts.
type facts struct {
	definition tryit.Definition
	form       *toolform.Form // nil until the tool becomes visible
	source     string         // the JSON that the facts were read from
}

// warnings returns what the user should know before using a tool, each in a sentence or two.
func (v View) warnings(tool status.Tool, f *facts) []string {
	var warnings []string
	if !tool.Problem.IsZero() {
		warnings = append(warnings, kit.Say(tool.Problem))
	}
	if tool.Withheld {
		warnings = append(warnings, live.ChangedTools(1))
	}
	for _, mark := range tool.Marks {
		warnings = append(warnings, kit.Sentence(kit.Say(mark)))
	}
	return warnings
}

// effect returns in a few words what the server says a tool may do to the world, and the colour of these words. A tool
// that only reads has none.
func effect(d tryit.Definition) (words string, color fyne.ThemeColorName) {
	is := func(flag *bool, value bool) bool { return flag != nil && *flag == value }
	switch {
	case is(d.ReadOnly, true):
		return "", ""
	case is(d.Destructive, true):
		return lang.L("May delete or overwrite"), theme.ColorWrong
	case is(d.ReadOnly, false) && is(d.OpenWorld, true):
		return lang.L("May send something"), theme.ColorWorking
	case is(d.ReadOnly, false):
		return lang.L("Makes changes"), theme.ColorWorking
	}
	return "", ""
}

// traits returns what the server says about the effects of a tool, each in a few words.
func traits(d tryit.Definition) []string {
	var words []string
	is := func(flag *bool, value bool) bool { return flag != nil && *flag == value }
	switch {
	case is(d.ReadOnly, true):
		words = append(words, lang.L("Only reads"))
	case is(d.Destructive, true):
		words = append(words, lang.L("May delete or overwrite"))
	case is(d.ReadOnly, false):
		words = append(words, lang.L("Makes changes"))
	}
	if is(d.OpenWorld, true) {
		words = append(words, lang.L("Uses the internet"))
	}
	return words
}
