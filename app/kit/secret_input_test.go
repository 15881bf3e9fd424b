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

// besideEye places a line beside its eye.
func besideEye(s *SecretInput) fyne.CanvasObject { return Row(4, s.Input, s.Eye) }

// While the dots are visible, the secret is kept: typing into the line and deleting that again changes nothing.
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
			t.Fatalf("%s: what is typed does not take the place of the secret: %q, told %q", name, s.Value(), told)
		}
		s.Show("x", false) // it was saved, and does not look like a secret
		undo(s)
		if s.Text != "" || s.PlaceHolder != secretDots {
			t.Fatalf("%s: the line has %q before %q", name, s.Text, s.PlaceHolder)
		}
		if told != "sesame" || s.Value() != "sesame" {
			t.Errorf("%s: the dots stand for %q, told %q", name, s.Value(), told)
		}
		s.TypedRune('y')
		window.Canvas().Unfocus()
		if s.Value() != "y" || !s.Hidden() {
			t.Errorf("%s: what is typed then is %q", name, s.Value())
		}
	}

	// A secret that is visible can be cleared.
	s, window := secretLine(t, "sesame")
	s.Eye.OnTapped()
	window.Canvas().Focus(s.Input)
	s.TypedShortcut(&fyne.ShortcutSelectAll{})
	s.TypedKey(backspace)
	if s.Value() != "" || s.PlaceHolder != "Value" {
		t.Errorf("emptied in sight it is %q before %q", s.Value(), s.PlaceHolder)
	}
	// A line that was empty is empty again.
	s, window = secretLine(t, "")
	window.Canvas().Focus(s.Input)
	s.TypedRune('x')
	s.TypedKey(backspace)
	if s.Value() != "" || s.PlaceHolder != "Value" {
		t.Errorf("it was empty and is %q before %q", s.Value(), s.PlaceHolder)
	}
}

// Forget leaves nothing of the old text: no text, no undo history and no open eye.
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
		t.Errorf("the line has %q, and told of %d changes", s.Text, told)
	}
	s.Show("sesame", true)
	if !s.Hidden() {
		t.Error("the eye is open")
	}
}
