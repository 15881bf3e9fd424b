package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// labels is a row of labels, one of which is chosen. [Tabs] and [Choice] are based on it.
type labels struct {
	Control

	// OnChosen is called when the user chooses another label.
	OnChosen func(index int)

	labels      []string
	full        []measured                           // the sizes of the labels in bold
	pad, height float32                              // space at each side of a label, and the height, in pixels
	chosen      int                                  // the index of the chosen label
	hovered     int                                  // the index of the label under the pointer, or -1
	draw        func(d *drawnLabels, size fyne.Size) // places the shapes and colours the labels
}

func (l *labels) start(self fyne.Widget, names []string, pad, height float32, draw func(*drawnLabels, fyne.Size)) {
	l.labels, l.full, l.hovered = names, make([]measured, len(names)), -1
	l.pad, l.height, l.draw = pad, height, draw
	l.Init(self, nil, nil)
}

// Chosen returns the index of the chosen label.
func (l *labels) Chosen() int { return l.chosen }

// Follow chooses a label without calling OnChosen.
func (l *labels) Follow(index int) {
	if index != l.chosen {
		l.chosen = index
		l.Refresh()
	}
}

// Choose chooses a label and calls OnChosen, if index is valid and the label is not chosen yet.
func (l *labels) Choose(index int) {
	if index < 0 || index >= len(l.labels) || index == l.chosen {
		return
	}
	l.Follow(index)
	if l.OnChosen != nil {
		l.OnChosen(index)
	}
}

// MouseIn implements [desktop.Hoverable].
func (l *labels) MouseIn(event *desktop.MouseEvent) { l.hover(l.at(event.Position.X)) }

// MouseMoved implements [desktop.Hoverable].
func (l *labels) MouseMoved(event *desktop.MouseEvent) { l.hover(l.at(event.Position.X)) }

// MouseOut implements [desktop.Hoverable].
func (l *labels) MouseOut() { l.hover(-1) }

func (l *labels) hover(index int) {
	if index != l.hovered {
		l.hovered = index
		l.Refresh()
	}
}

// widthOf returns the width of a label with the space around it. It uses the bold text, so that choosing a label does
// not move the others.
func (l *labels) widthOf(i int) float32 {
	return l.full[i].of(l.labels[i], l.Theme().Size(theme.SizeText), fyne.TextStyle{Bold: true}).Width + 2*l.pad
}

// Full returns the width at which no label is cut.
func (l *labels) Full() float32 {
	total := float32(0)
	for i := range l.labels {
		total += l.widthOf(i)
	}
	return total
}

// parts returns the widths of the labels. If there is too little room, all are narrower by the same factor.
func (l *labels) parts() []float32 {
	parts, share := make([]float32, len(l.labels)), float32(1)
	if total, room := l.Full(), l.Size().Width; total > room {
		share = room / total
	}
	for i := range parts {
		parts[i] = l.widthOf(i) * share
	}
	return parts
}

// at returns the index of the label at a distance from the left, or -1.
func (l *labels) at(x float32) int {
	left := float32(0)
	for i, width := range l.parts() {
		if left += width; x >= 0 && x < left {
			return i
		}
	}
	return -1
}

// CreateRenderer implements [fyne.Widget].
func (l *labels) CreateRenderer() fyne.WidgetRenderer {
	d := &drawnLabels{labels: l}
	for i := range d.shapes {
		d.shapes[i] = canvas.NewRectangle(nil)
	}
	for range l.labels {
		text := canvas.NewText("", nil)
		text.Alignment = fyne.TextAlignCenter
		d.texts = append(d.texts, text)
	}
	least := func() fyne.Size { // room for the beginning of each label
		const least = 80
		return fyne.NewSize(min(l.Full(), float32(len(l.labels))*least), l.height)
	}
	return NewSketch(l.self, least, d.draw)
}

// drawnLabels are the objects of labels.
type drawnLabels struct {
	labels *labels
	shapes [3]*canvas.Rectangle // behind the labels, from back to front
	texts  []*canvas.Text
}

func (d *drawnLabels) draw(objects []fyne.CanvasObject) []fyne.CanvasObject {
	l := d.labels
	look, variant := l.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	left := float32(0)
	for i, width := range l.parts() {
		text := d.texts[i]
		text.TextSize, text.TextStyle = look.Size(theme.SizeText), fyne.TextStyle{Bold: i == l.chosen}
		text.Color = look.Color(theme.ColorMuted, variant)
		text.Text = Fitted(l.labels[i], width-Gap, text.TextSize, text.TextStyle)
		height := fyne.MeasureText(text.Text, text.TextSize, text.TextStyle).Height
		text.Move(fyne.NewPos(left, (l.height-height)/2))
		text.Resize(fyne.NewSize(width, height))
		left += width
	}
	l.draw(d, l.Size())
	for _, shape := range d.shapes {
		objects = append(objects, shape)
	}
	for _, text := range d.texts {
		text.Refresh()
		objects = append(objects, text)
	}
	return objects
}

// place returns the distance of a label from the left, and its width.
func (d *drawnLabels) place(i int) (left, width float32) {
	text := d.texts[i]
	return text.Position().X, text.Size().Width
}

// Fitted returns as much of a text as fits into a width, followed by "…" if something was cut.
func Fitted(text string, width, size float32, style fyne.TextStyle) string {
	fits := func(text string) bool { return fyne.MeasureText(text, size, style).Width <= width+0.5 }
	if text == "" || fits(text) {
		return text
	}
	runes := []rune(text)
	return shortened(runes, most(len(runes)-1, len(runes)/2, func(n int) bool { return fits(shortened(runes, n)) }))
}
