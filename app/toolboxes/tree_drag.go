package toolboxes

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// drag is the state of a drag over the tree.
type drag struct {
	on        bool // the pointer has moved far enough for a drag
	held      bool // the mouse button is down on a row
	cancelled bool // nothing is dragged until the mouse button is released
	what      model.Choice
	start     fyne.Position // where in the content the pointer was when the mouse button went down
	away      bool          // the pointer has left the tree for the page
	landing   Landing
	ok        bool    // it can be dropped here
	x, y      float32 // the position of the pointer, relative to the corner of the visible part of the tree
	scrolling *fyne.Animation
}

// Dragged is called for every move of the mouse while its button is down. Positions are relative to the corner of the content, which may be scrolled.
func (b *treeBody) Dragged(event *fyne.DragEvent) {
	if b.drag.cancelled || b.naming.on {
		return
	}
	if !b.drag.held {
		start := event.Position.SubtractXY(event.Dragged.DX, event.Dragged.DY)
		row := b.rowAt(start.Y)
		if row == noRow {
			b.drag.cancelled = true
			return
		}
		b.drag = drag{held: true, what: b.view.at(b.lines[row]), start: start}
	}
	if !b.drag.on {
		if !farFrom(b.drag.start, event.Position) {
			return
		}
		b.drag.on = true
		b.hover = noRow
		b.focus() // for the Esc key
		b.startScrolling()
	}
	b.drag.x, b.drag.y = event.Position.X, event.Position.Y-b.scroll.Offset.Y
	if away := event.Position.X > b.Size().Width+dragThreshold; away != b.drag.away {
		b.drag.away = away
		if !away {
			b.owner.leftOutside()
		}
		b.Refresh()
	}
	b.ghost.show(b.drag.what, copies(b.drag.what))
	b.ghost.follow(event.Position, b.Size().Width)
	b.aim()
}

// copies reports whether dropping copies the thing instead of moving it: a server is copied while Ctrl (on a Mac Cmd) is held down.
func copies(what model.Choice) bool {
	return what.Server != "" && kit.Modifiers()&fyne.KeyModifierShortcutDefault != 0
}

// dragThreshold is how far the pointer has to move before a click becomes a drag, in pixels.
const dragThreshold = 6

// farFrom reports whether the pointer has moved far enough for a drag.
func farFrom(start, now fyne.Position) bool {
	far := now.Subtract(start)
	return max(far.X, -far.X) >= dragThreshold || max(far.Y, -far.Y) >= dragThreshold
}

// land returns where the dragged thing would go now: outside the tree, or among its rows.
func (b *treeBody) land() (Landing, bool) {
	if b.drag.away {
		return b.owner.landOutside(b.drag.what, fyne.NewPos(b.drag.x, b.drag.y))
	}
	return b.view.Land(b.lines, b.geometry(), b.drag.what, b.drag.y+b.scroll.Offset.Y)
}

// aim shows where the dragged thing would go.
func (b *treeBody) aim() {
	landing, ok := b.land()
	if landing == b.drag.landing && ok == b.drag.ok {
		return
	}
	b.drag.landing, b.drag.ok = landing, ok
	b.Refresh()
}

// DragEnd drops what is dragged, if it can be dropped there. If the pointer has hardly moved, DragEnd selects the row instead.
func (b *treeBody) DragEnd() {
	was := b.drag
	b.stopDrag()
	b.drag.cancelled = false
	switch {
	case was.held && !was.on:
		b.owner.pick(was.what, byClick)
	case was.on && was.ok:
		b.owner.dropped(was.what, was.landing, copies(was.what))
	}
}

// cancelDrag ends the drag and leaves everything where it is.
func (b *treeBody) cancelDrag() {
	b.stopDrag()
	b.drag.cancelled = true // until the mouse button is released
}

func (b *treeBody) stopDrag() {
	if b.drag.scrolling != nil {
		b.drag.scrolling.Stop()
	}
	if b.drag.away {
		b.owner.leftOutside()
	}
	b.drag = drag{cancelled: b.drag.cancelled}
	b.Refresh()
}

// startScrolling scrolls as long as the pointer stays near an edge. The mouse only reports moves, so an animation is needed.
func (b *treeBody) startScrolling() {
	last := float32(0)
	b.drag.scrolling = &fyne.Animation{Duration: time.Second, RepeatCount: fyne.AnimationRepeatForever, Curve: fyne.AnimationLinear,
		Tick: func(done float32) {
			passed := done - last
			if passed < 0 { // the next second has begun
				passed++
			}
			last = done
			b.scrollOn(passed)
		}}
	b.drag.scrolling.Start()
}

// scrollOn scrolls the tree for the given time in seconds.
func (b *treeBody) scrollOn(passed float32) {
	if !b.drag.on || b.drag.away || b.MinSize().Height <= b.scroll.Size().Height {
		return
	}
	// A frame that took long must not make the tree jump.
	if by := autoScroll(b.drag.y, b.scroll.Size().Height) * min(passed, 0.1); by != 0 {
		b.scrollTo(b.scroll.Offset.Y + by)
		b.ghost.follow(fyne.NewPos(b.drag.x, b.drag.y+b.scroll.Offset.Y), b.Size().Width)
		b.aim()
	}
}

// ghost shows the name of the dragged thing next to the pointer.
type ghost struct {
	root *kit.Box
	name *kit.Text
}

func newGhost() *ghost {
	g := &ghost{name: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Shrinks: true})}
	g.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorAccent, Radius: theme.SizeFieldRadius}, kit.Inset(g.name, kit.GapTight, kit.GapWide))
	return g
}

func (g *ghost) show(what model.Choice, copied bool) {
	switch {
	case what.Server == "":
		g.name.Set(what.Toolbox)
	case copied:
		g.name.Set(lang.L("Copy of {{.Name}}", map[string]any{"Name": shortName(what.Server)}))
	default:
		g.name.Set(what.Server)
	}
}

// follow moves the ghost to the pointer. The ghost stays within the given width.
func (g *ghost) follow(pointer fyne.Position, width float32) {
	size := fyne.NewSize(min(g.name.Full().Width+21, width-24), g.root.MinSize().Height)
	g.root.Resize(size)
	g.root.Move(fyne.NewPos(max(0, min(pointer.X+14, width-size.Width)), pointer.Y+12))
}
