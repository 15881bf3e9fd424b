package tray

import (
	"reflect"
	"time"
)

// interval is the least time between two changes of the menu. The system gets a new menu as many messages, one and more an
// item, and an open menu closes under some trays; a start of ten servers must not become a storm of them.
const interval = 500 * time.Millisecond

// Renderer brings states to the tray: at once when nothing was brought for a while, else the newest one when its time has
// come. All methods belong to the goroutine of the window.
type Renderer struct {
	draw  func([]Item, Icon)
	do    func(func())
	timer *time.Timer // running while a change waits

	items []Item // as drawn last
	icon  Icon
	drawn time.Time // when

	wanted State
	closed bool
}

// NewRenderer gives a renderer that draws with draw, and that calls do to get back to the goroutine of the window.
func NewRenderer(draw func([]Item, Icon), do func(func())) *Renderer {
	return &Renderer{draw: draw, do: do}
}

// Update shows a state.
func (r *Renderer) Update(state State) {
	r.wanted = state
	if r.closed || r.timer != nil {
		return
	}
	if wait := interval - time.Since(r.drawn); !r.drawn.IsZero() && wait > 0 {
		r.timer = time.AfterFunc(wait, func() { r.do(r.flush) })
		return
	}
	r.flush()
}

// flush draws the state that is wanted, unless it looks like the one that is drawn.
func (r *Renderer) flush() {
	r.timer = nil
	if r.closed {
		return
	}
	items, icon := Menu(r.wanted), IconOf(r.wanted)
	if !r.drawn.IsZero() && icon == r.icon && reflect.DeepEqual(items, r.items) {
		return
	}
	r.items, r.icon, r.drawn = items, icon, time.Now()
	r.draw(items, icon)
}

// Close ends the renderer. Nothing is drawn any more.
func (r *Renderer) Close() {
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
}
