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
	landing   Landing
	ok        bool          // it can be dropped here
	at        fyne.Position // of the pointer, relative to the corner of the visible part of the tree
	scrolling *fyne.Animation
}

// Dragged is called for every move of the mouse while its button is down. Positions are relative to the corner of the
// content, which may be scrolled.
func (t *tree) Dragged(event *fyne.DragEvent) {
	if t.drag.cancelled || t.naming.on {
		return
	}
	if !t.drag.held {
		start := event.Position.SubtractXY(event.Dragged.DX, event.Dragged.DY)
		row := t.rowAt(start.Y)
		if row == noRow {
			t.drag.cancelled = true
			return
		}
		t.drag = drag{held: true, what: t.view.at(t.lines[row]), start: start}
	}
	if !t.drag.on {
		if !farFrom(t.drag.start, event.Position) {
			return
		}
		t.drag.on = true
		t.hover = noRow
		t.focus() // for the Esc key
		t.startScrolling()
	}
	t.drag.at = event.Position.SubtractXY(0, t.scroll.Offset.Y)
	t.ghost.show(t.drag.what, copies(t.drag.what))
	t.ghost.follow(event.Position, t.Size().Width)
	t.aim()
}

// copies reports whether dropping copies the thing instead of moving it: a server is copied while Ctrl (on a Mac Cmd)
// is held down.
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

// aimed returns where the dragged thing would go now, or false if it cannot be dropped there.
func (t *tree) aimed() (Landing, bool) {
	return t.view.Land(t.lines, step, t.drag.what, t.drag.at.Y+t.scroll.Offset.Y)
}

// aim shows where the dragged thing would go.
func (t *tree) aim() {
	landing, ok := t.aimed()
	if landing == t.drag.landing && ok == t.drag.ok {
		return
	}
	t.drag.landing, t.drag.ok = landing, ok
	t.Refresh()
}

// DragEnd drops what is dragged, if it can be dropped there. If the pointer has hardly moved, DragEnd selects the row
// instead.
func (t *tree) DragEnd() {
	was := t.drag
	t.stopDrag()
	t.drag.cancelled = false
	switch {
	case was.held && !was.on:
		t.screen.pick(was.what, byClick)
	case was.on && was.ok:
		t.screen.dropped(was.what, was.landing, copies(was.what))
	}
}

// cancelDrag ends the drag and leaves everything where it is.
func (t *tree) cancelDrag() {
	t.stopDrag()
	t.drag.cancelled = true // until the mouse button is released
}

func (t *tree) stopDrag() {
	if t.drag.scrolling != nil {
		t.drag.scrolling.Stop()
	}
	t.drag = drag{cancelled: t.drag.cancelled}
	t.Refresh()
}

// startScrolling scrolls as long as the pointer stays near an edge. The mouse only reports moves, so an animation is
// needed.
func (t *tree) startScrolling() {
	last := float32(0)
	t.drag.scrolling = &fyne.Animation{Duration: time.Second, RepeatCount: fyne.AnimationRepeatForever,
		Curve: fyne.AnimationLinear,
		Tick: func(done float32) {
			passed := done - last
			if passed < 0 { // the next second has begun
				passed++
			}
			last = done
			t.scrollOn(passed)
		}}
	t.drag.scrolling.Start()
}

// scrollOn scrolls the tree for the given time in seconds.
func (t *tree) scrollOn(passed float32) {
	if !t.drag.on || t.MinSize().Height <= t.scroll.Size().Height {
		return
	}
	// A frame that took long must not make the tree jump.
	if by := autoScroll(t.drag.at.Y, t.scroll.Size().Height) * min(passed, 0.1); by != 0 {
		t.scrollTo(t.scroll.Offset.Y + by)
		t.ghost.follow(t.drag.at.AddXY(0, t.scroll.Offset.Y), t.Size().Width)
		t.aim()
	}
}

// ghost shows the name of the dragged thing next to the pointer.
type ghost struct {
	root *kit.Box
	name *kit.Text
}

func newGhost() *ghost {
	g := &ghost{name: kit.NewText("", kit.TextStyle{Size: theme.SizeSmall, Shrinks: true})}
	g.root = kit.NewBox(kit.BoxStyle{Fill: theme.ColorCard, Line: theme.ColorAccent, Radius: theme.SizeFieldRadius},
		kit.Inset(g.name, kit.GapTight, kit.GapWide))
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
