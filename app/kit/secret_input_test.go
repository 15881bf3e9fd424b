package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/theme"
)

func secretLine(t *testing.T, value string) (*SecretInput, fyne.Window) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	s := NewSecretInput("Value")
	s.OnFocus = func(focused bool) {
		if !focused {
			s.Left(true)
		}
	}
	window := test.NewTempWindow(t, besideEye(s))
	s.Show(value, true)
	return s, window
}

// besideEye places an input beside its eye.
func besideEye(s *SecretInput) fyne.CanvasObject { return Row(4, s.Input, s.Eye) }

// While the dots are visible, the secret is kept: typing and deleting what was typed changes nothing.
func TestDotsMeanThatTheSecretIsThere(t *testing.T) {
	backspace := &fyne.KeyEvent{Name: fyne.KeyBackspace}
	for name, undo := range map[string]func(*SecretInput){
		"Backspace": func(s *SecretInput) { s.TypedKey(backspace) },
		"Ctrl+Z":    func(s *SecretInput) { s.TypedShortcut(&fyne.ShortcutUndo{}) },
	} {
		s, window := secretLine(t, "sesame")
		told := "sesame"
		s.OnValue = func(value string) { told = value }
		window.Canvas().Focus(s.Input)
		s.TypedRune('x')
		if told != "x" || s.Value() != "x" {
			t.Fatalf("%s: typed text does not replace the secret: %q, reported %q", name, s.Value(), told)
		}
		s.Show("x", false) // as after saving a value that does not look like a secret
		undo(s)
		if s.Text != "" || s.PlaceHolder != secretDots {
			t.Fatalf("%s: the text is %q, the placeholder %q", name, s.Text, s.PlaceHolder)
		}
		if told != "sesame" || s.Value() != "sesame" {
			t.Errorf("%s: the dots stand for %q, reported %q", name, s.Value(), told)
		}
		s.TypedRune('y')
		window.Canvas().Unfocus()
		if s.Value() != "y" || !s.Hidden() {
			t.Errorf("%s: after typing again, the value is %q", name, s.Value())
		}
	}

	// A secret that is visible can be cleared.
	s, window := secretLine(t, "sesame")
	s.Eye.OnTapped()
	window.Canvas().Focus(s.Input)
	s.TypedShortcut(&fyne.ShortcutSelectAll{})
	s.TypedKey(backspace)
	if s.Value() != "" || s.PlaceHolder != "Value" {
		t.Errorf("after clearing a visible secret, the value is %q, the placeholder %q", s.Value(), s.PlaceHolder)
	}
	// An input that was empty is empty again.
	s, window = secretLine(t, "")
	window.Canvas().Focus(s.Input)
	s.TypedRune('x')
	s.TypedKey(backspace)
	if s.Value() != "" || s.PlaceHolder != "Value" {
		t.Errorf("the value was empty and is %q, the placeholder %q", s.Value(), s.PlaceHolder)
	}
}

// Forget leaves nothing of the old text: no text, no undo history, and the new text is not shown in clear.
func TestForgottenLine(t *testing.T) {
	s, window := secretLine(t, "")
	told := 0
	s.Show("plain", false)
	window.Canvas().Focus(s.Input)
	s.TypedRune('x')
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyBackspace})
	s.OnValue = func(string) { told++ }
	s.Open(true)
	window.Canvas().Unfocus()
	s.Forget()
	s.Show("plain", false)
	s.TypedShortcut(&fyne.ShortcutUndo{})
	if s.Text != "plain" || told > 0 {
		t.Errorf("the text is %q, and %d changes were reported", s.Text, told)
	}
	s.Show("sesame", true)
	if !s.Hidden() {
		t.Error("the text is shown in clear")
	}
}

// A line has only one eye, even if its text is hidden when it is first drawn.
func TestOneEye(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.Theme{})
	s := NewSecretInput("Value")
	s.Show("sesame", true)
	test.NewTempWindow(t, besideEye(s))
	if _, button := s.ActionItem.(fyne.Tappable); button {
		t.Errorf("the line has a button of its own, a %T", s.ActionItem)
	}
}
