//go:build darwin || linux

package mac

// atWork is NSActivityUserInitiatedAllowingIdleSystemSleep: the app is not slowed down (App Nap), but the computer may
// sleep.
const atWork = 0x00ffffff &^ (1 << 20)

// StayAwake keeps macOS from slowing the app down while no window of it is seen, until end is called.
func (m *Mac) StayAwake(reason string) (end func()) {
	system := m.runtime.Send(m.runtime.Class("NSProcessInfo"), "processInfo")
	text := m.newText(reason)
	activity := m.runtime.Send(m.runtime.Send(system, "beginActivityWithOptions:reason:", atWork, text), "retain")
	m.runtime.Send(text, "release")
	return func() {
		m.runtime.Send(system, "endActivity:", activity)
		m.runtime.Send(activity, "release")
	}
}
