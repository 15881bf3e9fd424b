//go:build darwin || linux

package mac

// app returns the application object. It makes it if GLFW has not made it yet.
func (m *Mac) app() uintptr {
	return m.runtime.Send(m.runtime.Class("NSApplication"), "sharedApplication")
}

// StayClosed keeps macOS from opening the app with its window at the next login because it ran at the end of the
// session. The start at login is the user's choice, and is hidden.
func (m *Mac) StayClosed() { m.runtime.Send(m.app(), "disableRelaunchOnLogin") }
