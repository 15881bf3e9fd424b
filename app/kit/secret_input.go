package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// SecretInput is a line for text that can be hidden. Hidden text is not in the window at all: the line is empty, with
// dots as its placeholder. Text that the user types there replaces the hidden text. If the user deletes all of it
// again, the hidden text is back. To clear a hidden text, the user must show it first.
//
// The line shows a visible character in place of each one that would break the line or change the direction of
// writing. A text that is too long for a line is not shown in full and cannot be edited here.
type SecretInput struct {
	*Input

	// OnValue is called after the user has changed the text; it may be nil.
	OnValue func(value string)

	// Eye is the button that shows or hides a secret. Place it beside the line.
	Eye *Button

	value  string        // the whole text, even while it is hidden
	before string        // the value before the user typed into the hidden line
	secret bool          // the text must be hidden unless open is set
	open   bool          // the user has asked to see the secret
	typed  bool          // the user has typed into the hidden line since it got the focus
	used   bool          // the line has had the focus and lost it
	locked bool          // the text cannot be edited; set by Lock
	stands map[rune]rune // the characters that are shown in place of others, each with the one that it stands for
}

// secretDots are shown for every secret. Their number means nothing.
const secretDots = "••••••••"

// MaxInput is the longest text that can be edited in a SecretInput, in characters. Fyne draws a line as one picture,
// whose width is limited.
const MaxInput = 1000

// NewSecretInput returns an empty line.
func NewSecretInput(placeholder string) *SecretInput {
	s := &SecretInput{Input: NewInput(placeholder)}
	s.Eye = NewIconButton(base.VisibilityIcon(), lang.L("Show the value"), func() { s.Open(!s.open) })
	s.Eye.Hide()
	s.Input.OnChanged = func(text string) {
		switch {
		case !s.Hidden():
			s.value = s.read(text)
		case !s.typed:
			s.before, s.value, s.typed = s.value, text, true
		case text == "": // as if nothing had been typed
			s.value, s.typed = s.before, false
		default:
			s.value = text
		}
		if s.OnValue != nil {
			s.OnValue(s.value)
		}
	}
	return s
}

// Value returns the text.
func (s *SecretInput) Value() string { return s.value }

// Hidden reports whether the text is hidden.
func (s *SecretInput) Hidden() bool { return s.secret && !s.open }

// Long reports whether the text is too long to be edited here.
func (s *SecretInput) Long() bool {
	return len(s.value) > MaxInput && utf8.RuneCountInString(s.value) > MaxInput
}

// Show changes the text without calling OnValue. secret says whether the text must be hidden. If the user is typing
// this text, it is hidden only after the line has lost the focus.
func (s *SecretInput) Show(value string, secret bool) {
	same := value == s.value
	if same && secret == s.secret && s.drawn() {
		return
	}
	s.value, s.Input.cut = value, s.Input.cut && same
	if secret != s.secret && (!s.Focused() || !same) {
		s.secret = secret
	}
	if same && s.Focused() {
		return // the user is typing this text
	}
	s.typed = false
	s.draw()
}

// drawn reports whether the line already shows the text.
func (s *SecretInput) drawn() bool {
	if s.Hidden() {
		return s.typed || s.Input.Text == ""
	}
	return s.read(s.Input.Text) == s.value && s.Input.Text != "" || s.value == "" && s.Input.Text == ""
}

// Open shows or hides a secret.
func (s *SecretInput) Open(open bool) {
	s.open, s.typed = open, false
	s.draw()
}

// Used reports whether the user has used the line. A used line may have an undo history, a selection or a visible
// secret, so do not reuse it for another text.
func (s *SecretInput) Used() bool { return s.used || s.open || s.Focused() }

// Forget empties the line so that it can be reused. After that, nothing of the old text can be seen or restored.
func (s *SecretInput) Forget() {
	s.value, s.before, s.secret, s.open, s.typed = "", "", false, false, false
	s.locked, s.Input.cut = false, false
	s.Input.Forget()
	s.draw()
}

// Lock sets whether the text is locked, so that the user cannot edit it.
func (s *SecretInput) Lock(locked bool) {
	if locked != s.locked {
		s.locked = locked
		s.draw()
	}
}

// Left ends typing. Call it when the line has lost the focus. secret says whether the text must be hidden from now on.
func (s *SecretInput) Left(secret bool) {
	s.secret, s.typed, s.used = secret, false, true
	s.draw()
}

func (s *SecretInput) draw() {
	holder, text := s.placeholder, ""
	switch {
	case s.Hidden():
		if s.value != "" {
			holder = secretDots
		}
	case s.Long() && !s.Focused():
		start := []rune(Line(s.value))
		holder = string(start[:min(40, len(start))]) + "… " +
			lang.N("({{.Count}} characters)", utf8.RuneCountInString(s.value),
				map[string]any{"Count": utf8.RuneCountInString(s.value)})
	default:
		text = s.write(s.value)
	}
	same := s.Input.Password == s.Hidden() && s.Input.PlaceHolder == holder
	s.Input.Password = s.Hidden()
	if s.Input.PlaceHolder != holder {
		s.Input.SetPlaceHolder(holder)
	}
	if s.Input.Text != text {
		s.Input.Follow(text)
	} else if !same {
		s.Input.Refresh()
	}
	SetEnabled(s.Input, !s.locked && (s.Hidden() || !s.Long() || s.Focused()))
	if s.open {
		s.Eye.SetMeaning(base.VisibilityOffIcon(), lang.L("Hide the value"))
	} else {
		s.Eye.SetMeaning(base.VisibilityIcon(), lang.L("Show the value"))
	}
	SetVisible(s.Eye, s.secret && s.value != "")
}

// write returns the text to show for a value, with a visible character in place of each invisible one. It notes these
// pairs in s.stands.
func (s *SecretInput) write(value string) string {
	s.stands = nil
	if strings.IndexFunc(value, visible.Hidden) < 0 {
		return value
	}
	s.stands = map[rune]rune{}
	given := map[rune]rune{}
	spare := rune(0xE000) // private use: drawn as a box
	return strings.Map(func(r rune) rune {
		if !visible.Hidden(r) {
			return r
		}
		if stand, ok := given[r]; ok {
			return stand
		}
		stand := 0x2400 + r // a control picture
		if r > 0x1f || strings.ContainsRune(value, stand) {
			for strings.ContainsRune(value, spare) {
				spare++
			}
			stand = spare
			spare++
		}
		given[r], s.stands[stand] = stand, r
		return stand
	}, value)
}

// read is the reverse of write: it returns the value for a shown text.
func (s *SecretInput) read(text string) string {
	if len(s.stands) == 0 {
		return text
	}
	return strings.Map(func(r rune) rune {
		if meant, ok := s.stands[r]; ok {
			return meant
		}
		return r
	}, text)
}
