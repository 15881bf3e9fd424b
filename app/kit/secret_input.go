package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	base "fyne.io/fyne/v2/theme"
)

// SecretInput is a line of text that can be hidden. While it is, the text is not part of the window at all: dots stand in
// the empty line, and what is typed there takes the place of the whole text.
type SecretInput struct {
	*Input

	// OnValue is called when the user has changed the text.
	OnValue func(value string)

	// Eye shows or hides a secret; it is to be put beside the line.
	Eye *Button

	value  string
	secret bool
	open   bool // a secret that the user wants to see
	typed  bool // into the hidden line, since the keyboard came
}

// secretDots stand for a secret. Their number says nothing.
const secretDots = "••••••••"

// NewSecretInput gives an empty line.
func NewSecretInput(placeholder string) *SecretInput {
	s := &SecretInput{Input: NewInput(placeholder)}
	s.Eye = NewIconButton(base.VisibilityIcon(), lang.L("Show the value"), func() { s.Open(!s.open) })
	s.Eye.Hide()
	s.Input.OnChanged = func(text string) {
		if s.hidden() {
			s.typed = true
		}
		s.value = text
		if s.OnValue != nil {
			s.OnValue(text)
		}
	}
	return s
}

// Value is the text.
func (s *SecretInput) Value() string { return s.value }

func (s *SecretInput) hidden() bool { return s.secret && !s.open }

// Hidden tells whether the text cannot be seen.
func (s *SecretInput) Hidden() bool { return s.hidden() }

// Show shows another text, which is a secret or not, without telling OnValue. A line with the keyboard in it is not hidden
// under the user's hands: that waits until the keyboard has gone.
func (s *SecretInput) Show(value string, secret bool) {
	same := value == s.value
	s.value = value
	if secret != s.secret && (!s.Focused() || !same) {
		s.secret = secret
	}
	if same && s.typed && s.Focused() {
		return // it is being typed
	}
	s.typed = false
	s.draw()
}

// Open lets a secret be seen, or hides it again.
func (s *SecretInput) Open(open bool) {
	s.open, s.typed = open, false
	s.draw()
}

// Left hides what was typed, after the keyboard has gone.
func (s *SecretInput) Left(secret bool) {
	s.secret, s.typed = secret, false
	s.draw()
}

func (s *SecretInput) draw() {
	if s.hidden() {
		s.Input.Password = true
		s.Input.Follow("")
		if s.value == "" {
			s.Input.SetPlaceHolder(s.placeholder)
		} else {
			s.Input.SetPlaceHolder(secretDots)
		}
	} else {
		s.Input.Password = false
		s.Input.SetPlaceHolder(s.placeholder)
		s.Input.Follow(s.value)
	}
	s.Input.Refresh()
	if s.open {
		s.eye(base.VisibilityOffIcon(), lang.L("Hide the value"))
	} else {
		s.eye(base.VisibilityIcon(), lang.L("Show the value"))
	}
	if s.secret {
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
