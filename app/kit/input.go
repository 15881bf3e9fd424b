package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

// Input is like Fyne's entry, but it reports when it gets or loses the focus, and it leaves shortcuts that are not
// about text to the window.
type Input struct {
	fyneEntry
	Keyboard

	// OnKey gets a key before the input does, and reports whether it has used the key. Fyne reports Alt+Up and Alt+Down
	// as shortcuts, see OnMove.
	OnKey func(*fyne.KeyEvent) bool

	// OnShortcut gets a shortcut before the input does, and reports whether it has used the shortcut.
	OnShortcut func(fyne.Shortcut) bool

	// OnMove is called on Alt+Up with -1 and on Alt+Down with 1.
	OnMove func(by int)

	// OnPaste is called before text of several lines is pasted into an input of one line. It reports whether it has
	// handled the text. If not, the lines are joined.
	OnPaste func(text string) bool

	// PassesWheel makes an input of several lines hand the mouse wheel to its page, as inputs of one line do. Without it,
	// Fyne's entry scrolls its own text.
	PassesWheel bool

	placeholder string // from NewInput; SecretInput sometimes shows another one
	pressed     bool   // the mouse button is going down on the input
	typed       bool   // the user has typed into the input, and nothing else has changed its text since then
	cut         bool   // of a text that was pasted last, only the beginning is there; the input says so
}

// NewInput returns an empty input of one line. The placeholder is shown while the input is empty.
func NewInput(placeholder string) *Input {
	i := &Input{}
	i.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	i.PlaceHolder, i.placeholder = placeholder, placeholder
	i.ExtendBaseWidget(i)
	return i
}

// NewSearch returns an empty input for a search. Esc empties it.
func NewSearch(placeholder string, changed func(text string)) *Input {
	i := NewInput(placeholder)
	i.Icon, i.OnChanged = base.SearchIcon(), changed
	i.OnEscape = func() { i.SetText("") }
	return i
}

// NewTextArea returns an empty input of several lines that shows at least rows of them. If mono is set, its font has a
// fixed width. Unlike in Fyne's entry, the Tab key moves the focus.
func NewTextArea(rows int, mono bool) *Input {
	i := &Input{}
	i.MultiLine = true
	i.Wrapping = fyne.TextWrapWord
	i.TextStyle = fyne.TextStyle{Monospace: mono}
	i.ExtendBaseWidget(i)
	i.SetMinRowsVisible(rows)
	return i
}

// ExtendBaseWidget implements [fyne.Widget].
func (i *Input) ExtendBaseWidget(self fyne.Widget) {
	i.self, i.inner = self, &i.Entry
	i.Entry.ExtendBaseWidget(self)
}

// AcceptsTab implements [fyne.Tabbable]: the Tab key moves the focus.
func (i *Input) AcceptsTab() bool { return false }

// OnArrow makes the arrow keys call do, Up with -1 and Down with 1.
func (i *Input) OnArrow(do func(by int)) {
	i.OnKey = func(event *fyne.KeyEvent) bool {
		switch event.Name {
		case fyne.KeyUp:
			do(-1)
		case fyne.KeyDown:
			do(1)
		default:
			return false
		}
		return true
	}
}

// Focused reports whether the input has the focus.
func (i *Input) Focused() bool { return i.focused }

// FocusGained implements [fyne.Focusable]. The text of a single line is selected, so that typing replaces it, unless a
// click has placed the caret. Text that the user has typed is not selected again: Fyne calls FocusGained also when the
// window comes to the front, where the user may want to go on typing.
func (i *Input) FocusGained() {
	before := i.focused
	i.Keyboard.FocusGained()
	if i.focused && !before && !i.pressed && !i.typed {
		i.selectLine()
	}
}

