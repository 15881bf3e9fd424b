package activity

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// bar has the controls above the table: the filter, the pause and the export.
type bar struct {
	root    *fyne.Container
	search  *kit.Input
	outcome *kit.Choice
	pause   *kit.Button
	export  *kit.Button
}

func newBar(s *Screen) *bar {
	b := &bar{}
	b.search = kit.NewSearch(lang.L("Search"), func(text string) { s.kept.Filter.Text = text; s.fill() })
	b.outcome = kit.NewChoice(lang.L("All"), lang.L("Running"), lang.L("Problems"))
	b.outcome.OnChosen = func(index int) { s.kept.Filter.Outcome = index; s.fill() }
	b.follow(s.kept.Filter)
	b.pause = kit.NewButton("", widget.MediumImportance, func() { s.setPaused(!s.feed.paused) })
	b.export = kit.NewButton(lang.L("Export…"), widget.MediumImportance, s.showExport)
	// The search field comes first for the Tab key as well.
	b.root = kit.Row(kit.Gap, kit.Rest(b.search), b.outcome, b.pause, b.export)
	return b
}

// follow shows a filter.
func (b *bar) follow(filter model.CallFilter) {
	b.search.Follow(filter.Text)
	b.outcome.Follow(filter.Outcome)
}

// label sets the text and the icon of the pause button. waiting is how many calls the pause holds back.
func (b *bar) label(paused bool, waiting int) {
	text, icon := lang.L("Pause the list"), base.MediaPauseIcon()
	if paused {
		text, icon = lang.L("Continue the list"), base.MediaPlayIcon()
	}
	if waiting > 0 {
		text = lang.N("Continue ({{.Count}} new)", waiting, map[string]any{"Count": waiting})
	}
	if b.pause.Text != text {
		b.pause.Text, b.pause.Icon = text, icon
		b.pause.Refresh()
		b.root.Refresh() // lays out the bar with the new width
	}
}
