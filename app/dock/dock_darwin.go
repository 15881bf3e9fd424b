package dock

import (
	"github.com/workbench-mcp/workbench-desktop/app/dock/mac"
	"github.com/workbench-mcp/workbench-desktop/app/dock/objc"
)

// yes is a BOOL: macOS shall also do what it usually does, such as bringing back a window from the Dock.
const yes = 1

// open returns macOS; nil if its library is not there.
func open() System {
	runtime, err := objc.Open(library)
	if err != nil {
		return nil
	}
	return mac.New(runtime)
}

// library is Apple's runtime.
const library = "/usr/lib/libobjc.A.dylib"

// attend adds the methods reopen and openURLs to GLFW's class and replaces its method terminate. GLFW's own terminate
// asks every window to close: Workbench's window would go to the menu bar, and Fyne's hidden window would end the
// program without asking the user. attend must run before GLFW creates the object, because macOS may check only once
// which methods the object has.
func attend(requests Requests) error {
	runtime, err := objc.Open(library)
	if err != nil {
		return err
	}
	system := mac.New(runtime)
	system.StayClosed()
	return runtime.SetMethods(glfwDelegate,
		objc.Method{Selector: reopen, Types: "B@:@B", Do: func(_, _ uintptr) uintptr {
			requests.Reopen()
			return yes
		}},
		objc.Method{Selector: openURLs, Types: "v@:@@", Do: func(_, array uintptr) uintptr {
			requests.Open(system.FirstAddress(array))
			return 0
		}},
		objc.Method{Selector: terminate, Types: "Q@:@", Do: func(_, _ uintptr) uintptr {
			return toQuit(requests, system.SessionEnds())
		}},
	)
}
