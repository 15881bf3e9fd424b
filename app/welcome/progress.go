package welcome

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// progress shows the three steps and which one is current.
type progress struct {
	widget.BaseWidget
	at  model.Step
	row *fyne.Container
}

func newProgress() *progress {
	p := &progress{at: -1, row: kit.Row(kit.Gap)}
	p.ExtendBaseWidget(p)
	p.Set(model.StepBring)
	return p
}

// Set sets the current step.
func (p *progress) Set(at model.Step) {
	if p.at == at {
		return
	}
	p.at = at
	p.row.Objects = nil
	for i, word := range stepWords() {
		if i > 0 {
			p.row.Add(kit.Sized(32, 1, widget.NewSeparator()))
		}
		p.row.Add(p.mark(model.Step(i)))
		style := kit.TextStyle{Color: theme.ColorMuted}
		if model.Step(i) == at {
			style = kit.TextStyle{Bold: true}
		}
		p.row.Add(kit.NewText(word, style))
	}
	p.Refresh()
}

// markSize is the width and height of the mark of a step, in pixels.
const markSize = 24

// mark returns the mark of a step: its number, or a tick if it is done.
func (p *progress) mark(step model.Step) fyne.CanvasObject {
	number := kit.TextStyle{Size: theme.SizeSmall, Bold: true, Align: fyne.TextAlignCenter, Color: theme.ColorMuted}
	ground := kit.BoxStyle{Line: theme.ColorLine, Radius: theme.SizeChipRadius}
	var content fyne.CanvasObject
	switch {
	case step < p.at:
		ground = kit.BoxStyle{Fill: theme.ColorTint, Radius: theme.SizeChipRadius}
		content = kit.Inset(widget.NewIcon(base.NewColoredResource(base.ConfirmIcon(), theme.ColorAccent)), kit.GapTight,
			kit.GapTight)
	case step == p.at:
		ground = kit.BoxStyle{Fill: theme.ColorAccent, Radius: theme.SizeChipRadius}
		number.Color = base.ColorNameForegroundOnPrimary
	}
	if content == nil {
		content = container.NewCenter(kit.NewText(strconv.Itoa(int(step)+1), number))
	}
	return kit.Sized(markSize, markSize, kit.NewBox(ground, content))
}

// AccessibilityLabel returns the current step in words.
func (p *progress) AccessibilityLabel() string {
	words := stepWords()
	if p.at < 0 || int(p.at) >= len(words) {
		return ""
	}
	return kit.Facts(lang.L("Step {{.Number}} of 3", map[string]any{"Number": int(p.at) + 1}), words[p.at])
}

func stepWords() [3]string {
	return [3]string{lang.L("Bring in servers"), lang.L("Connect AI apps"), lang.L("Done")}
}

// CreateRenderer implements [fyne.Widget].
func (p *progress) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(p.row) }
