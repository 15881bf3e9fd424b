package mac

import "testing"

// TestStayClosed checks that the app asks not to be opened again.
func TestStayClosed(t *testing.T) {
	a := newApple()
	asked := 0
	app := a.newObject(a.class(t, "NSApplication", messages{"sharedApplication": gives(0)},
		messages{"disableRelaunchOnLogin": func(uintptr, uintptr) uintptr {
			asked++
			return 0
		}}), 0)
	a.class(t, "NSApplication", messages{"sharedApplication": gives(app)}, nil)
	New(a.Runtime).StayClosed()
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
}
