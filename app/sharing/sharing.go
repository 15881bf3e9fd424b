// Package sharing shows the file that a toolbox is shared as, and saves it.
package sharing

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/frame"
	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/kit/code"
	"github.com/workbench-mcp/workbench-desktop/app/live"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	"github.com/workbench-mcp/workbench-desktop/engine/config/secret"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/entries/catalogue"
	"github.com/workbench-mcp/workbench-desktop/engine/manage/file/share"
	"github.com/workbench-mcp/workbench-desktop/engine/paths"
	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// The width of the dialog and of a server's mark, in pixels, and the number of lines of the file that are visible at
// once.
const (
	width    = 760
	tileSize = 32
	lines    = 12
)

// Show shows the file for a toolbox, so that the user can read it before saving it.
func Show(window *frame.Window, box *config.Toolbox) { show(window, box, "") }

// show is like Show. path is where the user wants to save the file, or empty.
func show(window *frame.Window, box *config.Toolbox, path string) {
	here := paths.Here(os.Getenv)
	options := share.Options{Home: here.Home, Say: kit.Say}
	options.Extensions, _ = here.Extensions() // without a place for them, there are none
	file, err := share.Make(box, options)
	if err != nil {
		window.Fail(err)
		return
	}
	content := kit.Column(kit.GapWide, kit.NewText(lang.N("{{.Count}} servers, no passwords", file.Servers,
		map[string]any{"Count": file.Servers}), kit.TextStyle{Bold: true, Size: theme.SizeHeading}))
	for _, server := range box.Servers {
		content.Add(card(server, file.Taken))
	}
	text := kit.Column(kit.Gap,
		kit.NewParagraph(lang.L("This is all that the file will have in it. Look through it: what was not recognised as "+
			"a secret is still there."), kit.TextStyle{}),
		code.NewWhole(lines, spans(string(file.Text))...))
	text.Hide()
	unfold := kit.NewButton(lang.L("Show the file"), widget.LowImportance, nil)
	content.Add(kit.Row(0, kit.Flush(unfold, true, false)))
	content.Add(text)
	path = cmp.Or(path, filepath.Join(here.UserFolders().Documents, file.Name))
	saving := window.NewSaving(path, file.Save, window.TellSaved)
	content.Add(kit.Column(kit.GapTight, kit.NewText(lang.L("Save as"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		saving.Content))
	shown, page := kit.NewScrollingQuestion(lang.L("Share “{{.Name}}”", map[string]any{"Name": kit.Line(box.Name)}), width,
		content, window.Window)
	unfold.OnTapped = func() {
		kit.SetVisible(text, !text.Visible())
		page.Arrange()
		shown.Refresh()
	}
	saving.ShowIn(shown, func(path string) { show(window, box, path) })
}

// card shows a server: what runs, and what of it is not in the file.
func card(server *config.Server, taken []share.Taken) fyne.CanvasObject {
	runs := server.URL
	if runs == "" {
		runs = strings.Join(append([]string{server.Command}, server.Args...), " ")
	}
	text := kit.Column(kit.GapHair, kit.NewText(kit.Line(server.Name), kit.TextStyle{Bold: true, Shrinks: true}),
		kit.NewText(kit.Line(secret.Mask(runs)), kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted, Shrinks: true}))
	labels := live.Fields()
	for _, each := range taken {
		if each.Server == server.Name {
			what := each.What.Map(func(where string) string { return cmp.Or(labels[where], where) })
			text.Add(kit.Sign(theme.StateKey, kit.NewParagraph(kit.Say(what), kit.Small())))
		}
	}
	return kit.NewCard(kit.Row(kit.GapWide, kit.NewTile(catalogue.Known(server), server.Name, tileSize), kit.Rest(text)))
}

// spans returns the lines of a text. Characters that cannot be seen are written as JSON escapes.
func spans(text string) []code.WholeSpan {
	var all []code.WholeSpan
	for line := range strings.Lines(text) {
		all = append(all, code.WholeSpan{Text: visible.Map(strings.TrimSuffix(line, "\n"), visible.Escape), Break: true})
	}
	return all
}
