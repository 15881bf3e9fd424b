package consent

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// mostMissed is the most questions that are listed as missed. Activity has all of them.
const mostMissed = 20

// showMissed says which questions the user did not answer in time. The window stays until the user closes it, because
// it appeared while the user was away.
func (w *Window) showMissed() {
	w.shown = nil
	w.missed = w.missed[max(0, len(w.missed)-mostMissed):]
	w.prepare()
	w.title = lang.L("You were asked while you were away")
	list := kit.Column(kit.Gap)
	for _, line := range w.missed {
		list.Add(kit.NewParagraph(line, kit.TextStyle{}))
	}
	closing := kit.NewButton(lang.L("Close"), widget.HighImportance, w.refuseAll)
	closing.Disable()
	w.allow, w.clock, w.all, w.count = []*kit.Button{closing}, nil, nil, nil
	w.window.Canvas().Unfocus()
	w.window.SetContent(framed(kit.Column(kit.GapWide,
		kit.NewParagraph(w.title, kit.TextStyle{Size: theme.SizeHeading, Bold: true}),
		kit.Rest(kit.NewPage(list))), fyne.CanvasObject(kit.Rest(kit.NewGap(1, 1))), closing))
	w.settle()
	if !w.seen {
		w.appear()
	}
}
