package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Rows lays rows out under each other and makes widgets only for those that can be seen, so that its length costs nothing.
// They have the same height, unless the source says the height of each. It does not scroll by itself: it is a part of what a scroll shows, and is told what of it is seen.
//
// A row keeps its widget for as long as it can be seen, by its key, so that what has the focus keeps it when rows move.
type Rows struct {
	widget.BaseWidget
	source      RowSource
	height      float32
	gap         float32
	ends        []float32 // the lower edge of each row, when the source says heights; nil: not known yet
	top, bottom float32   // of what is seen
	shown       map[any]*shownRow
	spare       []fyne.CanvasObject
	ink         color.Color // of texts in the theme that the spare ones have
}

// RowSource says what rows there are.
type RowSource struct {
	Length func() int
	Key    func(row int) any // what the row is about, comparable; no two rows have the same
	Create func() fyne.CanvasObject
	Fill   func(row int, object fyne.CanvasObject) // makes an object from Create show a row, all of it
	Height func(row int) float32                   // nil: all have the same
}

// FocusHolder is a row that may have the focus in it. Such a row keeps its widget while it has, also out of sight: otherwise
// the next key would go to another row.
type FocusHolder interface {
	Holds(focused fyne.Focusable) bool
}

type shownRow struct {
	row    int
	object fyne.CanvasObject
}

// NewRows gives rows of a height with gaps between them.
func NewRows(height, gap float32, source RowSource) *Rows {
	r := &Rows{source: source, height: height, gap: gap, shown: map[any]*shownRow{}}
	r.ExtendBaseWidget(r)
	return r
}

// See tells which part of the rows can be seen, from its upper to its lower edge.
func (r *Rows) See(top, bottom float32) {
	if top == r.top && bottom == r.bottom {
		return
	}
	r.top, r.bottom = top, bottom
	if r.arrange(false) {
		Repaint(r)
	}
}

// Measure asks for the heights of the rows anew, as after the width has changed.
func (r *Rows) Measure() {
	before := r.ends
	if r.ends = nil; !slices.Equal(before, r.places()) {
		r.arrange(false)
		Repaint(r)
	}
}

// places are the lower edges of all rows; nil when they have the same height.
func (r *Rows) places() []float32 {
	if r.source.Height == nil {
		return nil
	}
	if length := r.source.Length(); len(r.ends) != length || r.ends == nil {
		r.ends = make([]float32, length)
		top := float32(0)
		for row := range length {
			r.ends[row] = top + r.source.Height(row)
			top = r.ends[row] + r.gap
		}
	}
	return r.ends
}

// Place is the upper and the lower edge of a row.
func (r *Rows) Place(row int) (top, bottom float32) {
	if ends := r.places(); row < len(ends) {
		if row > 0 {
			top = ends[row-1] + r.gap
		}
		return top, ends[row]
	}
	top = float32(row) * (r.height + r.gap)
	return top, top + r.height
}

// Object is the widget that shows a row now, or nil.
func (r *Rows) Object(row int) fyne.CanvasObject {
	for _, shown := range r.shown {
		if shown.row == row {
			return shown.object
		}
	}
	return nil
}

// Count is how many rows have widgets now.
func (r *Rows) Count() int { return len(r.shown) }

// band is which rows can be seen, with one more at each side so that the Tab key finds it.
func (r *Rows) band() (from, to int) {
	if r.bottom <= r.top {
		return 0, 0
	}
	length := r.source.Length()
	if ends := r.places(); ends != nil {
		from, _ = slices.BinarySearch(ends, r.top)
		to, _ = slices.BinarySearch(ends, r.bottom)
		return max(0, from-1), min(length, to+2)
	}
	step := r.height + r.gap
	from = min(length, max(0, int(r.top/step)-1))
	return from, max(from, min(length, int(r.bottom/step)+2))
}

