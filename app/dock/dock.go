// Package dock handles requests of macOS to the program itself: a click on its icon in the Dock, another start from
// Finder, Spotlight or Launchpad, and the request to quit. See docs/adr/050-what-macos-asks-of-the-program.md.
package dock

// Requests are called for requests of macOS. They run on the thread of the window while the system waits, so all but
// End must not block.
type Requests interface {
	Reopen() // the user wants to see the window
	// the user has followed a workbench: link or opened a file; what is the address of the link or file
	Open(what string)
	Quit() // Cmd+Q, or Quit in the Dock
	// the session ends; macOS ends the program when End returns, and nobody can be asked any more
	End()
}

// Answers to the request to quit.
const (
	// NSTerminateCancel: macOS shall not end the program, and the program ends itself or asks the user
	terminateCancel = 0
	terminateNow    = 1 // NSTerminateNow
)

// toQuit handles the request to quit, and returns the answer. At the end of a session, "cancel" would also stop the
// user from logging out.
func toQuit(r Requests, sessionEnds bool) uintptr {
	if sessionEnds {
		r.End()
		return terminateNow
	}
	r.Quit()
	return terminateCancel
}

// Fyne opens its windows with the library GLFW, which is part of the program. macOS sends its requests to the only
// object of the GLFW class glfwDelegate. The other names are those of the messages.
const (
	glfwDelegate = "GLFWApplicationDelegate"
	reopen       = "applicationShouldHandleReopen:hasVisibleWindows:"
	terminate    = "applicationShouldTerminate:"
	openURLs     = "application:openURLs:"
)

// System is what the app asks of macOS. Call its methods on the goroutine of the window.
type System interface {
	// Raise puts a window, an NSWindow, above those of other apps, on every Space.
	Raise(window uintptr)
	// Bounce makes the icon in the Dock bounce until the user comes to the app, or calm is called.
	Bounce() (calm func())
	// StayAwake keeps the app from being slowed down while no window of it is seen, until end is called.
	StayAwake(reason string) (end func())
	// Translate changes the texts of the menus. translate gets the English text, and returns "" for one that stays.
	Translate(translate func(english string) string)
}

// Open returns the system; nil on other systems than macOS.
func Open() System { return open() }

// Attend makes macOS call the requests from now on. Call it before the first window is created. It does nothing on
// other systems. If it fails, the program works as if it had not been called.
func Attend(requests Requests) error { return attend(requests) }
