package add

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// wrapped is text that wraps and can change.
type wrapped struct {
	root fyne.CanvasObject
	rich *widget.RichText
}

func newWrapped(text string, style kit.TextStyle) *wrapped {
	segment := &widget.TextSegment{Text: kit.Line(text), Style: widget.RichTextStyle{
		ColorName: style.Color, SizeName: style.Size, Alignment: style.Align,
		TextStyle: fyne.TextStyle{Bold: style.Bold, Monospace: style.Mono},
	}}
	w := &wrapped{rich: widget.NewRichText(segment)}
	w.rich.Wrapping = fyne.TextWrapWord
	// Fyne puts space around its text; ours leaves all spacing to the layout.
	w.root = container.New(layout.NewCustomPaddedLayout(-8, -8, -8, -8), w.rich)
	return w
}

func (w *wrapped) set(text string, color fyne.ThemeColorName) {
	segment := w.rich.Segments[0].(*widget.TextSegment)
	if text = kit.Line(text); segment.Text == text && segment.Style.ColorName == color {
		return
	}
	segment.Text, segment.Style.ColorName = text, color
	w.rich.Refresh()
}

// small is the style of what explains something.
func small() kit.TextStyle { return kit.TextStyle{Size: theme.SizeSmall, Color: theme.ColorMuted} }

// sign is an icon of a state beside a text that may have several lines: at the height of the first. What only informs has
// another icon than a server that is not started.
func sign(state theme.State, text fyne.CanvasObject, trailing ...fyne.CanvasObject) fyne.CanvasObject {
	picture := state.Icon()
	if state == theme.StateIdle {
		picture = base.NewColoredResource(base.InfoIcon(), theme.ColorMuted)
	}
	icon := fyne.CanvasObject(kit.Column(0, kit.Inset(container.NewGridWrap(fyne.NewSquareSize(16), widget.NewIcon(picture)), 1, 0)))
	if len(trailing) == 0 {
		return container.New(signLayout{}, icon, text)
	}
	return container.NewBorder(nil, nil, kit.Row(0, icon), kit.Row(0, append([]fyne.CanvasObject{kit.NewGap(12, 1)}, trailing...)...),
		container.NewBorder(nil, nil, kit.NewGap(4, 1), nil, container.NewVBox(layout.NewSpacer(), text, layout.NewSpacer())))
}

// signLayout puts an icon beside a text, with the text's height.
type signLayout struct{}

const (
	signSize = 16
	signGap  = 8
)

func (signLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	text := objects[1].MinSize()
	return fyne.NewSize(signSize+signGap+text.Width, max(text.Height, signSize+2))
}

func (signLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Resize(fyne.NewSize(signSize, signSize+2))
	objects[1].Move(fyne.NewPos(signSize+signGap, 0))
	objects[1].Resize(fyne.NewSize(size.Width-signSize-signGap, size.Height))
}
