package toolboxes

import (
	"time"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// drag is what is being dragged over the tree.
type drag struct {
	on        bool
	held      bool // the button of the mouse is down on something, which has not moved far enough to be dragged
	cancelled bool // by the Esc key; the button of the mouse is still down
	what      Choice
	start     float32 // where the pointer was in the content when the button went down
	landing   Landing
	ok        bool    // it can be dropped here
	y         float32 // of the pointer, in what is seen of the tree
	scrolling *fyne.Animation
}

// Dragged is called for every move of the mouse while its button is down. Positions are those of the content, also after it
// has been scrolled.
func (b *treeBody) Dragged(event *fyne.DragEvent) {
	if b.drag.cancelled || b.naming.on {
		return
	}
	if !b.drag.held {
		start := event.Position.Y - event.Dragged.DY
		row := b.rowAt(start)
		if row == noRow {
			b.drag.cancelled = true
			return
		}
		b.drag = drag{held: true, what: b.view.at(b.lines[row]), start: start}
	}
	if !b.drag.on {
		if far := event.Position.Y - b.drag.start; far < dragThreshold && far > -dragThreshold {
			return
		}
		b.drag.on = true
		b.hover = noRow
		b.focus() // for the Esc key
		b.startScrolling()
	}
	b.drag.y = event.Position.Y - b.scroll.Offset.Y
	b.aim()
}

// dragThreshold is how far the pointer has to move up or down for a click to be a drag, in pixels: hands tremble.
const dragThreshold = 6

// aim finds where the pointer would drop.
func (b *treeBody) aim() {
	landing, ok := b.view.Land(b.lines, b.geometry(), b.drag.what, b.drag.y+b.scroll.Offset.Y)
	if landing == b.drag.landing && ok == b.drag.ok {
		return
	}
	b.drag.landing, b.drag.ok = landing, ok
	b.Refresh()
}

// DragEnd drops, unless that has been cancelled.
func (b *treeBody) DragEnd() {
	was := b.drag
	b.stopDrag()
	b.drag.cancelled = false
	switch {
	case was.held && !was.on:
		b.owner.pick(was.what, byClick)
	case was.on && was.ok:
		b.owner.dropped(was.what, was.landing, kit.Modifiers()&fyne.KeyModifierShortcutDefault != 0)
	}
}

// cancelDrag leaves everything where it is.
func (b *treeBody) cancelDrag() {
	b.stopDrag()
	b.drag.cancelled = true // until the button is let go
}

func (b *treeBody) stopDrag() {
	if b.drag.scrolling != nil {
		b.drag.scrolling.Stop()
	}
	b.drag = drag{cancelled: b.drag.cancelled}
	b.Refresh()
}

// startScrolling scrolls for as long as the pointer stays near an edge: the mouse tells only of its moves.
func (b *treeBody) startScrolling() {
	b.drag.scrolling = &fyne.Animation{Duration: time.Second, RepeatCount: fyne.AnimationRepeatForever, Tick: func(float32) { b.scrollOn() }}
	b.drag.scrolling.Start()
}

// scrollOn is one step of that.
func (b *treeBody) scrollOn() {
	if !b.drag.on || b.MinSize().Height <= b.scroll.Size().Height {
		return
	}
	if by := autoScroll(b.drag.y, b.scroll.Size().Height); by != 0 {
		b.scrollTo(b.scroll.Offset.Y + by)
		b.aim()
	}
}
