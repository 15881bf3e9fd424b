package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Row places objects side by side with gap between them, centred vertically. Each has its own width. A text that can
// be shortened or wrapped gets its full width if there is room. If there is too little room, the texts at the left get
// their full width first. The object marked by [Rest] gets the remaining width. Hidden objects take no room.
func Row(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	objects, rest := findRest(objects)
	return container.New(rowLayout{gap, rest}, objects...)
}

// Column places objects one below the other with gap between them. Each has the full width and its own height. The
// object marked by [Rest] gets the remaining height. Hidden objects take no room, nor do objects without a height,
// such as empty [Lines].
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	objects, rest := findRest(objects)
	return container.New(columnLayout{gap, rest}, objects...)
}

// Rest marks the object of a [Row] or [Column] that gets the remaining room. With Fyne's border layout, the order of
// the objects, which is also the order of the Tab key, would not be the order on the screen.
func Rest(object fyne.CanvasObject) fyne.CanvasObject { return rest{object} }

type rest struct{ fyne.CanvasObject }

// findRest removes the mark of [Rest]. It also returns the marked object, or nil if there is none.
func findRest(objects []fyne.CanvasObject) (plain []fyne.CanvasObject, marked fyne.CanvasObject) {
	for i, object := range objects {
		if r, ok := object.(rest); ok {
			objects[i], marked = r.CanvasObject, r.CanvasObject
		}
	}
	return objects, marked
}

// fuller is a text that knows its full size on one line.
type fuller interface{ Full() fyne.Size }

type rowLayout struct {
	gap  float32
	rest fyne.CanvasObject
}

func (r rowLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width, height := -r.gap, float32(0)
	for _, object := range objects {
		if object.Visible() {
			least := object.MinSize()
			width, height = width+r.gap+least.Width, max(height, least.Height)
		}
	}
	return fyne.NewSize(max(0, width), height)
}

func (r rowLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	left, sizes := size.Width-r.MinSize(objects).Width, make([]fyne.Size, len(objects))
	for i, object := range objects {
		sizes[i] = object.MinSize()
		if text, ok := object.(fuller); ok && object.Visible() && object != r.rest {
			if more := min(text.Full().Width-sizes[i].Width, left); more > 0 {
				sizes[i].Width, left = sizes[i].Width+more, left-more
				sizes[i].Height = Settle(object, sizes[i].Width)
			}
		}
	}
	x := float32(0)
	for i, object := range objects {
		if !object.Visible() {
			continue
		}
		least := sizes[i]
		if object == r.rest {
			least.Width = max(0, least.Width+left)
			least.Height = Settle(object, least.Width)
		}
		// whole pixels, or the object would be blurred
		object.Move(fyne.NewPos(x, float32(int(max(0, size.Height-least.Height)/2))))
		object.Resize(least)
		x += least.Width + r.gap
	}
}

type columnLayout struct {
	gap  float32
	rest fyne.CanvasObject
}

func (c columnLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	width, height := float32(0), -c.gap
	for _, object := range objects {
		if !object.Visible() {
			continue
		}
		least := object.MinSize()
		width = max(width, least.Width)
		if least.Height > 0 || object == c.rest {
			height += c.gap + least.Height
		}
	}
	return fyne.NewSize(width, max(0, height))
}

func (c columnLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	// The height of wrapped text depends on its width.
	left, heights := size.Height+c.gap, make([]float32, len(objects))
	for i, object := range objects {
		if object.Visible() && object != c.rest {
			if heights[i] = Settle(object, size.Width); heights[i] > 0 {
				left -= c.gap + heights[i]
			}
		}
	}
	y := float32(0)
	for i, object := range objects {
		switch {
		case !object.Visible():
			continue
		case object == c.rest:
			heights[i] = max(0, left-c.gap)
			object.Resize(fyne.NewSize(size.Width, heights[i]))
		case heights[i] == 0:
			continue
		}
		object.Move(fyne.NewPos(0, y))
		y += heights[i] + c.gap
	}
}

// Settle resizes an object to a width and to the height that it needs at that width. It returns the height.
func Settle(object fyne.CanvasObject, width float32) float32 {
	// Each round may make texts wrap differently, so repeat until the height is stable, but not forever.
	height := object.Size().Height
	for range 4 {
		object.Resize(fyne.NewSize(width, height))
		now := object.MinSize().Height
		if now == height {
			break
		}
		height = now
	}
	return height
}
