package dock

import "github.com/workbench-mcp/workbench-desktop/app/dock/objc"

// What the methods answer.
const (
	yes             = 1 // of a BOOL: and do what is usual then, such as bringing back a window that is in the Dock
	terminateCancel = 0 // NSTerminateCancel: not now. Who was asked ends the program itself, or asks the user.
)

// attend gives GLFW's class a method that it does not have, and another one instead of its own, which asks every window to close: ours
// would go to the menu bar, and Fyne's hidden one ends the program unasked. That is done before GLFW makes the object, since macOS may look
// only once for what it can.
func attend(requests Requests) error {
	const library = "/usr/lib/libobjc.A.dylib"
	runtime, err := objc.Open(library)
	if err != nil {
		return err
	}
	address, err := runtime.Addresses(library)
	if err != nil {
		return err
	}
	return runtime.SetMethods(glfwDelegate,
		objc.Method{Selector: reopen, Types: "B@:@B", Do: func() uintptr {
			requests.Reopen()
			return yes
		}},
		objc.Method{Selector: openURLs, Types: "v@:@@", Take: func(_, array uintptr) uintptr {
			requests.Open(address(array))
			return 0
		}},
		objc.Method{Selector: terminate, Types: "Q@:@", Do: func() uintptr {
			requests.Quit()
			return terminateCancel
		}},
	)
}
