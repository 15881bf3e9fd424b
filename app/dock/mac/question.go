//go:build darwin || linux

package mac

// What a window of AppKit can be.
const (
	floatingLevel = 3      // NSFloatingWindowLevel: above the windows of other apps
	onAllSpaces   = 1 << 0 // NSWindowCollectionBehaviorCanJoinAllSpaces
	// NSWindowCollectionBehaviorFullScreenAuxiliary: also on the Space of an app that fills the screen
	besideFullScreen  = 1 << 8
	criticalAttention = 0 // NSCriticalRequest: the icon in the Dock bounces until the app is used
)

// Raise puts a window above those of other apps, on every Space.
func (m *Mac) Raise(window uintptr) {
	m.runtime.Send(window, "setLevel:", floatingLevel)
	m.runtime.Send(window, "setCollectionBehavior:", onAllSpaces|besideFullScreen)
}

// Bounce makes the icon in the Dock bounce until the user comes to the app, or calm is called.
func (m *Mac) Bounce() (calm func()) {
	request := m.runtime.Send(m.app(), "requestUserAttention:", criticalAttention)
	return func() { m.runtime.Send(m.app(), "cancelUserAttentionRequest:", request) }
}
