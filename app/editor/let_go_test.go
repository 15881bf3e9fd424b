package editor

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// If a button of an argument or variable has the focus and then another server is shown, Enter must not change that
// server. The same holds if another program was in front meanwhile, or if a dialog covered the button.
func TestKeyboardMeansTheServerThatWasShown(t *testing.T) {
	type part interface {
		fyne.Focusable
		Focused() bool
	}
	both := strings.Replace(plain, `"args": ["mcp-git"]`,
		`"args": ["mcp-git", "--token", "sesame-open-7654321"], "env": {"A": "1", "SECRET": "sesame-open-7654321"}`, 1)
	for name, at := range map[string]func(*form) part{
		"remove an argument": func(f *form) part { return f.arguments.rows[0].remove },
		"move it up":         func(f *form) part { return f.arguments.rows[1].up },
		"move it down":       func(f *form) part { return f.arguments.rows[0].down },
		"remove a variable":  func(f *form) part { return f.env.rows[0].remove },
		"keep a secret":      func(f *form) part { return f.env.rows[1].stays },
		"show a secret":      func(f *form) part { return f.env.rows[1].valueInput.Eye },
	} {
		for _, while := range []string{"here", "away", "under a dialog"} {
			b := open(t, both, wide)
			f := &b.setup.form
			has := at(f)
			canvas := b.window.Canvas()
			canvas.Focus(has)
			if canvas.Focused() != fyne.Focusable(has) {
				t.Fatalf("%s: the focus is on %T", name, canvas.Focused())
			}
			over := kit.NewGap(1, 1)
			switch while {
			case "away":
				has.FocusLost()
			case "under a dialog":
				canvas.Overlays().Add(over)
			}
			b.server = "git"
			b.apply()
			canvas.Overlays().Remove(over)
			has.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			has.TypedRune(' ')
			b.settle()
			if b.file() != both || len(b.keychain) > 0 || !f.env.rows[1].valueInput.Hidden() {
				t.Errorf("%s, %s: the secret is hidden: %v, the keychain has %v, and the file is\n%s", name, while,
					f.env.rows[1].valueInput.Hidden(), b.keychain, b.file())
			}
			if while != "under a dialog" && canvas.Focused() == fyne.Focusable(has) {
				t.Errorf("%s, %s: the focus is on a control that is gone", name, while)
			}
		}
	}
}
