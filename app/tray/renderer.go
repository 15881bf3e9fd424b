package tray

import (
	"reflect"
	"time"

	"github.com/workbench-mcp/workbench-desktop/app/task"
	"github.com/workbench-mcp/workbench-desktop/engine/background"
)

// interval is the least time between two new menus. A new menu takes two or more messages for each item, and some
// trays close an open menu when it is replaced.
const interval = 500 * time.Millisecond

// Bar is the program's icon and menu in the tray. Call its methods only on the goroutine of the window.
type Bar interface {
	// Icon shows an icon.
	Icon(icon Icon)
	// Menu replaces the menu.
	Menu(items []Item)
	// Change changes the entries of the menu to these items, which must be [alike].
	Change(items []Item)
	// Close removes the icon. It may be called twice.
	Close()
}

// Renderer shows states in the tray. It changes the icon and the texts of entries at once. It replaces the menu at
// most once in every interval, and then shows the newest state. Call its methods only on the goroutine of the window.
type Renderer struct {
	bar   Bar
	tasks *task.Tasks
	timer *time.Timer // calls flush; nil while no menu waits

	items []Item    // the items drawn last
	icon  Icon      // the icon drawn last
	drawn time.Time // when the menu was last replaced

	wanted State // the newest state
	closed bool
}

// NewRenderer returns a renderer that draws on a bar. It gets back to the goroutine of the window through tasks.
func NewRenderer(bar Bar, tasks *task.Tasks) *Renderer {
	return &Renderer{bar: bar, tasks: tasks}
}

// Update shows a state.
func (r *Renderer) Update(state State) {
	if r.closed {
		return
	}
	r.wanted = state
	first := r.drawn.IsZero()
	if icon := IconOf(state); first || icon != r.icon {
		r.icon = icon
		r.bar.Icon(icon)
	}
	items := Menu(state)
	switch {
	case !first && reflect.DeepEqual(items, r.items):
	case !first && alike(items, r.items):
		r.items = items
		r.bar.Change(items)
	case first || time.Since(r.drawn) >= interval:
		r.draw(items)
	case r.timer == nil:
		r.timer = background.After(interval-time.Since(r.drawn), func() { r.tasks.Do(r.flush) })
	}
}

// flush shows the newest state after a menu has waited.
func (r *Renderer) flush() {
	r.timer = nil
	r.Update(r.wanted)
}

func (r *Renderer) draw(items []Item) {
	r.items, r.drawn = items, time.Now()
	r.bar.Menu(items)
}

// Close ends the renderer and removes the icon.
func (r *Renderer) Close() {
	r.closed = true
	if r.timer != nil {
		r.timer.Stop()
	}
	r.bar.Close()
}

// alike reports whether two menus have the same entries in the same places. Their texts, actions, ticks and visibility
// may differ.
func alike(a, b []Item) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || !alike(a[i].Children, b[i].Children) {
			return false
		}
	}
	return true
}
