package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TypedKey moves the selection with the usual keys of a tree.
func (b *treeBody) TypedKey(event *fyne.KeyEvent) {
	if b.drag.on {
		if event.Name == fyne.KeyEscape {
			b.cancelDrag()
		}
		return
	}
	at := b.selectedRow()
	page := max(1, int(b.scroll.Size().Height/step)-1)
	switch event.Name {
	case fyne.KeyUp:
		b.goTo(at - 1)
	case fyne.KeyDown:
		b.goTo(at + 1)
	case fyne.KeyPageUp:
		b.goTo(max(0, at-page))
	case fyne.KeyPageDown:
		b.goTo(min(len(b.lines)-1, at+page))
	case fyne.KeyHome:
		b.goTo(0)
	case fyne.KeyEnd:
		b.goTo(len(b.lines) - 1)
	case fyne.KeyLeft:
		b.goOut(at)
	case fyne.KeyRight:
		b.goIn(at)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if at != noRow {
			b.owner.pick(b.selected, toOpen)
		}
	case desktop.KeyMenu:
		b.menuAtSelection()
	case fyne.KeyF10: // with Shift, for keyboards without a menu key
		if kit.Modifiers()&fyne.KeyModifierShift != 0 {
			b.menuAtSelection()
		}
	default:
		if !b.owner.treeKey(event) {
			kit.PassKey(b, event)
		}
	}
}

// goTo selects a row.
func (b *treeBody) goTo(row int) {
	if row < 0 || row >= len(b.lines) {
		return
	}
	b.owner.pick(b.view.at(b.lines[row]), toLook)
	b.reveal(row)
}

// goOut folds a toolbox, and goes from a server to its toolbox.
func (b *treeBody) goOut(at int) {
	if at == noRow {
		return
	}
	if line := b.lines[at]; line.Server != noServer {
		b.goTo(b.rowOf(model.Choice{Toolbox: b.selected.Toolbox}))
	} else if !line.Folded {
		b.owner.foldRow(b.selected.Toolbox, true)
	}
}

// goIn unfolds a toolbox, and goes from an unfolded one to its first server.
func (b *treeBody) goIn(at int) {
	if at == noRow || b.lines[at].Server != noServer {
		return
	}
	if b.lines[at].Folded {
		b.owner.foldRow(b.selected.Toolbox, false)
	} else if at+1 < len(b.lines) && b.lines[at+1].Server != noServer {
		b.goTo(at + 1)
	}
}

// TypedShortcut implements [fyne.Shortcutable].
func (b *treeBody) TypedShortcut(shortcut fyne.Shortcut) {
	b.owner.treeShortcut(shortcut)
}

// Cursor implements [desktop.Cursorable]. Lists use the default cursor.
func (b *treeBody) Cursor() desktop.Cursor { return desktop.DefaultCursor }
