package kit

import (
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Rows is a list that makes widgets only for the visible rows, so it may be of any length. All rows have the same
// height, unless the source returns the height of each. Rows does not scroll by itself: it is part of the content of a
// scroll, and See or SeeIn tells it which part is visible.
//
// A row is identified by its key. A visible row keeps its widget, and so the focus, even if the index of the row
// changes.
type Rows struct {
	widget.BaseWidget
	source      RowSource
	height      float32             // of a row, in pixels; not used if the source returns heights
	gap         float32             // between rows, in pixels
	ends        []float32           // the lower edge of each row, if the source returns heights; nil if not computed yet
	top, bottom float32             // the edges of the visible part, in pixels from the top of the list
	shown       map[any]*shownRow   // the rows that have widgets, by key
	spare       []fyne.CanvasObject // widgets that show no row and can be reused
	ink         color.Color         // the text colour of the theme in which the spare widgets were drawn
}

// RowSource provides the rows.
type RowSource struct {
	Length func() int
	// identifies what the row shows; comparable, and different for each row
	Key    func(row int) any
	Create func() fyne.CanvasObject                // makes an object that can show any row
	Fill   func(row int, object fyne.CanvasObject) // makes an object from Create show a row
	Height func(row int) float32                   // nil if all rows have the same height
}

// FocusHolder is an object of a row that can tell whether it contains the focus. While the object contains the focus,
// the row keeps it even out of view. Otherwise another row would reuse the object, and the next key would go to that
// row.
type FocusHolder interface {
	// Holds reports whether focused is the object or part of it.
	Holds(focused fyne.Focusable) bool
}

type shownRow struct {
	row    int
	object fyne.CanvasObject
}

// NewRows returns rows with gap between them. height is the height of each row. It is not used if source.Height is
// set.
func NewRows(height, gap float32, source RowSource) *Rows {
	r := &Rows{source: source, height: height, gap: gap, shown: map[any]*shownRow{}}
	r.ExtendBaseWidget(r)
	return r
}

// See sets the upper and the lower edge of the visible part, in pixels from the top of the list.
func (r *Rows) See(top, bottom float32) {
	if top == r.top && bottom == r.bottom {
		return
	}
	r.top, r.bottom = top, bottom
	if r.arrange(false) {
		Repaint(r)
	}
}

// SeeIn sets the visible part to what a scroll shows. The rows are its content, or a direct part of it.
func (r *Rows) SeeIn(scroll *container.Scroll) {
	top := scroll.Offset.Y - r.within(scroll)
	r.See(top, top+scroll.Size().Height)
}

// within returns where the rows begin in the content of a scroll. Fyne moves the content itself when it scrolls.
func (r *Rows) within(scroll *container.Scroll) float32 {
	if scroll.Content == fyne.CanvasObject(r) {
		return 0
	}
	return r.Position().Y
}

// Reveal scrolls until a row is visible. When it scrolls, it also shows around pixels of the rows next to that row.
func (r *Rows) Reveal(scroll *container.Scroll, row int, around float32) {
	top, bottom := r.Place(row)
	top, bottom = top+r.within(scroll), bottom+r.within(scroll)
	offset, height := scroll.Offset, scroll.Size().Height
	switch {
	case height <= 0:
	case top < offset.Y:
		offset.Y = max(0, top-around)
	case bottom > offset.Y+height:
		offset.Y = max(0, bottom+around-height)
	}
	scroll.ScrollToOffset(offset)
	r.SeeIn(scroll)
}

// Measure computes the heights of the rows again, such as after a change of the width.
func (r *Rows) Measure() {
	before := r.ends
	if r.ends = nil; !slices.Equal(before, r.places()) {
		r.arrange(false)
		Repaint(r)
	}
}

// places returns the lower edges of all rows, or nil if all rows have the same height.
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

// Place returns the upper and the lower edge of a row.
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

// Object returns the widget that shows a row, or nil.
func (r *Rows) Object(row int) fyne.CanvasObject {
	for _, shown := range r.shown {
		if shown.row == row {
			return shown.object
		}
	}
	return nil
}

// Count returns how many rows have widgets.
func (r *Rows) Count() int { return len(r.shown) }

// band returns the range of rows that need widgets; to is not included. These are the visible rows, and one row above
// and one below for the Tab key.
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

// arrange gives every row of the band a widget and places it. It fills a widget if the row is new or its index has
// changed, or if fill is set. It reports whether it has added, removed or filled a widget.
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
	// Keep only as many spare objects as scrolling by a page needs.
	if most := to - from + 4; len(r.spare) > most {
		r.spare = slices.Delete(r.spare, most, len(r.spare))
	}
	return changed
}

// holds reports whether a row contains the focus and still exists, and returns its current index.
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

// take returns a widget that shows no row: a spare one or a new one.
func (r *Rows) take() fyne.CanvasObject {
	if last := len(r.spare) - 1; last >= 0 {
		object := r.spare[last]
		r.spare = r.spare[:last]
		return object
	}
	return r.source.Create()
}

// CreateRenderer implements [fyne.Widget].
func (r *Rows) CreateRenderer() fyne.WidgetRenderer { return &rowsRenderer{r} }

type rowsRenderer struct{ rows *Rows }

func (r *rowsRenderer) Destroy() {}

// Objects returns the rows in order, because that is the order of the Tab key.
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
	// The spare objects have the old theme, so drop them.
	if ink := r.rows.Theme().Color(theme.ColorText, fyne.CurrentApp().Settings().ThemeVariant()); ink != r.rows.ink {
		r.rows.ink, r.rows.spare = ink, nil
	}
	r.rows.ends = nil
	r.rows.arrange(true)
	Repaint(r.rows) // the rows have drawn themselves already
}
