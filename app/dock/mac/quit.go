//go:build darwin || linux

package mac

// Codes of Apple events.
const (
	quitEvent  = "quit" // kAEQuitApplication
	quitReason = "why?" // kAEQuitReason: only the end of a session gives a reason, such as logging out or a restart
)

// SessionEnds reports whether the request to quit that is being handled comes from the end of the session: the user
// logs out, or the computer is restarted or shut down. Cmd+Q and Quit in the Dock give no reason.
func (m *Mac) SessionEnds() bool {
	manager := m.runtime.Send(m.runtime.Class("NSAppleEventManager"), "sharedAppleEventManager")
	event := m.runtime.Send(manager, "currentAppleEvent") // nil outside of an event
	if event == 0 || uint32(m.runtime.Send(event, "eventID")) != uint32(code(quitEvent)) {
		return false
	}
	return m.runtime.Send(event, "attributeDescriptorForKeyword:", code(quitReason)) != 0
}

// FirstAddress returns the first of an NSArray of NSURLs as text; "" if there is none.
func (m *Mac) FirstAddress(array uintptr) string {
	return m.runtime.Text(m.runtime.Send(m.runtime.Send(array, "firstObject"), "absoluteString"))
}
