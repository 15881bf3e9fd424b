package objc

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// Addresses returns a function that takes an NSArray of NSURLs and returns the first of them as text, or "" if there is none. library is the file of
// the runtime, as for [Open].
func (r *Runtime) Addresses(library string) (func(array uintptr) string, error) {
	handle, err := purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", library, err)
	}
	address, err := purego.Dlsym(handle, "objc_msgSend")
	if err != nil {
		return nil, fmt.Errorf("looking for objc_msgSend in %s: %w", library, err)
	}
	var send func(object, selector uintptr) uintptr
	var text func(object, selector uintptr) string
	purego.RegisterFunc(&send, address)
	purego.RegisterFunc(&text, address)
	return func(array uintptr) string {
		first := send(array, r.selector("firstObject"))
		if first == 0 {
			return ""
		}
		return text(send(first, r.selector("absoluteString")), r.selector("UTF8String"))
	}, nil
}