// arrange gives every visible row its widget and its place, and reports whether something has changed. All of them
// are filled anew when asked for; else only those that come into sight.
func (r *Rows) arrange(fill bool) bool {
	from, to := r.band()
	wanted := make(map[any]int, to-from)
	for row := from; row < to; row++ {
		wanted[r.source.Key(row)] = row
	}
	changed := false
	focused := r.focused()
	for key, shown := range r.shown {
		if _, ok := wanted[key]; ok {
			continue
		}
		if row, ok := r.holds(shown, key, focused); ok {
			wanted[key] = row
			continue
		}
		delete(r.shown, key)
		r.spare = append(r.spare, shown.object)
		changed = true
	}
	for key, row := range wanted {
		shown := r.shown[key]
		if shown == nil {
			shown = &shownRow{row: row, object: r.take()}
			r.shown[key] = shown
			r.source.Fill(row, shown.object)
			changed = true
		} else if fill || shown.row != row {
			shown.row = row
			r.source.Fill(row, shown.object)
			changed = true
		}
		top, bottom := r.Place(row)
		shown.object.Move(fyne.NewPos(0, top))
		shown.object.Resize(fyne.NewSize(r.Size().Width, bottom-top))
	}
	// What is kept for later is what scrolling by a page needs at most.
	if most := to - from + 4; len(r.spare) > most {
		r.spare = slices.Delete(r.spare, most, len(r.spare))
	}
	return changed
}

// holds returns the present place of a row that has the focus in it.
func (r *Rows) holds(shown *shownRow, key any, focused fyne.Focusable) (int, bool) {
	holder, ok := shown.object.(FocusHolder)
	if !ok || focused == nil || !holder.Holds(focused) {
		return 0, false
	}
	if shown.row < r.source.Length() && r.source.Key(shown.row) == key {
		return shown.row, true
	}
	for row := range r.source.Length() {
		if r.source.Key(row) == key {
			return row, true
		}
	}
	return 0, false
}

func (r *Rows) focused() fyne.Focusable {
	if canvas := fyne.CurrentApp().Driver().CanvasForObject(r); canvas != nil {
		return canvas.Focused()
	}
	return nil
}

func (r *Rows) take() fyne.CanvasObject {
	if last := len(r.spare) - 1; last >= 0 {
		object := r.spare[last]
		r.spare = r.spare[:last]
		return object
	}
	return r.source.Create()
}

// CreateRenderer is for Fyne.
func (r *Rows) CreateRenderer() fyne.WidgetRenderer { return &rowsRenderer{r} }

type rowsRenderer struct{ rows *Rows }

func (r *rowsRenderer) Destroy() {}

// Objects are the rows in their order, which is that of the Tab key.
func (r *rowsRenderer) Objects() []fyne.CanvasObject {
	shown := make([]*shownRow, 0, len(r.rows.shown))
	for _, row := range r.rows.shown {
		shown = append(shown, row)
	}
	slices.SortFunc(shown, func(a, b *shownRow) int { return a.row - b.row })
	objects := make([]fyne.CanvasObject, len(shown))
	for i, row := range shown {
		objects[i] = row.object
	}
	return objects
}

func (r *rowsRenderer) MinSize() fyne.Size {
	length := r.rows.source.Length()
	if length == 0 {
		return fyne.Size{}
	}
	_, bottom := r.rows.Place(length - 1)
	return fyne.NewSize(0, bottom)
}

func (r *rowsRenderer) Layout(fyne.Size) { r.rows.arrange(false) }

func (r *rowsRenderer) Refresh() {
	// What is kept for later would come back in the theme of before.
	if ink := r.rows.Theme().Color(theme.ColorText, fyne.CurrentApp().Settings().ThemeVariant()); ink != r.rows.ink {
		r.rows.ink, r.rows.spare = ink, nil
	}
	r.rows.ends = nil
	r.rows.arrange(true)
	Repaint(r.rows) // the rows have drawn themselves
}
