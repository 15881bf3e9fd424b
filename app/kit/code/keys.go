package code

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

var (
	_ fyne.Focusable    = (*codeArea)(nil)
	_ fyne.Tabbable     = (*codeArea)(nil)
	_ fyne.Shortcutable = (*codeArea)(nil)
	_ desktop.Keyable   = (*codeArea)(nil)
)

// refocus is called when the text has got or lost the focus.
func (a *codeArea) refocus() {
	a.leaving, a.shift = a.HasFocus(), false
	a.entry.Refresh()
	if !a.HasFocus() && a.entry.OnFocusLost != nil {
		a.entry.OnFocusLost()
	}
}

// AcceptsTab reports whether the text gets the Tab key. Tab moves the focus instead if the text is read-only, right
// after the text has got the focus, and after Esc. So a user who tabs through a form does not edit the text.
func (a *codeArea) AcceptsTab() bool { return !a.leaving && !a.entry.readOnly }

// KeyDown notes the shift key, because Fyne does not report it with other keys.
func (a *codeArea) KeyDown(event *fyne.KeyEvent) {
	if event.Name == desktop.KeyShiftLeft || event.Name == desktop.KeyShiftRight {
		a.shift = true
	}
}

// KeyUp implements [desktop.Keyable].
func (a *codeArea) KeyUp(event *fyne.KeyEvent) {
	if event.Name == desktop.KeyShiftLeft || event.Name == desktop.KeyShiftRight {
		a.shift = false
	}
}

// TypedRune inserts a character.
func (a *codeArea) TypedRune(r rune) {
	a.leaving = false
	a.entry.insert(string(r), true)
}

// TypedKey moves the caret, deletes text and so on.
func (a *codeArea) TypedKey(event *fyne.KeyEvent) {
	e := a.entry
	if (event.Name != fyne.KeyEscape || a.leaving || e.readOnly) && a.Pass(event) {
		return
	}
	a.leaving = event.Name == fyne.KeyEscape
	from, to := e.selection()
	switch event.Name {
	case fyne.KeyLeft, fyne.KeyRight:
		switch {
		case from != to && !a.shift && event.Name == fyne.KeyLeft:
			e.moveTo(from, false)
		case from != to && !a.shift:
			e.moveTo(to, false)
		case event.Name == fyne.KeyLeft:
			e.moveTo(e.buffer.left(e.caret), a.shift)
		default:
			e.moveTo(e.buffer.right(e.caret), a.shift)
		}
	case fyne.KeyUp:
		e.moveLines(-1, a.shift)
	case fyne.KeyDown:
		e.moveLines(1, a.shift)
	case fyne.KeyPageUp:
		e.moveLines(-a.page(), a.shift)
	case fyne.KeyPageDown:
		e.moveLines(a.page(), a.shift)
	case fyne.KeyHome:
		line := e.buffer.lines[e.caret.line]
		start := len(line) - len(strings.TrimLeft(line, " \t"))
		if e.caret.at == start {
			start = 0
		}
		e.moveTo(codePos{e.caret.line, start}, a.shift)
	case fyne.KeyEnd:
		e.moveTo(codePos{e.caret.line, len(e.buffer.lines[e.caret.line])}, a.shift)
	case fyne.KeyBackspace:
		e.remove(e.buffer.left(e.caret))
	case fyne.KeyDelete:
		e.remove(e.buffer.right(e.caret))
	case fyne.KeyReturn, fyne.KeyEnter:
		e.breakLine()
	case fyne.KeyTab:
		e.indent(a.shift)
	}
}

// page returns how many lines a page key moves by: one less than are visible, so that one line stays in view.
func (a *codeArea) page() int { return max(1, int(a.entry.scroll.Size().Height/a.cell().Height)-1) }

// TypedShortcut handles the shortcuts for the clipboard, the history, selecting all and moving. It passes other
// shortcuts to OnShortcut and then to the window.
func (a *codeArea) TypedShortcut(shortcut fyne.Shortcut) {
	e := a.entry
	switch shortcut := shortcut.(type) {
	case *fyne.ShortcutUndo:
		e.Undo()
	case *fyne.ShortcutRedo:
		e.Redo()
	case *fyne.ShortcutCopy:
		a.copyTo(shortcut.Clipboard)
	case *fyne.ShortcutCut:
		if a.copyTo(shortcut.Clipboard) {
			e.insert("", false)
		}
	case *fyne.ShortcutPaste:
		if shortcut.Clipboard == nil {
			return
		}
		if text, ok := kit.Pasted(shortcut.Clipboard); ok {
			e.insert(strings.ReplaceAll(text, "\r\n", "\n"), false)
		}
	case *fyne.ShortcutSelectAll:
		e.anchor, e.caret = codePos{}, e.buffer.end()
		e.redraw()
	case *desktop.CustomShortcut:
		if !a.move(shortcut) && (e.OnShortcut == nil || !e.OnShortcut(shortcut)) {
			kit.PassShortcut(a, shortcut)
		}
	default:
		kit.PassShortcut(a, shortcut)
	}
}

func (a *codeArea) copyTo(clipboard fyne.Clipboard) bool {
	text := a.entry.SelectedText()
	if text == "" || clipboard == nil {
		return false
	}
	clipboard.SetContent(text)
	return true
}

// move handles the shortcuts that move or delete by words, that move to the ends of the text, and that redo. It
// reports whether the shortcut was one of them.
func (a *codeArea) move(shortcut *desktop.CustomShortcut) bool {
	e := a.entry
	words := fyne.KeyModifierShortcutDefault
	if runtime.GOOS == "darwin" {
		words = fyne.KeyModifierAlt
	}
	selecting := shortcut.Modifier&fyne.KeyModifierShift != 0
	switch modifier := shortcut.Modifier &^ fyne.KeyModifierShift; {
	case modifier == words && shortcut.KeyName == fyne.KeyLeft:
		e.moveTo(e.buffer.word(e.caret, e.buffer.left), selecting)
	case modifier == words && shortcut.KeyName == fyne.KeyRight:
		e.moveTo(e.buffer.word(e.caret, e.buffer.right), selecting)
	case modifier == words && shortcut.KeyName == fyne.KeyBackspace:
		e.remove(e.buffer.word(e.caret, e.buffer.left))
	case modifier == words && shortcut.KeyName == fyne.KeyDelete:
		e.remove(e.buffer.word(e.caret, e.buffer.right))
	case modifier == fyne.KeyModifierShortcutDefault &&
		(shortcut.KeyName == fyne.KeyHome || shortcut.KeyName == fyne.KeyUp):
		e.moveTo(codePos{}, selecting)
	case modifier == fyne.KeyModifierShortcutDefault &&
		(shortcut.KeyName == fyne.KeyEnd || shortcut.KeyName == fyne.KeyDown):
		e.moveTo(e.buffer.end(), selecting)
	case modifier == fyne.KeyModifierShortcutDefault && selecting && shortcut.KeyName == fyne.KeyZ:
		e.Redo()
	default:
		return false
	}
	return true
}
