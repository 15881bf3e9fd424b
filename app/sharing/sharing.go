// Package sharing shows the file that a toolbox is shared as, and saves it.
package sharing

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/share"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// Options are what the dialog needs.
type Options struct {
	Window *frame.Window
	Getenv func(string) string
}

// The width of the dialog, in pixels, and the number of lines of the file that are visible at once.
const (
	width = 760
	lines = 12
)

// Show shows the file for a toolbox, so that the user can read it before saving it.
func Show(box *config.Toolbox, o Options) {
	here := paths.Here(o.Getenv)
	options := share.Options{Home: here.Home, Say: kit.Say}
	options.Extensions, _ = here.Extensions() // without a place for them, there are none
	file, err := share.Make(box, options)
	if err != nil {
		o.Window.Fail(err)
		return
	}
	content := kit.Column(kit.GapWide,
		kit.NewParagraph(lang.L("This is all that the file will have in it. Look through it: what was not recognised as "+
			"a secret is still there."), kit.TextStyle{}),
		kit.NewWhole(lines, spans(string(file.Text))...))
	if len(file.Taken) > 0 {
		taken := kit.Column(kit.GapTight,
			kit.NewText(lang.L("Not in the file"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}))
		for _, each := range file.Taken {
			taken.Add(kit.Sign(theme.StateIdle, kit.NewParagraph(kit.Line(each.Server)+": "+kit.Say(each.What), kit.Small())))
		}
		content.Add(taken)
	}
	saving := o.Window.NewSaving(filepath.Join(here.UserFolders().Documents, file.Name), file.Save, o.Window.TellSaved)
	content.Add(kit.Column(kit.GapTight, kit.NewText(lang.L("Save as"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		saving.Content))
	shown, _ := kit.NewScrollingQuestion(lang.L("Share “{{.Name}}”", map[string]any{"Name": kit.Line(box.Name)}), width,
		content, o.Window.Window)
	saving.ShowIn(shown)
}

// spans returns the lines of a text. Characters that cannot be seen are written as JSON escapes.
func spans(text string) []kit.WholeSpan {
	var all []kit.WholeSpan
	for line := range strings.Lines(text) {
		all = append(all, kit.WholeSpan{Text: visible.Map(strings.TrimSuffix(line, "\n"), visible.Escape), Break: true})
	}
	return all
}
