package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Split shows two objects side by side with a line between them that can be dragged. The first object is a list, and
// extra width is of more use to the second one. So, unlike Fyne's split, this one keeps the width of the first object
// when the window is resized.
type Split struct {
	widget.BaseWidget
	lead, trail fyne.CanvasObject
	divider     *divider
	width       float32 // the wanted width of lead, in pixels
	moved       bool    // the user has moved the divider
}

// NewSplit returns a split whose first object is width pixels wide.
func NewSplit(lead, trail fyne.CanvasObject, width float32) *Split {
	s := &Split{lead: lead, trail: trail, width: width}
	s.divider = &divider{split: s}
	s.divider.Init(s.divider, nil, nil)
	s.ExtendBaseWidget(s)
	return s
}

// grip is the width of the divider for the mouse, in pixels. The line itself is thinner.
const grip = 9

// leadWidth returns the width of the first object in a split of the width total. It is the wanted width, unless that
// leaves one of the objects too little room.
func (s *Split) leadWidth(total float32) float32 {
	most := total / 2
	if !s.moved { // unless the user wants otherwise, the second object gets more than half of a narrow window
		most = total * 0.385
	}
	most = min(most, total-s.trail.MinSize().Width-1)
	return max(min(s.width, most), s.lead.MinSize().Width)
}

// Parts implements [Composed].
func (s *Split) Parts() []fyne.CanvasObject { return []fyne.CanvasObject{s.lead, s.trail} }

// CreateRenderer implements [fyne.Widget].
func (s *Split) CreateRenderer() fyne.WidgetRenderer {
	least := func() fyne.Size {
		lead, trail := s.lead.MinSize(), s.trail.MinSize()
		return fyne.NewSize(lead.Width+1+trail.Width, max(lead.Height, trail.Height))
	}
	place := func(size fyne.Size) {
		width := s.leadWidth(size.Width)
		s.lead.Resize(fyne.NewSize(width, size.Height))
		s.trail.Move(fyne.NewPos(width+1, 0))
		s.trail.Resize(fyne.NewSize(size.Width-width-1, size.Height))
		s.divider.Move(fyne.NewPos(width-grip/2, 0))
		s.divider.Resize(fyne.NewSize(grip, size.Height))
	}
	return NewDrawing(s, least, place, nil, s.lead, s.trail, s.divider)
}

// divider is the line between the two objects, with some room for the mouse.
type divider struct {
	Control
	split *Split
}

var _ fyne.Draggable = (*divider)(nil)

func (d *divider) Cursor() desktop.Cursor { return desktop.HResizeCursor }

func (d *divider) Dragged(event *fyne.DragEvent) {
	d.move(event.Dragged.DX)
}

func (d *divider) move(by float32) {
	s := d.split
	now := s.leadWidth(s.Size().Width)
	s.moved, s.width = true, now+by
	s.width = s.leadWidth(s.Size().Width)
	s.Refresh()
}

func (d *divider) DragEnd() {}

// AccessibilityLabel returns the text for screen readers.
func (d *divider) AccessibilityLabel() string { return lang.L("Divider: the arrow keys move it") }

// TypedKey moves the divider with the arrow keys.
func (d *divider) TypedKey(event *fyne.KeyEvent) {
	const step = 16
	switch event.Name {
	case fyne.KeyLeft:
		d.move(-step)
	case fyne.KeyRight:
		d.move(step)
	default:
		d.Control.TypedKey(event)
	}
}

// CreateRenderer implements [fyne.Widget].
func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	line := canvas.NewRectangle(nil)
	place := func(size fyne.Size) {
		width := float32(1)
		if d.focused {
			width = 2
		}
		line.Move(fyne.NewPos(grip/2, 0))
		line.Resize(fyne.NewSize(width, size.Height))
	}
	paint := func() {
		role := theme.ColorLine
		if d.hovered || d.focused {
			role = theme.ColorAccent
		}
		line.FillColor = d.Theme().Color(role, fyne.CurrentApp().Settings().ThemeVariant())
	}
	return NewDrawing(d, func() fyne.Size { return fyne.NewSize(grip, 0) }, place, paint, line)
}
