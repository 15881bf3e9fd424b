package kit

import (
	"cmp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Arranged lays out objects with two functions, for a layout that is used only once. least returns the smallest size,
// and place places the objects.
func Arranged(least func() fyne.Size, place func(size fyne.Size), objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(arrange{least, place}, objects...)
}

// arrange is the layout of [Arranged].
type arrange struct {
	least func() fyne.Size
	place func(size fyne.Size)
}

func (a arrange) MinSize([]fyne.CanvasObject) fyne.Size        { return a.least() }
func (a arrange) Layout(_ []fyne.CanvasObject, size fyne.Size) { a.place(size) }

// Sized gives an object a fixed smallest width and height. 0 means the object's own.
func Sized(width, height float32, object fyne.CanvasObject) *fyne.Container {
	return Arranged(
		func() fyne.Size {
			if width != 0 && height != 0 {
				return fyne.NewSize(width, height)
			}
			least := object.MinSize()
			return fyne.NewSize(cmp.Or(width, least.Width), cmp.Or(height, least.Height))
		},
		object.Resize,
		object)
}

// Steady keeps an object as high as it has ever been. height points to its greatest height so far, in pixels, and is
// updated.
func Steady(height *float32, object fyne.CanvasObject) *fyne.Container {
	return Arranged(
		func() fyne.Size {
			least := object.MinSize()
			return fyne.NewSize(least.Width, max(least.Height, *height))
		},
		func(size fyne.Size) {
			object.Resize(size)
			*height = max(*height, object.MinSize().Height) // texts know their number of lines only now
		},
		object)
}

// NewNarrow limits the width of an object and places it at the left.
func NewNarrow(width float32, object fyne.CanvasObject) *fyne.Container {
	return Arranged(
		object.MinSize,
		func(size fyne.Size) { object.Resize(fyne.NewSize(min(width, size.Width), size.Height)) },
		object)
}

// NewCentred centres an object horizontally. It is at most width pixels wide, with GapEdge at its sides and vertical
// pixels above and below.
func NewCentred(width, vertical float32, object fyne.CanvasObject) *fyne.Container {
	return Arranged(
		func() fyne.Size { return object.MinSize().AddWidthHeight(2*GapEdge, 2*vertical) },
		func(size fyne.Size) {
			width := min(width, size.Width-2*GapEdge)
			object.Move(fyne.NewPos((size.Width-width)/2, vertical))
			object.Resize(fyne.NewSize(width, size.Height-2*vertical))
		},
		object)
}

// NewMiddle centres an object. The object is at most width pixels wide and as high as it needs to be. If there is too
// little room, it scrolls.
func NewMiddle(width float32, object fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVScroll(Arranged(
		func() fyne.Size { return object.MinSize().AddWidthHeight(2*GapEdge, 2*GapEdge) },
		func(size fyne.Size) {
			width := min(width, size.Width-2*GapEdge)
			height := Settle(object, width)
			// A little above the middle looks centred.
			object.Move(fyne.NewPos((size.Width-width)/2, max(GapEdge, (size.Height-height)*0.42)))
		},
		object))
}

// NewShared places two objects side by side with gap between them. The first gets a share of the width, from 0 to 1,
// but never less than its smallest width. The second gets the rest. A hidden first object takes no room.
func NewShared(share, gap float32, first, second fyne.CanvasObject) *fyne.Container {
	return Arranged(
		func() fyne.Size {
			a, b := first.MinSize(), second.MinSize()
			if !first.Visible() {
				return b
			}
			return fyne.NewSize(a.Width+gap+b.Width, max(a.Height, b.Height))
		},
		func(size fyne.Size) {
			width := max(first.MinSize().Width, (size.Width-gap)*share)
			if !first.Visible() {
				width = -gap
			}
			first.Resize(fyne.NewSize(width, size.Height))
			second.Move(fyne.NewPos(width+gap, 0))
			second.Resize(fyne.NewSize(size.Width-width-gap, size.Height))
		},
		first, second)
}

// NewBeside places the second object, such as buttons, at the right of the first. If that leaves the first less than
// least pixels, the second goes below the first. A hidden second object takes no room.
func NewBeside(least float32, first, second fyne.CanvasObject) *fyne.Container {
	return NewBesideWhole(func() float32 { return least }, first, second)
}

// NewBesideWhole is like [NewBeside], but calls least at each layout, for a least width that may change, such as that
// of a text.
func NewBesideWhole(least func() float32, first, second fyne.CanvasObject) *fyne.Container {
	width := float32(0) // the whole width at the last layout
	// room returns the width for the first object, and whether the second is below it.
	room := func() (float32, bool) {
		if !second.Visible() {
			return width, false
		}
		room := width - GapBlock - second.MinSize().Width
		if width > 0 && room < least() {
			return width, true
		}
		return max(0, room), false
	}
	return Arranged(
		func() fyne.Size {
			a, b := first.MinSize(), second.MinSize()
			_, below := room()
			switch {
			case !second.Visible():
				return a
			case below:
				return fyne.NewSize(max(a.Width, b.Width), a.Height+Gap+b.Height)
			}
			return a.Max(b)
		},
		func(size fyne.Size) {
			width = size.Width
			room, below := room()
			height, after := Settle(first, room), second.MinSize()
			if below {
				first.Move(fyne.NewPos(0, 0))
				second.Move(fyne.NewPos(0, height+Gap))
				second.Resize(fyne.NewSize(min(after.Width, size.Width), after.Height))
				return
			}
			first.Move(fyne.NewPos(0, max(0, (size.Height-height)/2)))
			second.Move(fyne.NewPos(size.Width-after.Width, max(0, (size.Height-after.Height)/2)))
			second.Resize(after)
		},
		first, second)
}

// halfAtLeast is the smallest width of a half, in pixels.
const halfAtLeast = 230

// NewHalves places two objects side by side if there is room, or else one below the other.
func NewHalves(first, second fyne.CanvasObject) *fyne.Container {
	return Arranged(
		func() fyne.Size {
			a, b := first.MinSize(), second.MinSize()
			if beside := second.Position().Y == 0; beside || first.Size().Width == 0 {
				return a.Max(b)
			}
			return fyne.NewSize(max(a.Width, b.Width), a.Height+GapWide+b.Height)
		},
		func(size fyne.Size) {
			if half := (size.Width - GapBlock) / 2; half >= halfAtLeast {
				first.Resize(fyne.NewSize(half, size.Height))
				second.Move(fyne.NewPos(half+GapBlock, 0))
				second.Resize(fyne.NewSize(half, size.Height))
				return
			}
			second.Move(fyne.NewPos(0, Settle(first, size.Width)+GapWide))
			Settle(second, size.Width)
		},
		first, second)
}

// markSize is the width and height of the icon of a state, in pixels.
const markSize = 16

// Marked places the icon of a state at the left of an object, in line with the first line of its text.
func Marked(state theme.State, object fyne.CanvasObject) *fyne.Container {
	return MarkedBy(widget.NewIcon(state.Icon()), object)
}

// MarkedBy is like [Marked] with an icon that the caller can change.
func MarkedBy(icon *widget.Icon, object fyne.CanvasObject) *fyne.Container {
	const left = markSize + Gap
	return Arranged(
		func() fyne.Size {
			least := object.MinSize()
			return fyne.NewSize(left+least.Width, max(markSize+GapHair, least.Height))
		},
		func(size fyne.Size) {
			icon.Move(fyne.NewPos(0, GapHair))
			icon.Resize(fyne.NewSquareSize(markSize))
			object.Move(fyne.NewPos(left, 0))
			object.Resize(fyne.NewSize(size.Width-left, size.Height))
		},
		icon, object)
}

// NewFlow places objects side by side with gap between them, and starts a new line when there is no room. Like wrapped
// text, it knows its height only when it has its width. Fyne's layout for this, the row wrap, starts a new line too
// early, because it also counts the gap after the last object.
func NewFlow(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flowLayout{gap: gap, lead: gap}, objects...)
}

