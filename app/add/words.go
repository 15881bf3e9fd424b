package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// words is text that wraps and can change.
type words struct {
	root fyne.CanvasObject
	rich *widget.RichText
}

func newWords(text string, style kit.TextStyle) *words {
	segment := &widget.TextSegment{Text: kit.Line(text), Style: widget.RichTextStyle{
		ColorName: style.Color, SizeName: style.Size, Alignment: style.Align,
		TextStyle: fyne.TextStyle{Bold: style.Bold, Monospace: style.Mono},
	}}
	w := &words{rich: widget.NewRichText(segment)}
	w.rich.Wrapping = fyne.TextWrapWord
	// Fyne puts space around its text; ours leaves all spacing to the layout.
	w.root = container.New(layout.NewCustomPaddedLayout(-8, -8, -8, -8), w.rich)
	return w
}

func (w *words) set(text string, color fyne.ThemeColorName) {
	segment := w.rich.Segments[0].(*widget.TextSegment)
	if text = kit.Line(text); segment.Text == text && segment.Style.ColorName == color {
		return
	}
	segment.Text, segment.Style.ColorName = text, color
	w.rich.Refresh()
}

// small is the style of what explains something.
func small() kit.TextStyle { return kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }

// heading is the style of a title within a page.
func heading() kit.TextStyle { return kit.TextStyle{Size: theme.SizeHeading, Bold: true} }

// sign is an icon of a state beside a text that may have several lines: at the height of the first.
func sign(state theme.State, text fyne.CanvasObject, trailing ...fyne.CanvasObject) fyne.CanvasObject {
	icon := container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(state.Icon()))
	if len(trailing) == 0 {
		return container.NewBorder(nil, nil, kit.Column(0, kit.Inset(icon, 1, 0)), nil, text)
	}
	return container.NewBorder(nil, nil, kit.Row(0, icon), kit.Row(0, append([]fyne.CanvasObject{kit.NewGap(12, 1)}, trailing...)...), container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer()))
}

func setVisible(object fyne.CanvasObject, visible bool) {
	if visible {
		object.Show()
	} else {
		object.Hide()
	}
}
