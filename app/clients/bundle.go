package clients

import (
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/review"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
	"github.com/workbench-mcp/workbench-desktop/engine/config"
	judging "github.com/workbench-mcp/workbench-desktop/engine/manage/entries/review"
)

// bundleApp is the id of Claude Desktop, the only app that can install a bundle.
const bundleApp = "claude-desktop"

// Bundling makes the bundle with which Claude Desktop starts Workbench. A bundle is an .mcpb file; see package
// engine/manage/apps/bundle.
type Bundling interface {
	// PlaceBundle returns where the bundle is saved unless the user chooses another place, and what Claude Desktop will
	// start.
	PlaceBundle(done func(path string, starts *config.Server))

	// MakeBundle saves the bundle at a path.
	MakeBundle(path string, done func(path string, err error))

	// MakeBundleElsewhere lets the user choose the path, and proposes one.
	MakeBundleElsewhere(path string, done func(path string, err error))
}

// bundling is the dialog that makes a bundle.
type bundling struct {
	*sheet
	place  string
	starts *config.Server
}

// makeBundle opens the dialog.
func (s *Screen) makeBundle() {
	s.actions.PlaceBundle(func(place string, starts *config.Server) {
		b := &bundling{s.open(), place, starts}
		b.turn(func() { b.offer("") })
	})
}

// show shows a page under the title.
func (b *bundling) show(body []fyne.CanvasObject, buttons ...*kit.Button) {
	b.SetTitle(lang.L("A bundle for Claude Desktop"))
	b.sheet.show(body, buttons...)
}

// offer explains the bundle and offers to make it.
func (b *bundling) offer(problem string) {
	actions := b.screen.actions
	words := map[string]any{"Path": b.place}
	body := []fyne.CanvasObject{}
	if problem != "" {
		body = append(body, kit.NewMarked(theme.StateWrong, problem))
	}
	var once []fyne.CanvasObject
	if slices.ContainsFunc(b.screen.view.Cards, func(card Card) bool {
		return card.ID == bundleApp && card.registered()
	}) {
		once = append(once, kit.NewMarked(theme.StateNotice,
			lang.L("Disconnect Claude Desktop here before you install the bundle, or it has everything twice.")))
	}
	body = append(append(body,
		kit.NewParagraph(lang.L("A bundle is a small file that you install in Claude Desktop. Use one if Claude Desktop "+
			"keeps removing Workbench."), kit.TextStyle{}),
		kit.NewText(lang.L("Claude Desktop will start this:"), kit.TextStyle{Bold: true, Size: theme.SizeSmall}),
		review.New(review.View{Judged: judging.Of(b.starts), Bare: true}),
		kit.NewParagraph(lang.L("The bundle will be saved as {{.Path}}.", words), kit.Small()),
	), once...)
	b.show(body, b.cancel(lang.L("Cancel")),
		kit.NewButton(lang.L("Save it elsewhere…"), widget.MediumImportance, func() {
			actions.MakeBundleElsewhere(b.place, b.made)
		}),
		kit.NewButton(lang.L("Make the bundle"), widget.HighImportance, func() { actions.MakeBundle(b.place, b.made) }))
}

// made goes on when the bundle was made, or could not be made.
func (b *bundling) made(path string, err error) {
	if err != nil {
		b.turn(func() { b.offer(kit.ErrorSentence(err)) })
		return
	}
	b.turn(func() { b.tell(path) })
}

// tell says what to do with the bundle.
func (b *bundling) tell(path string) {
	b.show([]fyne.CanvasObject{
		kit.NewMarked(theme.StateConnected, lang.L("The bundle is {{.Path}}.", map[string]any{"Path": path})),
		kit.NewParagraph(lang.L("Open it with a double click. If nothing happens, choose Settings › Extensions › Advanced "+
			"settings › Install extension in Claude Desktop."), kit.TextStyle{}),
	},
		kit.NewButton(lang.L("Open folder"), widget.MediumImportance, func() {
			b.screen.actions.OpenPath(filepath.Dir(path))
		}),
		kit.NewButton(lang.L("Done"), widget.HighImportance, b.close))
}
