// Package dock takes up what macOS asks of the program itself, not of one of its windows: its icon in the Dock was clicked, it was started
// again from Finder, Spotlight or Launchpad, or it is to quit. See docs/adr/050-what-macos-asks-of-the-program.md.
package dock

// Requests are called for requests of macOS. They are called on the thread of the window while the system waits, and must not block.
type Requests struct {
	Reopen func()            // the user wants to see the window
	Open   func(what string) // the user has followed a link of ours, or opens a file, whose address it is
	Quit   func()            // Cmd+Q, Quit in the Dock, the end of the session
}

// macOS sends its requests to the one object of this class of GLFW. Fyne opens its windows with GLFW, which is part of the program.
const (
	glfwDelegate = "GLFWApplicationDelegate"
	reopen       = "applicationShouldHandleReopen:hasVisibleWindows:"
	terminate    = "applicationShouldTerminate:"
	openURLs     = "application:openURLs:"
)

// Attend makes macOS call the requests from now on. It must be called before the first window is made, and does nothing on other
// systems. When it fails, the program works as it would without it.
func Attend(requests Requests) error { return attend(requests) }