// flowLayout has gap between objects and lead between lines.
type flowLayout struct{ gap, lead, width float32 }

func (f *flowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	widest := float32(0)
	for _, object := range objects {
		if object.Visible() {
			widest = max(widest, object.MinSize().Width)
		}
	}
	return fyne.NewSize(widest, f.place(objects, cmp.Or(f.width, 1<<20), false))
}

func (f *flowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.place(objects, size.Width, true)
}

// place returns the height at a width and, if move is set, places the objects. Objects on a line are centred
// vertically.
func (f *flowLayout) place(objects []fyne.CanvasObject, width float32, move bool) float32 {
	y := float32(0)
	for first := 0; first < len(objects); {
		x, line, next := float32(0), float32(0), first
		for ; next < len(objects); next++ {
			if size := objects[next].MinSize(); objects[next].Visible() {
				if x > 0 && x+size.Width > width+0.5 {
					break
				}
				x += size.Width + f.gap
				line = max(line, size.Height)
			}
		}
		if line > 0 && y > 0 {
			y += f.lead
		}
		x = 0
		for _, object := range objects[first:next] {
			if size := object.MinSize(); move && object.Visible() {
				object.Move(fyne.NewPos(x, y+(line-size.Height)/2))
				object.Resize(fyne.NewSize(min(size.Width, max(width, 0)), size.Height))
				x += size.Width + f.gap
			}
		}
		y, first = y+line, next
	}
	return y
}
