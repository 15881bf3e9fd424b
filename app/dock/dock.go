// Package dock handles requests of macOS to the program itself: a click on its icon in the Dock, another start from Finder, Spotlight or Launchpad,
// and the request to quit. See docs/adr/050-what-macos-asks-of-the-program.md.
package dock

// Requests are called for requests of macOS. They run on the thread of the window while the system waits, so they must not block.
type Requests struct {
	Reopen func()            // the user wants to see the window
	Open   func(what string) // the user has followed a workbench: link or opened a file; what is the address of the link or file
	Quit   func()            // Cmd+Q, Quit in the Dock, or the end of the session
}

// Fyne opens its windows with the library GLFW, which is part of the program. macOS sends its requests to the only object of the GLFW class
// glfwDelegate. The other names are those of the messages.
const (
	glfwDelegate = "GLFWApplicationDelegate"
	reopen       = "applicationShouldHandleReopen:hasVisibleWindows:"
	terminate    = "applicationShouldTerminate:"
	openURLs     = "application:openURLs:"
)

// Attend makes macOS call the requests from now on. Call it before the first window is created. It does nothing on other systems. If it fails, the
// program works as if it had not been called.
func Attend(requests Requests) error { return attend(requests) }
