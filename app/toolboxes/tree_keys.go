package toolboxes

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
	"github.com/workbench-mcp/workbench-desktop/app/model"
)

// TypedKey moves the selection with the usual keys of a tree.
func (t *tree) TypedKey(event *fyne.KeyEvent) {
	if t.drag.on {
		if event.Name == fyne.KeyEscape {
			t.cancelDrag()
		}
		return
	}
	at := t.selectedRow()
	page := max(1, int(t.scroll.Size().Height/step)-1)
	switch event.Name {
	case fyne.KeyUp:
		t.goTo(at - 1)
	case fyne.KeyDown:
		t.goTo(at + 1)
	case fyne.KeyPageUp:
		t.goTo(max(0, at-page))
	case fyne.KeyPageDown:
		t.goTo(min(len(t.lines)-1, at+page))
	case fyne.KeyHome:
		t.goTo(0)
	case fyne.KeyEnd:
		t.goTo(len(t.lines) - 1)
	case fyne.KeyLeft:
		t.goOut(at)
	case fyne.KeyRight:
		t.goIn(at)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if at != noRow {
			t.screen.pick(t.selected, toOpen)
		}
	case desktop.KeyMenu:
		t.menuAtSelection()
	case fyne.KeyF10: // with Shift, for keyboards without a menu key
		if kit.Modifiers()&fyne.KeyModifierShift != 0 {
			t.menuAtSelection()
		}
	default:
		if !t.screen.treeKey(event) {
			kit.PassKey(t, event)
		}
	}
}

// goTo selects a row.
func (t *tree) goTo(row int) {
	if row < 0 || row >= len(t.lines) {
		return
	}
	t.screen.pick(t.view.at(t.lines[row]), toLook)
	t.reveal(row)
}

// goOut folds a toolbox, and goes from a server to its toolbox.
func (t *tree) goOut(at int) {
	if at == noRow {
		return
	}
	if line := t.lines[at]; line.Server != noServer {
		t.goTo(t.rowOf(model.Choice{Toolbox: t.selected.Toolbox}))
	} else if !line.Folded {
		t.screen.foldRow(t.selected.Toolbox, true)
	}
}

// goIn unfolds a toolbox, and goes from an unfolded one to its first server.
func (t *tree) goIn(at int) {
	if at == noRow || t.lines[at].Server != noServer {
		return
	}
	if t.lines[at].Folded {
		t.screen.foldRow(t.selected.Toolbox, false)
	} else if at+1 < len(t.lines) && t.lines[at+1].Server != noServer {
		t.goTo(at + 1)
	}
}

// TypedShortcut implements [fyne.Shortcutable].
func (t *tree) TypedShortcut(shortcut fyne.Shortcut) {
	if !t.takes(shortcut) {
		kit.PassShortcut(t, shortcut)
	}
}

// takes pastes, moves the selection or goes back, and reports whether the shortcut was for that.
func (t *tree) takes(shortcut fyne.Shortcut) bool {
	s := t.screen
	if _, paste := shortcut.(*fyne.ShortcutPaste); paste {
		s.Paste()
		return true
	}
	custom, ok := shortcut.(*desktop.CustomShortcut)
	control := ok && (custom.Modifier == fyne.KeyModifierControl || custom.Modifier == fyne.KeyModifierShortcutDefault)
	switch {
	case control && custom.KeyName == fyne.KeyUp:
		s.shift(s.kept.Selected, -1)
	case control && custom.KeyName == fyne.KeyDown:
		s.shift(s.kept.Selected, 1)
	case ok && custom.Modifier == fyne.KeyModifierAlt && custom.KeyName == fyne.KeyLeft && s.Back():
	default:
		return false
	}
	return true
}

// Cursor implements [desktop.Cursorable]. Lists use the default cursor.
func (t *tree) Cursor() desktop.Cursor { return desktop.DefaultCursor }
