package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"

	"github.com/workbench-mcp/workbench-desktop/engine/visible"
)

// SecretInput is a line for a text of any kind, which can be hidden. While it is, the text is not part of the window at
// all: dots stand in the empty line, and what is typed there takes the place of the whole text. While the line is empty the text is the
// one that the dots stand for; to empty it, the user shows it first.
//
// What would break the line, or turn the direction of writing in it, is shown by a character that stands for it. A text that
// is too long for a line is not shown whole and cannot be changed here.
type SecretInput struct {
	*Input

	// OnValue is called when the user has changed the text.
	OnValue func(value string)

	// Eye shows or hides a secret; it is to be put beside the line.
	Eye *Button

	value  string
	before string // the value when the user began to type into the hidden line
	secret bool
	open   bool // a secret that the user wants to see
	typed  bool // into the hidden line, since the keyboard came
	used   bool // the keyboard has been here
	locked bool // see Lock
	stands map[rune]rune
}

// secretDots stand for a secret. Their number says nothing.
const secretDots = "••••••••"

// MaxInput is how many characters a line may have to be changed in a SecretInput. Fyne draws a line as one picture, which
// cannot be of any width.
const MaxInput = 1000

// NewSecretInput returns an empty line.
func NewSecretInput(placeholder string) *SecretInput {
	s := &SecretInput{Input: NewInput(placeholder)}
	s.Eye = NewIconButton(base.VisibilityIcon(), lang.L("Show the value"), func() { s.Open(!s.open) })
	s.Eye.Hide()
	s.Input.OnChanged = func(text string) {
		switch {
		case !s.hidden():
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

// Value is the text.
func (s *SecretInput) Value() string { return s.value }

// Hidden reports whether the text cannot be seen.
func (s *SecretInput) Hidden() bool { return s.hidden() }

func (s *SecretInput) hidden() bool { return s.secret && !s.open }

// Long reports whether the text is too long to be changed here.
func (s *SecretInput) Long() bool {
	return len(s.value) > MaxInput && utf8.RuneCountInString(s.value) > MaxInput
}

// Show shows another text, which is a secret or not, without telling OnValue. A line with the keyboard in it is not hidden
// under the user's hands: that waits until the keyboard has gone.
func (s *SecretInput) Show(value string, secret bool) {
	same := value == s.value
	if same && secret == s.secret && s.drawn() {
		return
	}
	s.value = value
	if secret != s.secret && (!s.Focused() || !same) {
		s.secret = secret
	}
	if same && s.Focused() {
		return // it is being typed
	}
	s.typed = false
	s.draw()
}

// drawn reports whether the line shows the text already.
func (s *SecretInput) drawn() bool {
	if s.hidden() {
		return s.typed || s.Input.Text == ""
	}
	return s.read(s.Input.Text) == s.value && s.Input.Text != "" || s.value == "" && s.Input.Text == ""
}

// Open lets a secret be seen, or hides it again.
func (s *SecretInput) Open(open bool) {
	s.open, s.typed = open, false
	s.draw()
}

// Used reports whether the user has been here: then there is something to be undone, a selection, or a secret that can be seen. A line
// that was not used may come to stand for something else.
func (s *SecretInput) Used() bool { return s.used || s.open || s.Focused() }

// Forget empties the line, which comes to stand for something else: nothing of before can be seen or undone.
func (s *SecretInput) Forget() {
	s.value, s.before, s.secret, s.open, s.typed = "", "", false, false, false
	s.locked = false
	s.Input.Forget()
	s.draw()
}

// Lock has the text not be changed, until it is called again with false.
func (s *SecretInput) Lock(locked bool) {
	if locked != s.locked {
		s.locked = locked
		s.draw()
	}
}

// Left hides what was typed, after the keyboard has gone.
func (s *SecretInput) Left(secret bool) {
	s.secret, s.typed, s.used = secret, false, true
	s.draw()
}

func (s *SecretInput) draw() {
	holder, text := s.placeholder, ""
	switch {
	case s.hidden():
		if s.value != "" {
			holder = secretDots
		}
	case s.Long() && !s.Focused():
		start := []rune(Line(s.value))
		holder = string(start[:min(40, len(start))]) + "… " + lang.N("({{.Count}} characters)", utf8.RuneCountInString(s.value), map[string]any{"Count": utf8.RuneCountInString(s.value)})
	default:
		text = s.write(s.value)
	}
	same := s.Input.Password == s.hidden() && s.Input.PlaceHolder == holder
	s.Input.Password = s.hidden()
	if s.Input.PlaceHolder != holder {
		s.Input.SetPlaceHolder(holder)
	}
	if s.Input.Text != text {
		s.Input.Follow(text)
	} else if !same {
		s.Input.Refresh()
	}
	if locked := s.locked || !s.hidden() && s.Long() && !s.Focused(); locked != s.Input.Disabled() {
		if locked {
			s.Input.Disable()
		} else {
			s.Input.Enable()
		}
	}
	if s.open {
		s.eye(base.VisibilityOffIcon(), lang.L("Hide the value"))
	} else {
		s.eye(base.VisibilityIcon(), lang.L("Show the value"))
	}
	if s.secret && s.value != "" {
		s.Eye.Show()
	} else {
		s.Eye.Hide()
	}
}

func (s *SecretInput) eye(icon fyne.Resource, spoken string) {
	if s.Eye.spoken != spoken {
		s.Eye.spoken = spoken
		s.Eye.SetIcon(icon)
	}
}

// write returns the text as it is shown, with a visible character in place of each invisible one.
func (s *SecretInput) write(value string) string {
	s.stands = nil
	if strings.IndexFunc(value, unshowable) < 0 {
		return value
	}
	s.stands = map[rune]rune{}
	given := map[rune]rune{}
	spare := rune(0xE000) // for private use: drawn as a box
	return strings.Map(func(r rune) rune {
		if !unshowable(r) {
			return r
		}
		if stand, ok := given[r]; ok {
			return stand
		}
		stand := 0x2400 + r // the control pictures
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

// read is the text that is meant by what is shown.
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

func unshowable(r rune) bool {
	return visible.Hidden(r)
}
