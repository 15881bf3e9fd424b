package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// load shows as a bar and a word how much of an AI app's memory the tools of a toolbox take while it is open. The
// number appears under the pointer; those without a pointer find it under Advanced.
type load struct {
	widget.BaseWidget
	words   *kit.Text
	filled  fyne.CanvasObject
	heavy   fyne.CanvasObject // the filled part of a heavy toolbox
	bar     *fyne.Container
	word    string
	number  string
	share   float32
	content fyne.CanvasObject
}

var _ desktop.Hoverable = (*load)(nil)

// The numbers of tokens from which a toolbox is medium and heavy, and which fill the bar. AI apps have room for about
// 200,000, and choose tools worse long before that.
const (
	mediumTokens = 5_000
	heavyTokens  = 15_000
	fullTokens   = 20_000
)

func newLoad() *load {
	l := &load{words: kit.NewText("", kit.Small())}
	ground := func(fill fyne.ThemeColorName) *kit.Box {
		return kit.NewBox(kit.BoxStyle{Fill: fill, Radius: theme.SizeMeterRadius}, nil)
	}
	track := ground(theme.ColorLine)
	l.filled, l.heavy = ground(theme.ColorAccent), ground(theme.ColorWorking)
	l.bar = kit.Arranged(func() fyne.Size { return fyne.NewSize(40, 6) }, func(size fyne.Size) {
		track.Resize(size)
		filled := fyne.NewSize(max(size.Height, size.Width*l.share), size.Height)
		l.filled.Resize(filled)
		l.heavy.Resize(filled)
	}, track, l.filled, l.heavy)
	l.content = kit.Row(kit.Gap, l.bar, l.words)
	l.ExtendBaseWidget(l)
	return l
}

// show shows a cost, or nothing if it is not known.
func (l *load) show(cost Cost) {
	l.number = lang.L("About {{.Number}} tokens", map[string]any{"Number": roughly(cost.Open)})
	kit.SetVisible(l, cost.Known > 0)
	kit.SetVisible(l.heavy, cost.Open >= heavyTokens)
	switch {
	case cost.Open < mediumTokens:
		l.word = lang.L("Light for the AI")
	case cost.Open < heavyTokens:
		l.word = lang.L("Medium for the AI")
	default:
		l.word = lang.L("Heavy for the AI")
	}
	l.share = min(1, float32(cost.Open)/fullTokens)
	l.words.Set(l.word)
	l.bar.Refresh()
}

// MinSize reserves the room of the longer text, so that nothing moves under the pointer.
func (l *load) MinSize() fyne.Size {
	least := l.content.MinSize()
	least.Width += max(0, kit.NewText(l.number, kit.Small()).Full().Width-l.words.Full().Width)
	return least
}

// MouseIn shows the number.
func (l *load) MouseIn(*desktop.MouseEvent) { l.words.Set(l.number) }

// MouseMoved implements [desktop.Hoverable].
func (l *load) MouseMoved(*desktop.MouseEvent) {}

// MouseOut shows the word again.
func (l *load) MouseOut() { l.words.Set(l.word) }

// CreateRenderer implements [fyne.Widget].
func (l *load) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(l.content) }
