package add

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"github.com/workbench-mcp/workbench-desktop/app/kit"
)

// TestEyeSaysWhatItDoes checks that the label of the button beside a hidden value says what the button does next.
func TestEyeSaysWhatItDoes(t *testing.T) {
	test.NewTempApp(t)
	in := kit.NewInput("")
	in.Password = true
	window := test.NewTempWindow(t, (&Dialog{}).withEye(in))
	for _, object := range test.LaidOutObjects(window.Content()) {
		eye, ok := object.(*kit.Button)
		if !ok {
			continue
		}
		for _, hidden := range []bool{true, false, true} {
			want := "Show the value"
			if !hidden {
				want = "Hide the value"
			}
			if got := eye.AccessibilityLabel(); got != want || in.Password != hidden {
				t.Errorf("hidden: %v, and the label is %q, want %q", in.Password, got, want)
			}
			test.Tap(eye)
		}
		return
	}
	t.Error("there is no button")
}