// selectLine selects the text of an input of one line.
func (i *Input) selectLine() {
	if !i.MultiLine {
		i.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// MouseDown implements [desktop.Mouseable].
func (i *Input) MouseDown(event *desktop.MouseEvent) {
	i.pressed = true
	i.Entry.MouseDown(event)
	i.pressed = false
}

// TypedRune implements [fyne.Focusable].
func (i *Input) TypedRune(r rune) {
	i.typed, i.cut = true, false
	i.Entry.TypedRune(r)
}

// Follow changes the text without calling OnChanged. The caret stays where it is if the text is long enough.
func (i *Input) Follow(text string) {
	if i.Text != text {
		i.replace(text)
	}
}

// Forget empties the input without calling OnChanged, and forgets the undo history. Call it before the input is used
// for something else.
func (i *Input) Forget() { i.replace("") } // this clears the history even if the input is empty already

// replace changes the text without calling OnChanged.
func (i *Input) replace(text string) {
	changed := i.OnChanged
	i.OnChanged = nil
	i.SetText(text)
	i.OnChanged = changed
	i.typed = false
}

// TypedKey implements [fyne.Focusable].
func (i *Input) TypedKey(event *fyne.KeyEvent) {
	if i.OnKey != nil && i.OnKey(event) || i.Pass(event) {
		return
	}
	i.typed = true
	i.Entry.TypedKey(event)
}

// TypedShortcut implements [fyne.Shortcutable].
func (i *Input) TypedShortcut(shortcut fyne.Shortcut) {
	if i.OnShortcut != nil && i.OnShortcut(shortcut) {
		return
	}
	switch shortcut := shortcut.(type) {
	case *fyne.ShortcutPaste:
		if !i.Disabled() && shortcut.Clipboard != nil {
			text, ok := Pasted(shortcut.Clipboard)
			if !ok {
				return
			}
			if i.MultiLine {
				i.typed = true
				i.Entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: pasted(text)})
				return
			}
			if i.OnPaste != nil && strings.Contains(strings.TrimRight(text, "\r\n"), "\n") && i.OnPaste(text) {
				return
			}
			i.typed, i.cut = true, len(text) > maxLine
			i.Entry.TypedShortcut(&fyne.ShortcutPaste{Clipboard: pasted(limited(text))})
			return
		}
	case *desktop.CustomShortcut:
		if shortcut.Modifier == fyne.KeyModifierAlt && i.OnMove != nil {
			switch shortcut.KeyName {
			case fyne.KeyUp:
				i.OnMove(-1)
				return
			case fyne.KeyDown:
				i.OnMove(1)
				return
			}
		}
	}
	if !TextShortcut(shortcut) {
		PassShortcut(i.self, shortcut)
		return
	}
	switch shortcut.(type) {
	case *fyne.ShortcutUndo, *fyne.ShortcutRedo:
		i.cut = false
	}
	i.typed = true
	i.Entry.TypedShortcut(shortcut)
}

// maxLine is how many bytes are pasted into an input of one line. Fyne draws each character, so that a line of 5 MB
// takes 1.3 GB. It is the limit of Linux for a variable, and more than any key, address or path has.
const maxLine = 128 << 10

// limited returns the beginning of a text that is too long for a line.
func limited(text string) string {
	if len(text) <= maxLine {
		return text
	}
	return strings.ToValidUTF8(text[:maxLine], "")
}

// pasted is a clipboard with a text that was read already, since another program may answer late.
type pasted string

// Content implements [fyne.Clipboard].
func (p pasted) Content() string { return string(p) }

// SetContent implements [fyne.Clipboard]. Nothing is copied to it.
func (pasted) SetContent(string) {}

// CreateRenderer implements [fyne.Widget].
func (i *Input) CreateRenderer() fyne.WidgetRenderer {
	if i.Password && i.ActionItem == nil {
		i.ActionItem = NewGap(0, 0) // replaces Fyne's own eye button, which the keyboard cannot reach
	}
	r := i.Entry.CreateRenderer()
	w := &wheel{input: i}
	w.ExtendBaseWidget(w)
	return newEdgedRenderer(&inputRenderer{WidgetRenderer: r, input: i, wheel: w}, i.self, i.Ring)
}

type inputRenderer struct {
	fyne.WidgetRenderer
	input *Input
	wheel *wheel
	said  *Box    // says that the text is cut; nil until it is
	full  float32 // the width of said with all of its text
}

func (r *inputRenderer) Objects() []fyne.CanvasObject {
	objects := r.WidgetRenderer.Objects()
	if r.said != nil {
		objects = append(slices.Clone(objects), r.said)
	}
	if r.input.page == nil || r.input.MultiLine && !r.input.PassesWheel {
		return objects
	}
	return append(slices.Clone(objects), r.wheel)
}

func (r *inputRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.wheel.Resize(size)
	r.say(size)
}

// Refresh implements [fyne.WidgetRenderer].
func (r *inputRenderer) Refresh() {
	r.say(r.input.Size())
	r.WidgetRenderer.Refresh()
}

// say shows at the end of the line that its text is cut, or hides that. A line that stands for a text that is hidden or
// too long has a placeholder of its own.
func (r *inputRenderer) say(size fyne.Size) {
	cut := r.input.cut && (r.input.Text != "" || r.input.PlaceHolder != r.input.placeholder)
	if r.said == nil && !cut {
		return
	}
	if r.said == nil {
		text := NewText(lang.L("Only the beginning of what you pasted is here: it is too long for a line."),
			TextStyle{Size: theme.SizeSmall, Color: theme.ColorWrong, Shrinks: true})
		r.said = NewBox(BoxStyle{Fill: base.ColorNameInputBackground, Radius: theme.SizeFieldRadius}, Inset(text, 0, Gap))
		r.full = text.Full().Width + 2*Gap
	}
	SetVisible(r.said, cut)
	edge := float32(GapHair)
	r.said.Resize(fyne.NewSize(min(r.full, size.Width-2*edge), size.Height-2*edge))
	r.said.Move(fyne.NewPos(size.Width-edge-r.said.Size().Width, edge))
}

// wheel is an invisible object that lies over an input and hands the turns of the mouse wheel to the page. Without it,
// the page would stand still while the pointer is over the input.
type wheel struct {
	widget.BaseWidget
	input *Input
}

var _ fyne.Scrollable = (*wheel)(nil)

func (w *wheel) Scrolled(event *fyne.ScrollEvent) { w.input.page.Wheel(event) }

func (w *wheel) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(NewGap(0, 0)) }
