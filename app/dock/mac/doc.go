//go:build darwin || linux

// Package mac asks macOS for what GLFW and Fyne do not offer, in Objective-C's messages. All of it compiles on Linux,
// and its tests run there with GNU's runtime and classes of their own in place of Apple's. It has run on no Mac yet.
package mac

import (
	"runtime"
	"unsafe"

	"github.com/workbench-mcp/workbench-desktop/app/dock/objc"
)

// Mac is the system behind Objective-C's runtime. Use it only on the goroutine of the window.
type Mac struct {
	runtime *objc.Runtime
	english map[uintptr]title // the texts of menus that were translated
}

// New returns the system behind a runtime.
func New(runtime *objc.Runtime) *Mac { return &Mac{runtime: runtime} }

// newText makes an NSString. Release it.
func (m *Mac) newText(text string) uintptr {
	bytes := append([]byte(text), 0)
	made := m.runtime.Send(m.runtime.Send(m.runtime.Class("NSString"), "alloc"), "initWithUTF8String:",
		uintptr(unsafe.Pointer(&bytes[0])))
	runtime.KeepAlive(bytes)
	return made
}

// code returns the number of a code with four letters, as Apple writes them.
func code(letters string) uintptr {
	number := uintptr(0)
	for _, letter := range []byte(letters) {
		number = number<<8 | uintptr(letter)
	}
	return number
}
