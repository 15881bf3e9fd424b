package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Input is a field for text: Fyne's, except that it tells when the keyboard comes and goes and lets the window have the shortcuts that
// are not about text.
type Input struct {
	widget.Entry
	keyboard

	// OnKey is asked first about keys; it reports whether it has used one. Alt+Up and Alt+Down come as
	// OnMove.
	OnKey func(*fyne.KeyEvent) bool

	// OnShortcut is asked first about shortcuts; it reports whether it has used one.
	OnShortcut func(fyne.Shortcut) bool

	// OnMove is called for Alt+Up (-1) and Alt+Down (1).
	OnMove func(by int)

	// OnPaste is asked before several lines are pasted; it reports whether it has taken them. Otherwise they become one.
	OnPaste func(text string) bool

	// OnScroll gets the turns of the mouse wheel, which Fyne's entry would keep to itself; nil: they are lost. It is to be
	// set before the field is shown.
	OnScroll func(*fyne.ScrollEvent)

	self        fyne.CanvasObject // what embeds the field, or the field
	placeholder string
}

// NewInput returns an empty line. Its placeholder is shown while it is empty.
func NewInput(placeholder string) *Input {
	i := &Input{}
	i.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	i.PlaceHolder, i.placeholder = placeholder, placeholder
	i.ExtendBaseWidget(i)
	return i
}

// NewTextArea returns an empty field of several lines, which shows so many at least. Unlike in Fyne's, the Tab key leaves it.
func NewTextArea(rows int, mono bool) *Input {
	i := &Input{}
	i.MultiLine = true
	i.Wrapping = fyne.TextWrapWord
	i.TextStyle = fyne.TextStyle{Monospace: mono}
	i.ExtendBaseWidget(i)
	i.SetMinRowsVisible(rows)
	return i
}

// ExtendBaseWidget is for Fyne.
func (i *Input) ExtendBaseWidget(self fyne.Widget) {
	i.self = self
	i.Entry.ExtendBaseWidget(self)
}

// AcceptsTab is for Fyne: the Tab key goes on to what comes next.
func (i *Input) AcceptsTab() bool { return false }

// OnArrow has the arrows up (-1) and down (1) do something.
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

// Focused reports whether the keyboard is here.
func (i *Input) Focused() bool { return i.focused }

// Follow shows another text without telling OnChanged. The caret stays where it is as far as there is such a place.
func (i *Input) Follow(text string) {
	if i.Text == text {
		return
	}
	changed := i.OnChanged
	i.OnChanged = nil
	i.SetText(text)
	i.OnChanged = changed
}

// Forget empties the line without telling OnChanged, and what was typed in it cannot be undone any more: it comes to stand for something
// else.
func (i *Input) Forget() {
	changed := i.OnChanged
	i.OnChanged = nil
	i.SetText("") // with what could be undone, also when it is empty already
	i.OnChanged = changed
}

// FocusGained is for Fyne.
func (i *Input) FocusGained() {
	i.Entry.FocusGained()
	i.take(i.self, true)
}

// FocusLost is for Fyne.
func (i *Input) FocusLost() {
	i.Entry.FocusLost()
	i.take(i.self, false)
}

// TypedKey is for Fyne.
func (i *Input) TypedKey(event *fyne.KeyEvent) {
	if i.OnKey != nil && i.OnKey(event) || i.pass(i.self, event) {
		return
	}
	i.Entry.TypedKey(event)
}

// TypedShortcut is for Fyne.
func (i *Input) TypedShortcut(shortcut fyne.Shortcut) {
	if i.OnShortcut != nil && i.OnShortcut(shortcut) {
		return
	}
	switch shortcut := shortcut.(type) {
	case *fyne.ShortcutPaste:
		if i.OnPaste != nil && !i.MultiLine && !i.Disabled() && shortcut.Clipboard != nil {
			if text := shortcut.Clipboard.Content(); strings.Contains(strings.TrimRight(text, "\r\n"), "\n") && i.OnPaste(text) {
				return
			}
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
	i.Entry.TypedShortcut(shortcut)
}

// CreateRenderer is for Fyne.
func (i *Input) CreateRenderer() fyne.WidgetRenderer {
	r := i.Entry.CreateRenderer()
	if i.OnScroll != nil || i.MultiLine { // one of several lines is drawn once before anything can be set
		w := &wheel{scrolled: func(event *fyne.ScrollEvent) { i.OnScroll(event) }}
		w.ExtendBaseWidget(w)
		r = &inputRenderer{r, i, w}
	}
	return newEdgedRenderer(r, i.self.(fyne.Widget), i.ring)
}

type inputRenderer struct {
	fyne.WidgetRenderer
	input *Input
	wheel *wheel
}

func (r *inputRenderer) Objects() []fyne.CanvasObject {
	if r.input.OnScroll == nil {
		return r.WidgetRenderer.Objects()
	}
	return append(slices.Clone(r.WidgetRenderer.Objects()), r.wheel)
}

func (r *inputRenderer) Layout(size fyne.Size) {
	r.WidgetRenderer.Layout(size)
	r.wheel.Resize(size)
}

// wheel lies over something, cannot be seen, and takes the turns of the mouse wheel.
type wheel struct {
	widget.BaseWidget
	scrolled func(*fyne.ScrollEvent)
}

var _ fyne.Scrollable = (*wheel)(nil)

func (w *wheel) Scrolled(event *fyne.ScrollEvent) { w.scrolled(event) }

func (w *wheel) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(NewGap(0, 0)) }
