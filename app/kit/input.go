package kit

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Input is a line of text to be typed, that tells when the keyboard comes and goes and lets the window have the shortcuts
// that are not about text.
type Input struct {
	widget.Entry

	// OnFocus is called when the keyboard comes or goes.
	OnFocus func(focused bool)

	// OnEscape is called for the Esc key.
	OnEscape func()

	// OnKey is asked first about keys; it tells whether it has used one. Alt+Up and Alt+Down come as
	// OnMove.
	OnKey func(*fyne.KeyEvent) bool

	// OnShortcut is asked first about shortcuts; it tells whether it has used one. To embed an Input for that would not do: Fyne knows
	// the window of the whole alone, and what the Input passes on would not get there.
	OnShortcut func(fyne.Shortcut) bool

	// OnMove is called for Alt+Up (-1) and Alt+Down (1).
	OnMove func(by int)

	// OnPaste is asked before several lines are pasted; it tells whether it has taken them. Otherwise they become one.
	OnPaste func(text string) bool

	// OnScroll gets the turns of the mouse wheel, which Fyne's entry would keep to itself; nil: they are lost. It is to be
	// set before the line is shown.
	OnScroll func(*fyne.ScrollEvent)

	focused     bool
	placeholder string
}

// NewInput gives an empty line. Its placeholder is shown while it is empty.
func NewInput(placeholder string) *Input {
	i := &Input{}
	i.Wrapping = fyne.TextWrap(fyne.TextTruncateClip)
	i.PlaceHolder, i.placeholder = placeholder, placeholder
	i.ExtendBaseWidget(i)
	return i
}

// Focused tells whether the keyboard is here.
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
	i.focused = true
	i.Entry.FocusGained()
	if i.OnFocus != nil {
		i.OnFocus(true)
	}
}

// FocusLost is for Fyne.
func (i *Input) FocusLost() {
	i.focused = false
	i.Entry.FocusLost()
	if i.OnFocus != nil {
		i.OnFocus(false)
	}
}

// TypedKey is for Fyne.
func (i *Input) TypedKey(event *fyne.KeyEvent) {
	if i.OnKey != nil && i.OnKey(event) {
		return
	}
	if event.Name == fyne.KeyF1 {
		PassKey(i, event)
		return
	}
	if event.Name == fyne.KeyEscape {
		if i.OnEscape != nil {
			i.OnEscape()
		} else {
			PassKey(i, event)
		}
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
		if i.OnPaste != nil && !i.Disabled() && shortcut.Clipboard != nil {
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
		PassShortcut(i, shortcut)
		return
	}
	i.Entry.TypedShortcut(shortcut)
}

// CreateRenderer is for Fyne.
func (i *Input) CreateRenderer() fyne.WidgetRenderer {
	r := i.Entry.CreateRenderer()
	if i.OnScroll != nil {
		w := &wheel{scrolled: i.OnScroll}
		w.ExtendBaseWidget(w)
		r = &inputRenderer{r, w}
	}
	return newEdgedRenderer(r, i, i.Focused)
}

type inputRenderer struct {
	fyne.WidgetRenderer
	wheel *wheel
}

func (r *inputRenderer) Objects() []fyne.CanvasObject {
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
